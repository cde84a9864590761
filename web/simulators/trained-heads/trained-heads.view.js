/** How it is drawn: one head's map, a row of it, and the pairs that grammar names, beside what luck gives. */
import { html } from 'lit';
import { bar } from '../../shared/bar.js';
import { choice, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatCount, formatExact } from '../../shared/number.js';
import { headMap, headSliders } from '../../shared/one-head.js';
import { stepsTable } from '../../shared/steps-table.js';
import { RELATIONS, model, shareText } from './trained-heads.model.js';

/** Keys of a row that are listed. */
const LISTED = 4;

const plain = (value) => number(shareText(value), value);
const exactly = (value, ui) => (ui?.exact ? number(formatExact(value)) : plain(value));

const controls = ({ state, pieces, model: { n_layers, n_heads } }, ui) =>
  html`<div class="reading-controls trained-controls">
    ${choice(ui, {
      path: 'relation',
      value: state.relation,
      legend: msg('Relation'),
      options: RELATIONS.map(({ id, name }) => ({ value: id, label: name })),
    })}
    ${headSliders({ state, n_layers, n_heads, pieces }, ui)}
  </div>`;

const answered = (ui, template) => (ui?.answerHidden ? withheld : template);
const weighed = (value, ui) =>
  html`<span class="weighed">${bar(value)}${exactly(value, ui)}</span>`;
const piece = (text) => html`<span lang="en">${text}</span>`;

/** The row of the chosen query, heaviest keys first: by weight, and by what arrives. */
function row({ state, pieces, order, weights, shares }, ui) {
  const query = pieces[state.row];
  return html`<div id="trained-row">
    ${stepsTable({
      caption: msg(str`What “${query}” attends to`),
      rows: order.slice(0, LISTED),
      columns: [
        {
          head: html`<span class="tone-q" lang="en">${query} →</span>`,
          label: msg('key'),
          cell: (j) => answered(ui, piece(pieces[j])),
        },
        {
          head: msg('weight'),
          label: msg('weight'),
          tone: 'w',
          cell: (j) => answered(ui, weighed(weights[j], ui)),
        },
        {
          head: msg('weight × |value|'),
          label: msg('weight × |value|'),
          tone: 'v',
          cell: (j) => answered(ui, weighed(shares[j], ui)),
        },
      ],
    })}
  </div>`;
}

/** The pairs that the relation names, and their mean in this head. */
const pairs = ({ pieces, pairs: named, relation, score }, ui) =>
  stepsTable({
    caption: relation.what,
    rows: named,
    columns: [
      {
        head: relation.name,
        label: msg('pair'),
        cell: ({ query, key }) =>
          html`<span>${piece(pieces[query])} → ${piece(pieces[key])}</span>`,
        foot: msg('mean of this head'),
      },
      {
        head: msg('weight'),
        label: msg('weight'),
        tone: 'w',
        cell: ({ weight }) => answered(ui, weighed(weight, ui)),
        foot: answered(ui, html`<strong>${exactly(score, ui)}</strong>`),
      },
    ],
  });

function luckOf({ heads, bestPlace, best, luck, luckMean, aboveCount }, ui) {
  const [layer, head] = bestPlace;
  const count = formatCount(heads);
  const [most, by, mean] = [best, luck, luckMean].map((value) => exactly(value, ui));
  return html`<p class="trained-luck">
    ${msg(
      html`Best of ${count} heads: ${layer}·${head} with ${most}. Keys shuffled a hundred times, the
      best of all heads reaches ${by}, on average ${mean}; heads above that: ${aboveCount}.`,
    )}
  </p>`;
}

export const view = (numbers, ui) => {
  const { name } = numbers.model;
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main reading">
      ${controls(numbers, ui)}
      <div class="trained-split">
        ${headMap(
          {
            pieces: numbers.pieces,
            row: numbers.state.row,
            key: numbers.order[0],
            values: numbers.map.weights,
            describedBy: 'trained-row',
          },
          ui,
        )}
        <div class="trained-tables">
          ${row(numbers, ui)}
          <p class="trained-source">${msg(str`Measured in ${name}, Q4_1, as recorded.`)}</p>
          <div class="trained-pairs">${pairs(numbers, ui)} ${luckOf(numbers, ui)}</div>
        </div>
      </div>
    </div>`,
  });
};
