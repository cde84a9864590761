/** How BPE is drawn: the sentence in pieces, the steps to walk through, and below them where the merges come from. */
import { html, nothing } from 'lit';
import { choice, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg } from '../../shared/language.js';
import { formatCount, plural } from '../../shared/number.js';
import { indices, lastOf, ordinal } from '../../shared/pick.js';
import { pairInline, pieceInline, piecesRow } from '../../shared/pieces.js';
import { textField } from '../../shared/text-field.js';
import { transport } from '../../shared/transport.js';
import { model } from './bpe.model.js';

const count = (value) => number(formatCount(value));

/** Two pieces and what becomes of them. */
const merged = ({ pair, result }) =>
  html`<span class="merge"
    >${pairInline(pair)}<span class="merge-sign">→</span
    >${pieceInline(result, 'piece-result')}</span
  >`;

const inputs = ({ state }, ui) =>
  html`<div class="bpe-inputs">
    ${textField(ui, {
      path: 'sentence',
      value: state.sentence,
      label: msg('Sentence'),
      hint: msg('Type a sentence'),
    })}
    ${choice(ui, {
      path: 'view',
      value: state.view,
      legend: msg('Merges of'),
      options: [
        { value: 'corpus', label: msg('this corpus') },
        { value: 'gpt2', label: 'GPT-2' },
      ],
    })}
  </div>`;

function piecesOf(numbers, ui) {
  const { state, shown, start, pieces } = numbers;
  return html`<div class="bpe-pieces">
    ${piecesRow({
      label: msg('The sentence in pieces, each with its id'),
      moment: `${state.view} ${shown}`,
      still: !ui?.canUndo && !ui?.playing,
      scrolls: Boolean(ui),
      pieces: pieces.map((piece) => ({ ...piece, id: piece.unknown ? msg('no id') : piece.id })),
    })}
    <p class="bpe-count">
      <span class="bpe-from"
        >${count(start)} ${plural(start, msg('symbol'), msg('symbols'))} →</span
      >
      <strong class="num" data-num>${formatCount(pieces.length)}</strong>
      ${plural(pieces.length, msg('piece'), msg('pieces'))}
    </p>
  </div>`;
}

/** What a corpus is made of before its first merge. */
function beginning({ state, baseCount }) {
  if (baseCount === undefined) return msg('Nothing is merged yet.');
  const base = count(baseCount);
  if (baseCount === 1) return msg(html`Nothing is merged yet: ${base} character to begin with.`);
  return state.alphabet === 'bytes'
    ? msg(html`Nothing is merged yet: ${base} bytes to begin with.`)
    : msg(html`Nothing is merged yet: ${base} characters to begin with.`);
}

/** The step that was just done: an id or a rank is a name, it has no commas. */
function doneStep({ rank }, view) {
  const name = view === 'gpt2' ? number(rank) : count(ordinal(rank));
  return view === 'gpt2' ? msg(html`Done: rank ${name}`) : msg(html`Done: merge ${name}`);
}

/** How often a pair stood in the corpus, and how often it was joined, where they differ. */
function counted({ count: met, replaced }) {
  if (met === undefined) return nothing;
  const [found, made] = [count(met), count(replaced)];
  return html`,
  ${met === replaced ? msg(html`counted ${found}×`) : msg(html`counted ${found}×, replaced ${made}×`)}`;
}

/** What the step that was just done did, and what the next one will do. */
function stepLine(numbers, ui) {
  const { state, shown, total, steps } = numbers;
  const [done, next] = [steps[lastOf(shown)], steps[shown]];
  const line = (step) => html`${merged(step)}${counted(step)}`;
  return html`<p class="bpe-step">
    <span
      >${
        done
          ? html`<span class="bpe-when">${doneStep(done, state.view)}</span> ${line(done)}`
          : html`<span class="bpe-when">${beginning(numbers)}</span>`
      }</span
    >
    <span
      >${
        shown < total
          ? html`<span class="bpe-when">${msg('Next:')}</span>
              ${ui?.answerHidden ? withheld : line(next)}`
          : html`<span class="bpe-when">${msg('No further pair.')}</span>`
      }</span
    >
  </p>`;
}

/** A list that scrolls in its own box, reachable by keyboard. */
const box = (label, ui, body) =>
  html`<div class="bpe-box">
    <p class="bpe-title">${label}</p>
    <div class="scroll" role="region" aria-label=${label} tabindex=${ui ? '0' : nothing}>
      ${body}
    </div>
  </div>`;

const pairsTable = ({ candidates }, ui) =>
  box(
    msg('Most frequent pairs'),
    ui,
    html`<table class="list">
      <thead class="spoken">
        <tr>
          <th scope="col">${msg('pair')}</th>
          <th scope="col">${msg('count')}</th>
        </tr>
      </thead>
      <tbody>
        ${
          ui?.answerHidden
            ? html`<tr>
                <td>${withheld}</td>
              </tr>`
            : candidates.map(
                ({ pair, count: times }, i) =>
                  html`<tr class=${i === 0 ? 'list-first' : nothing}>
                    <td>
                      <span class="merge">${pairInline(pair)}</span>
                    </td>
                    <td class="n">${count(times)}×</td>
                  </tr>`,
              )
        }
      </tbody>
    </table>`,
  );

const firstWords = (drawn, all) => msg(html`the first ${drawn} of ${all} distinct words`);

const wordsTable = ({ words, wordCount }, ui) =>
  box(
    msg('Words of the corpus'),
    ui,
    html`<ul class="words">
        ${words.map(
          ({ frequency, pieces }) =>
            html`<li>
              ${pieces.map((text) => pieceInline(text))}<span class="times"
                >${formatCount(frequency)}×</span
              >
            </li>`,
        )}
      </ul>
      ${
        wordCount > words.length
          ? html`<p class="words-more">${firstWords(count(words.length), count(wordCount))}</p>`
          : nothing
      }`,
  );

const corpusBox = ({ state }, ui) =>
  html`<div class="bpe-box bpe-corpus">
    ${textField(ui, {
      path: 'corpus',
      value: state.corpus,
      label: msg('Corpus, a sentence a line'),
      lines: 4,
      hint: msg('Type or paste a text'),
    })}
    ${choice(ui, {
      path: 'tie',
      value: state.tie,
      legend: msg('Equal counts'),
      options: [
        { value: 'first-seen', label: msg('first seen') },
        { value: 'lowest-bytes', label: msg('lowest bytes') },
      ],
    })}
    ${choice(ui, {
      path: 'alphabet',
      value: state.alphabet,
      legend: msg('Begin with'),
      options: [
        { value: 'characters', label: msg('characters') },
        { value: 'bytes', label: msg('bytes') },
      ],
    })}
  </div>`;

const tokensTable = ({ pieces, bytes, offsets }, ui) =>
  box(
    msg('Tokens'),
    ui,
    html`<table class="list list-wide">
      <thead>
        <tr>
          <th scope="col">${msg('piece')}</th>
          <th scope="col" class="n">${msg('id')}</th>
          <th scope="col">${msg('bytes')}</th>
          <th scope="col" class="n">${msg('at byte')}</th>
          <th scope="col" class="n">${msg('at UTF-16 unit')}</th>
        </tr>
      </thead>
      <tbody>
        ${pieces.map(
          ({ text, id }, i) =>
            html`<tr>
              <td>${pieceInline(text)}</td>
              <td class="n">${number(id)}</td>
              <td class="hex">${bytes[i]}</td>
              <td class="n">${count(offsets.byte_begin[i])}–${count(offsets.byte_end[i])}</td>
              <td class="n">${count(offsets.utf16_begin[i])}–${count(offsets.utf16_end[i])}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );

const replayTable = ({ steps, shown }, ui) =>
  box(
    msg('Merges of GPT-2 that this text uses'),
    ui,
    html`<table class="list">
      <thead class="spoken">
        <tr>
          <th scope="col">${msg('rank')}</th>
          <th scope="col">${msg('merge')}</th>
        </tr>
      </thead>
      <tbody>
        ${indices(steps.length).map(
          (i) =>
            html`<tr
              class=${i < shown ? 'list-done' : nothing}
              aria-current=${i === lastOf(shown) ? 'step' : nothing}
            >
              <td class="n">${number(steps[i].rank)}</td>
              <td>${merged(steps[i])}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );

export const view = (numbers, ui) => {
  const { state, shown, total } = numbers;
  const gpt2 = state.view === 'gpt2';
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main bpe">
      ${inputs(numbers, ui)} ${piecesOf(numbers, ui)}
      <div class="bpe-walk">
        ${transport(ui, {
          path: gpt2 ? 'replayed' : 'merges',
          value: shown,
          last: total,
          what: msg('merge'),
        })}
        ${stepLine(numbers, ui)}
      </div>
      <div class="bpe-boxes ${gpt2 ? 'bpe-boxes-two' : ''}">
        ${
          gpt2
            ? [replayTable(numbers, ui), tokensTable(numbers, ui)]
            : [corpusBox(numbers, ui), wordsTable(numbers, ui), pairsTable(numbers, ui)]
        }
      </div>
    </div>`,
  });
};
