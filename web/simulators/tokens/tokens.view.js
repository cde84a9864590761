/** How two texts are drawn in tokens: each text where it is typed, its pieces below it, the costs side by side. */
import { html, nothing } from 'lit';
import { choice, shown, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { piecesRow } from '../../shared/pieces.js';
import { textField } from '../../shared/text-field.js';
import { VOCABULARIES, model } from './tokens.model.js';

/** Outside its message, which would carry its brackets as HTML does. */
const END_OF_TEXT = '<|endoftext|>';
const whole = { decimals: 0 };
const two = { decimals: 2 };
const TEXTS = [
  {
    path: 'first',
    get label() {
      return msg('First text');
    },
    get words() {
      return msg('First text: words');
    },
  },
  {
    path: 'second',
    get label() {
      return msg('Second text');
    },
    get words() {
      return msg('Second text: words');
    },
  },
];

const inTokens = (text, vocabulary) =>
  msg(str`${text} in the tokens of ${vocabulary}, each with its id`);

const textBlock = ({ path, label }, { state, rows }, ui) =>
  html`<div class="token-text ${rows.length > 1 ? 'token-compact' : ''}">
    ${textField(ui, { path, value: state[path], label, hint: msg('Type a text') })}
    ${rows.map(
      (row) =>
        html`<div class="token-row">
          ${rows.length > 1 ? html`<span class="token-name">${row.label}</span>` : ''}
          ${
            ui?.answerHidden
              ? withheld
              : piecesRow({
                  label: inTokens(label, row.label),
                  moment: 'still',
                  scrolls: Boolean(ui),
                  // Side by side, the cuts are what is compared; the ids are one vocabulary away.
                  pieces:
                    rows.length > 1
                      ? row[path].pieces.map(({ text }) => ({ text }))
                      : row[path].pieces,
                })
          }
        </div>`,
    )}
  </div>`;

const costs = ({ rows }, ui) => {
  const answer = (value, digits) => (ui?.answerHidden ? withheld : shown(value, digits));
  /** A ratio of which one side is nothing is no number. */
  const ratio = (value) => (value === 0 ? '–' : answer(value, two));
  return html`<div
    class="scroll-x"
    role="region"
    aria-label=${msg('What the two texts cost')}
    tabindex=${ui ? '0' : nothing}
  >
    <table class="list costs">
      <caption class="spoken">
        ${msg('What the two texts cost in each vocabulary')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${msg('vocabulary')}</th>
          <th scope="col" class="n">${msg('its tokens')}</th>
          ${TEXTS.map(
            ({ words }) =>
              html`<th scope="col" class="n">${words}</th>
                <th scope="col" class="n">${msg('characters')}</th>
                <th scope="col" class="n">${msg('tokens')}</th>
                <th scope="col" class="n">${msg('a word')}</th>`,
          )}
          <th scope="col" class="n">${msg('second ÷ first')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row">${row.label}</th>
              <td class="n">${shown(row.size, whole)}</td>
              ${TEXTS.map(
                ({ path }) =>
                  html`<td class="n">${shown(row[path].cost.words, whole)}</td>
                    <td class="n">${shown(row[path].cost.characters, whole)}</td>
                    <td class="n strong">${answer(row[path].cost.tokens, whole)}</td>
                    <td class="n">${ratio(row[path].cost.tokens_per_word)}</td>`,
              )}
              <td class="n strong">${ratio(row.second.cost.relative)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
};

export const view = (numbers, ui) => {
  const { state } = numbers;
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main tokens">
      ${TEXTS.map((text) => textBlock(text, numbers, ui))} ${costs(numbers, ui)}
      <div class="token-choices">
        ${choice(ui, {
          path: 'vocabulary',
          value: state.vocabulary,
          legend: msg('Vocabulary'),
          options: [
            ...VOCABULARIES.map(({ name, label }) => ({ value: name, label })),
            { value: 'all', label: msg('all three') },
          ],
        })}
        ${choice(ui, {
          path: 'special',
          value: state.special,
          legend: msg(str`${END_OF_TEXT} is`),
          options: [
            { value: 'text', label: msg('text') },
            { value: 'id', label: msg('one special id') },
          ],
        })}
      </div>
    </div>`,
  });
};
