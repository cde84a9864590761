/** How it is drawn: all heads as small maps, the chosen one enlarged, one row of it in order, and what the layers have in common. */
import { html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import { bar } from '../../shared/bar.js';
import { choice, number, select, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatCount, formatExact } from '../../shared/number.js';
import { headMap, headSliders } from '../../shared/one-head.js';
import { paintMaps } from '../../shared/paint-maps.js';
import { indices, placeOf } from '../../shared/pick.js';
import { shadeOf } from '../../shared/weight-map.js';
import { HIGH, bars, headAfter, heightOf, numberOf, widthOf } from './real-model.layout.js';
import { PATTERNS, TEXTS, model, quoted, shareText } from './real-model.model.js';

/** Keys of a row that are listed: as many as the recap has, where a slide is not all the room there is. */
const LISTED = { slide: 3, live: 4 };

/** In a sentence there is no room for every digit. */
const plain = (value) => number(shareText(value), value);
const exactly = (value, ui) => (ui?.exact ? number(formatExact(value)) : plain(value));

/* ---- what is set ---- */

const textNames = () => ({
  fox: msg('Fox and dog', { id: 'text-fox' }),
  names: msg('Names twice', { id: 'text-names' }),
  small: msg('Too small', { id: 'text-small' }),
  large: msg('Too large', { id: 'text-large' }),
});

/** A map, and what it shows. */
const modes = ({ state }, ui) =>
  html`<div class="reading-modes">
    ${choice(ui, {
      path: 'of',
      value: state.of,
      legend: msg('Map'),
      options: [
        { value: 'head', label: msg('head') },
        { value: 'mean', label: msg('mean of layer') },
      ],
    })}
    ${choice(ui, {
      path: 'show',
      value: state.show,
      legend: msg('Shows'),
      options: [
        { value: 'weight', label: msg('weight') },
        { value: 'share', label: msg('weight × |value|') },
      ],
    })}
  </div>`;

const controls = ({ state, live, n_layers, n_heads, pieces }, ui) =>
  html`<div class="reading-controls">
    ${
      live
        ? nothing
        : select(ui, {
            path: 'text',
            value: state.text,
            label: msg('Text'),
            options: TEXTS.map((value) => ({ value, label: textNames()[value] })),
          })
    }
    ${headSliders({ state, n_layers, n_heads, pieces }, ui)} ${modes({ state }, ui)}
  </div>`;

/* ---- all heads ---- */

const choosesHead = (ui, to) => {
  ui.move(['layer', 'head'], [to.layer, to.head]);
  ui.moved();
};

function keyOnHeads(event, ui, { state, n_layers, n_heads }) {
  const grid = event.currentTarget.closest('.head-grid');
  const across = getComputedStyle(grid).flexDirection === 'row';
  const to = headAfter(event.key, { ...state, n_layers, n_heads, across });
  if (!to) return;
  event.preventDefault();
  choosesHead(ui, to);
  grid.querySelector(`[data-head="${to.layer}.${to.head}"]`).focus();
}

/** All small maps, painted once for a reading: layers across, as they stand where there is room, and layers down. */
const painting = ({ reading, n, n_layers, n_heads }) => {
  const whole = reading.weights instanceof Uint8Array ? 255 : 1;
  const what = { n, values: reading.weights, whole };
  const layerAndHead = (map) => placeOf(map, n_heads);
  const across = { columns: n_layers, rows: n_heads, place: layerAndHead };
  const down = {
    columns: n_heads,
    rows: n_layers,
    place: (map) => layerAndHead(map).reverse(),
  };
  const canvas = (name, order) =>
    html`<canvas
      class="head-maps ${name}"
      aria-hidden="true"
      ${ref((element) => element && paintMaps(element, { ...what, ...order }))}
    ></canvas>`;
  return [canvas('head-maps-across', across), canvas('head-maps-down', down)];
};

function grid(numbers, ui) {
  const { state, n_layers, n_heads, scores, above, reading } = numbers;
  const one = (layer, head) => {
    const at = numberOf(layer, head, n_heads);
    const isAt = layer === state.layer && (head === state.head || state.of === 'mean');
    const here = layer === state.layer && head === state.head;
    const score = shareText(scores[at]);
    const name = msg(str`layer ${layer}, head ${head}: ${score}`);
    const classes = [
      'head',
      isAt ? 'head-at' : '',
      above[at] === 1 ? 'head-above' : '',
      ui?.answerHidden && here ? 'head-hidden' : '',
    ];
    return html`<div
      role="gridcell"
      class=${classes.join(' ')}
      data-head="${layer}.${head}"
      aria-label=${name}
      title=${name}
      aria-selected=${String(here)}
      tabindex=${ui ? (here ? '0' : '-1') : nothing}
      @click=${ui ? () => choosesHead(ui, { layer, head }) : nothing}
      @keydown=${ui ? (event) => keyOnHeads(event, ui, numbers) : nothing}
    >
      ${ui ? nothing : html`<span class="head-map ${shadeOf(scores[at])}"></span>`}
    </div>`;
  };
  return html`<div
    class="head-grid scroll"
    role="grid"
    aria-label=${msg('All heads: layers, and the heads of each, counted from 0')}
  >
    <div class="head-layer head-names" aria-hidden="true">
      <span class="head-corner"></span>
      ${indices(n_heads).map((head) => html`<span class="head-name">${head}</span>`)}
    </div>
    <div class="head-layers" role="rowgroup">
      ${ui ? guard([reading], () => painting(numbers)) : nothing}
      ${indices(n_layers).map(
        (layer) =>
          html`<div
            class="head-layer"
            role="row"
            aria-label=${msg(str`layer ${layer}`)}
            aria-current=${layer === state.layer ? 'true' : nothing}
          >
            <span class="head-name" aria-hidden="true">${layer}</span>
            ${indices(n_heads).map((head) => one(layer, head))}
          </div>`,
      )}
    </div>
  </div>`;
}

/* ---- heads by pattern ---- */

function search({ state, rows, best, shuffledBest, aboveCount, heads }, ui) {
  const luck = plain(shuffledBest);
  const count = formatCount(heads);
  return html`<div class="head-search">
    ${select(ui, {
      path: 'pattern',
      value: state.pattern,
      label: msg('Search'),
      options: PATTERNS.map(({ id, name }) => ({ value: id, label: name })),
    })}
    ${
      ui?.answerHidden
        ? nothing
        : rows === 0
          ? html`<p class="head-luck">${msg('No token of this text comes twice.')}</p>`
          : html`<ul class="head-best">
                ${best.map(({ layer, head, score }) => {
                  const name = msg(str`${layer}·${head}: layer ${layer}, head ${head}`);
                  return html`<li>
                    <button
                      type="button"
                      class="quiet"
                      ?disabled=${!ui}
                      aria-label=${name}
                      @click=${ui ? () => choosesHead(ui, { layer, head }) : nothing}
                    >
                      ${layer}·${head}</button
                    >&nbsp;${exactly(score, ui)}
                  </li>`;
                })}
              </ul>
              <p class="head-luck">
                ${msg(
                  html`luck <strong>${luck}</strong> · <span class="head-above-key"></span> above:
                    ${aboveCount} of ${count}`,
                )}
              </p>`
    }
  </div>`;
}

/* ---- the first token, layer by layer ---- */

function layers({ state, n_layers, first }, ui) {
  const share = plain(first.mean);
  const equal = plain(first.equal_share);
  const width = widthOf(n_layers);
  return html`<div class="first-share">
    <svg
      class="first-plot"
      viewBox="0 0 ${width} ${HIGH}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="first-frame" d="M0 ${HIGH}H${width}"></path>
      ${bars(first.by_layer).map(
        ({ x, y, width: wide, height }, layer) =>
          svg`<rect class="first-bar ${layer === state.layer ? 'first-here' : ''}" x=${x} y=${y} width=${wide} height=${height}></rect>`,
      )}
      <path
        class="first-equal"
        d="M0 ${heightOf(first.equal_share)}H${width}"
        vector-effect="non-scaling-stroke"
      ></path>
    </svg>
    <div class="first-words">
      <p>
        ${msg(
          html`Weight on the first token: <strong>${share}</strong>; shared equally (dashed)
            <strong>${equal}</strong>`,
        )}
      </p>
      ${slider(ui, {
        path: 'first_row',
        value: state.first_row,
        label: msg('from row'),
        name: msg('from row, counted from 0'),
        min: 0,
        max: 16,
        step: 1,
      })}
    </div>
  </div>`;
}

/* ---- the chosen one ---- */

function row({ state, live, row: { weights, shares, order }, pieces }, ui) {
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const weighed = (value) => html`<span class="weighed">${bar(value)}${exactly(value, ui)}</span>`;
  const query = quoted(pieces, state.row);
  return html`<div class="reading-row" id="reading-row">
    <table class="row-table">
      <caption class="spoken">
        ${msg(html`What <span lang="en">${query}</span> attends to`)}
      </caption>
      <thead>
        <tr>
          <th scope="col" class="row-query" lang="en">${pieces[state.row]} →</th>
          <th scope="col" class="tone-w">${msg('weight')}</th>
          <th scope="col" class="tone-v">${msg('weight × |value|')}</th>
        </tr>
      </thead>
      <tbody>
        ${order.slice(0, live ? LISTED.live : LISTED.slide).map(
          (j) =>
            html`<tr>
              <th scope="row" lang="en">${answer(pieces[j])}</th>
              <td class="tone-w">${answer(weighed(weights[j]))}</td>
              <td class="tone-v">${answer(weighed(shares[j]))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main reading">
      ${controls(numbers, ui)}
      <div class="reading-split">
        <div class="reading-all">
          ${grid(numbers, ui)} ${layers(numbers, ui)} ${search(numbers, ui)}
        </div>
        <div class="reading-one">
          ${headMap(
            {
              pieces: numbers.pieces,
              row: numbers.state.row,
              key: numbers.row.order[0],
              values: numbers.state.show === 'share' ? numbers.map.shares : numbers.map.weights,
              describedBy: 'reading-row',
            },
            ui,
          )}
          ${row(numbers, ui)}
        </div>
      </div>
    </div>`,
  });
