/** How it is drawn: the sentence and the head, what is set, the map, and the arithmetic of the cell that is looked at. */
import { html, nothing } from 'lit';
import { cell, choice, logSlider, logStops, shown, slider } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatExact, formatNumber, formatPercent, many } from '../../shared/number.js';
import { columnsOf, entryOf, indices, ordinal } from '../../shared/pick.js';
import { textField } from '../../shared/text-field.js';
import {
  mapKey,
  mapPicture,
  mapTable,
  printedWeight,
  reachOf,
  shadeOf,
} from '../../shared/weight-map.js';
import { working } from '../../shared/working.js';
import { HEADS, PRINTED, WIDEST, cellOf, model, toldKeys } from './matrix.model.js';

const STOPS = logStops(1, WIDEST, 1);
const two = { decimals: 2 };
const count = (value) => formatNumber(value, { decimals: 0 });

/* ---- what is set ---- */

const top = ({ state }, ui) =>
  html`<div class="whole-top">
    ${textField(ui, { path: 'text', value: state.text, label: msg('sentence') })}
    ${choice(ui, {
      path: 'head',
      value: state.head,
      legend: msg('Head'),
      options: HEADS.map(({ id, label }) => ({ value: id, label })),
    })}
  </div>`;

const yesNo = (values) => values.map(([value, label]) => ({ value, label }));

function controls({ state, n }, ui) {
  const reaching = (path, label, name, max, none, some) =>
    slider(ui, {
      path,
      value: state[path],
      label,
      name,
      min: 0,
      max,
      step: 1,
      valueText: state[path] === 0 ? none : some(count(state[path])),
    });
  return html`<div class="controls whole-controls">
    ${logSlider(ui, {
      path: 'd_k',
      value: state.d_k,
      label: html`d<sub>k</sub>`,
      name: 'd_k',
      stops: STOPS,
      say: (d_k) => {
        const components = count(d_k);
        return msg(str`${components} components`);
      },
    })}
    ${choice(ui, {
      path: 'divide',
      value: state.divide,
      legend: msg(html`divide by √d<sub>k</sub>`),
      options: yesNo([
        ['yes', msg('yes')],
        ['no', msg('no')],
      ]),
    })}
    ${slider(ui, {
      path: 'seed',
      value: state.seed,
      label: msg('seed'),
      name: msg('seed'),
      min: 1,
      max: 50,
      step: 1,
    })}
    ${choice(ui, {
      path: 'causal',
      value: state.causal,
      legend: msg('causal mask'),
      options: yesNo([
        ['off', msg('off')],
        ['on', msg('on')],
      ]),
    })}
    ${reaching('window', msg('window'), msg('window'), 16, msg('no window'), (size) => msg(str`a window of ${size} tokens`))}
    ${reaching('pads', msg('padding'), msg('padding'), 16, msg('no padding'), (pads) => msg(str`${pads} tokens of padding, masked`))}
    ${reaching('document', msg('first text'), msg('first text, in tokens'), n, msg('one document'), (first) => msg(str`a second document after ${first} tokens`))}
    ${choice(ui, {
      path: 'show',
      value: state.show,
      legend: msg('show'),
      options: yesNo([
        ['weights', msg('weights')],
        ['scores', msg('scaled scores', { id: 'matrixScaled' })],
      ]),
    })}
    <p class="whole-about">${HEADS.find(({ id }) => id === state.head).about}</p>
  </div>`;
}

/* ---- the map ---- */

function maskedBy(hiddenBy) {
  const masks = hiddenBy.join(', ');
  return msg(str`masked: ${masks}`);
}

const lookedAt = ({ state }, ui) => ui?.pointed ?? [state.row, state.column];

const choosing = (ui) => ({
  point: (at) => ui.point(at),
  choose: (i, j) => {
    ui.move(['row', 'column'], [i, j]);
    ui.moved();
  },
});

/** What the map shows: weights, or what goes into the softmax, also while the weights wait for a guess. */
const showsScores = ({ state }, ui) => state.show === 'scores' || Boolean(ui?.answerHidden);

function printed(numbers, ui) {
  const { map, tokens, n, state } = numbers;
  const scores = showsScores(numbers, ui);
  const values = scores ? map.scaled : map.weights;
  const reach = scores ? reachOf(values) : undefined;
  const typed = state.head === 'typed';
  const number = (value) =>
    scores
      ? shown(value, { decimals: 1 })
      : html`<span class="num" data-num title=${String(value)}>${printedWeight(value)}</span>`;
  return mapTable({
    label: scores
      ? msg('Scaled scores: queries down, keys across')
      : msg('Weights: queries down, keys across'),
    names: tokens,
    at: [state.row, state.column],
    pointed: lookedAt(numbers, ui),
    on: ui && choosing(ui),
    holdsFields: typed,
    sums: scores ? undefined : map.weight_sums,
    cell: (i, j) => {
      const { hiddenBy } = cellOf(numbers, i, j);
      const masked = hiddenBy.length > 0;
      const value = entryOf(values, n, i, j);
      const text = masked
        ? html`<span class="num" aria-hidden="true">${scores ? '−∞' : '0'}</span>`
        : number(value);
      return {
        text: typed
          ? html`${cell(ui, {
                path: `scores.${i}.${j}`,
                value: state.scores[i][j],
                label: msg(str`score, query ${tokens[i]}, key ${tokens[j]}`),
                step: 1,
              })}<span class="map-below-field">${text}</span>`
          : text,
        shade: shadeOf(value, reach),
        masked,
        said: masked ? maskedBy(hiddenBy) : '',
      };
    },
  });
}

/** The chosen cell: whose it is, and its weight, or the masks that hide it. */
function cellInWords(numbers) {
  const { row, column } = numbers.state;
  const it = cellOf(numbers, row, column);
  const query = html`<span lang="en">${it.query}</span> ${count(ordinal(row))}`;
  const key = html`<span lang="en">${it.key}</span> ${count(ordinal(column))}`;
  const masks = it.hiddenBy.join(', ');
  const weight = printedWeight(it.weight);
  return masks === ''
    ? msg(html`${query} asks ${key}: weight ${weight}`)
    : msg(html`${query} asks ${key}: masked: ${masks}`);
}

function drawn(numbers, ui) {
  const { map, n, state } = numbers;
  const scores = showsScores(numbers, ui);
  const values = scores ? map.scaled : map.weights;
  const queries = count(n);
  return mapPicture({
    label: scores
      ? msg(
          str`Scaled scores of ${queries} queries and as many keys; arrow keys move from cell to cell`,
        )
      : msg(str`Weights of ${queries} queries and as many keys; arrow keys move from cell to cell`),
    n,
    at: [state.row, state.column],
    pointed: lookedAt(numbers, ui),
    values,
    hidden: map.hidden_by,
    reach: scores ? reachOf(values) : undefined,
    spoken: cellInWords(numbers),
    describedBy: 'whole-row',
    on: ui && choosing(ui),
  });
}

const mapSide = (numbers, ui) =>
  html`<div class="whole-map">
    ${numbers.n > PRINTED ? drawn(numbers, ui) : printed(numbers, ui)}
    ${mapKey(showsScores(numbers, ui))}
  </div>`;

/* ---- one cell, worked out ---- */

function scoreLine({ queryParts, keyParts, score }, { state }, show) {
  const shownScore = show(score);
  if (state.head === 'typed') return msg(str`typed: ${shownScore}`);
  const number = (value) => formatNumber(value, two);
  const products = indices(queryParts.length)
    .slice(0, 1)
    .map((c) => `${number(queryParts[c])} × ${number(keyParts[c])}`);
  const more = state.d_k > products.length ? ' + …' : '';
  return `${products.join(' + ')}${more} = ${shownScore}`;
}

function lines(numbers, ui) {
  const { state } = numbers;
  const it = cellOf(numbers, ...lookedAt(numbers, ui));
  const show = ui?.exact ? formatExact : (value) => formatNumber(value, two);
  const scaled = show(it.scaled);
  const divided =
    state.divide === 'yes'
      ? `${show(it.score)} ÷ √${count(state.d_k)} = ${scaled}`
      : msg(str`not divided: ${scaled}`);
  const known = [
    [msg('① score'), scoreLine(it, numbers, show)],
    [msg('② scaled'), divided],
  ];
  const masked = it.hiddenBy.length > 0;
  if (masked) {
    const masks = it.hiddenBy.join(', ');
    known.push([msg('mask'), msg(str`${masks}: becomes −∞`)]);
  }
  if (ui?.answerHidden) return known;
  const sum = show(it.sum);
  const keys = many(it.seen, msg('key'), msg('keys'));
  const lost = formatPercent(it.hiddenWeight);
  const whole = formatNumber(it.weightSum, { trim: true });
  const exponent = it.shift === 0 ? show(it.scaled) : `${show(it.scaled)} − ${show(it.shift)}`;
  const power = masked ? html`e<sup>−∞</sup>` : html`e<sup>${exponent}</sup>`;
  const weight = ui?.exact ? formatExact(it.weight) : formatNumber(it.weight);
  return [
    ...known,
    [msg('③ exponential'), html`${power} = ${show(it.exponential)}`],
    [msg('③ sum'), msg(str`${sum} over ${keys}`)],
    [
      msg('③ weight'),
      it.seen === 0
        ? msg('0: the row sees nothing')
        : html`${show(it.exponential)} ÷ ${sum} =
            <strong class="num tone-w" data-num>${weight}</strong>`,
    ],
    ...(it.hiddenWeight > 0 ? [[msg('masked keys'), msg(str`${lost} without the mask`)]] : []),
    [
      msg(html`④ output<sub>1</sub>`),
      html`${weight} × ${formatNumber(it.value[0], { decimals: 1 })} ${it.seen > 1 ? '+ … ' : ''}=
        <strong class="num" data-num>${show(it.output[0])}</strong>`,
    ],
    // A small map has a column of sums.
    ...(numbers.n > PRINTED
      ? [[msg('row'), msg(html`sums to <span class="num" data-num>${whole}</span>`)]]
      : []),
  ];
}

function workedOut(numbers, ui) {
  const { tokens } = numbers;
  const [i, j] = lookedAt(numbers, ui);
  const named = (index) =>
    html`“<span lang="en">${tokens[index]}</span>”
      <span class="place">${count(ordinal(index))}</span>`;
  return html`<div class="whole-cell">
    <div class="whole-pair">
      ${msg(html`<span class="tone-q">${named(i)}</span> asks <span class="tone-k">${named(j)}</span>`)}
    </div>
    ${working(lines(numbers, ui))} ${rowTable(numbers, ui)}
  </div>`;
}

/** What a table of the row is called: all its keys, or the heaviest where nobody would hear them all to the end. */
function caption({ tokens, map, n }, i, keys) {
  const word = html`<span lang="en">${tokens[i]}</span>`;
  if (keys.length === n) return msg(html`“${word}” takes from each key`);
  const [seen, rows] = [map.seen[i], n].map(count);
  return msg(
    html`Heaviest of ${seen} keys of “${word}”<span class="spoken"
        >: a summary of one row; the map has ${rows} rows, and the arrow keys choose another</span
      >`,
  );
}

/** The row that is looked at: its weights, the values that they weigh, and what leaves it. */
function rowTable(numbers, ui) {
  const { tokens, map, n } = numbers;
  const [i, at] = lookedAt(numbers, ui);
  if (ui?.answerHidden) return html`<p id="whole-row">${msg('The weights wait for a guess.')}</p>`;
  const keys = toldKeys(numbers, i);
  const d_v = columnsOf(map.values, n);
  const weight = (j) => {
    const known = entryOf(map.weights, n, i, j);
    return html`<span class="num" data-num title=${String(known)}>${printedWeight(known)}</span>`;
  };
  return html`<table class="whole-row ${keys.length === n ? 'whole-all' : ''}" id="whole-row">
    <caption>
      ${caption(numbers, i, keys)}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${keys.map(
          (j) =>
            html`<th scope="col" class="tone-k ${j === at ? 'map-lit' : ''}">
              <span class="map-name" lang="en" title=${tokens[j]}>${tokens[j]}</span>${
                keys.length === n ? nothing : html`<span class="place">${count(ordinal(j))}</span>`
              }
            </th>`,
        )}
        <th scope="col">${msg('output')}</th>
      </tr>
    </thead>
    <tbody>
      <tr class="tone-w">
        <th scope="row">${msg('weight')}</th>
        ${keys.map((j) => html`<td>${weight(j)}</td>`)}
        <td></td>
      </tr>
      ${indices(d_v).map(
        (c) =>
          html`<tr>
            <th scope="row" class="tone-v">v<sub>${count(ordinal(c))}</sub></th>
            ${keys.map(
              (j) =>
                html`<td class="tone-v">
                  ${shown(entryOf(map.values, d_v, j, c), { decimals: 1 })}
                </td>`,
            )}
            <td class="whole-output">${shown(entryOf(map.outputs, d_v, i, c), two)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main whole ${ui?.exact ? 'whole-exact' : ''}">
      ${top(numbers, ui)}
      <div class="whole-split">
        ${controls(numbers, ui)} ${mapSide(numbers, ui)} ${workedOut(numbers, ui)}
      </div>
    </div>`,
  });
