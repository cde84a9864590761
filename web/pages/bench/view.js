/** What the page shows of a run: buttons, progress, facts, the roofline and the table. */
import { html, nothing } from 'lit';
import { msg, str } from '../../shared/language.js';
import { cellsOf, resultsOf, toJSON, toTable, toText } from './report.js';
import { drawRoofline, markOf } from './roofline.js';
import { short } from './words.js';

/**
 * @typedef {object} State
 * @property {'idle' | 'running' | 'stopped' | 'done' | 'failed'} phase
 * @property {string} message
 * @property {number} count  Shapes of the run.
 * @property {import('./report.js').Measured} [measured]
 *
 * @typedef {object} Actions
 * @property {() => void} start
 * @property {() => void} stop
 * @property {(format: string, text: string) => void} copy
 */

const FORMATS = [
  [() => msg('text'), toText],
  [() => 'CSV', toTable],
  [() => 'JSON', toJSON],
];

/** One button in both phases: it keeps the focus when its word changes. */
function runButton({ phase, measured }, { start, stop }) {
  const again = measured ? msg('Run again') : msg('Run');
  const [word, act] = phase === 'running' ? [msg('Stop'), stop] : [again, start];
  return html`<button type="button" class="page-button page-button-main" @click=${act}>
    ${word}
  </button>`;
}

const copyButton = (format, write, { measured }, { copy }) =>
  html`<button type="button" class="page-button" @click=${() => copy(format, write(measured))}>
    ${msg(str`Copy as ${format}`)}
  </button>`;

const progress = ({ count, measured }) =>
  html`<progress
    class="bench-progress"
    aria-label=${msg('Shapes measured')}
    max=${count || 1}
    value=${measured.rows.length}
  ></progress>`;

const fact = (name, value) =>
  value
    ? html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`
    : nothing;

function limitsText(limits) {
  if (!limits) return undefined;
  const [computing, streaming] = [limits.multiply_add_gflops, limits.stream_gb_s].map(short);
  return msg(str`${computing} GFLOP/s of multiply-add, ${streaming} GB/s streamed from memory`);
}

function threadsText({ threads }) {
  return msg(str`${threads}, of which one is used`);
}

const facts = ({ about, limits, device }) =>
  html`<dl class="page-facts">
    ${fact(msg('Browser'), device.browser)} ${fact(msg('Logical processors'), threadsText(device))}
    ${fact(msg('Build that ran'), about.variant)} ${fact(msg('WebGPU adapter'), about.adapter)}
    ${fact(msg('Limits measured here'), limitsText(limits))}
  </dl>`;

const mark = (name, { about }) =>
  html`<svg class="bench-mark" viewBox="-9 -9 18 18" aria-hidden="true">
    <g class="point">${markOf(about.contestants.indexOf(name))(0, 0)}</g>
  </svg>`;

function figure(measured, width) {
  const { contestants } = measured.about;
  return html`<figure class="bench-figure">
    <figcaption>
      ${measured.limits ? `${msg('Lines: what this device allows.')} ` : ''}${msg('Marks: what was reached, filled where it was fastest:')}
      ${contestants.map(
        (name) => html`<span class="bench-key">${mark(name, measured)} ${name}</span> `,
      )}
    </figcaption>
    ${drawRoofline({ ...measured, contestants, width })}
  </figure>`;
}

function resultRow(result, measured) {
  const [name, ...cells] = cellsOf(result);
  return html`<tr>
    <th scope="row">${mark(name, measured)} ${name}</th>
    ${
      result.isTimed
        ? cells.map((cell) => html`<td>${cell}</td>`)
        : html`<td class="bench-reason" colspan="4">${cells[0]}</td>`
    }
  </tr>`;
}

const shapeRows = (results, measured) =>
  html`<tbody>
    <tr>
      <th scope="rowgroup" colspan="5">
        <span class="bench-number">${results[0].number}:</span> ${results[0].shape}
      </th>
    </tr>
    ${results.map((result) => resultRow(result, measured))}
  </tbody>`;

function table(measured) {
  const results = resultsOf(measured);
  return html`<div class="bench-scroll" tabindex="0" role="region" aria-labelledby="bench-caption">
    <table class="bench-table">
      <caption id="bench-caption">
        ${msg('Each shape: heads, tokens n, numbers d a head. Fastest of all samples.')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${msg('Ran on')}</th>
          <th scope="col">${msg('Time')}</th>
          <th scope="col">GFLOP/s</th>
          <th scope="col">${msg('Of its roof')}</th>
          <th scope="col">
            <span aria-hidden="true">× JS</span>
            <span class="spoken">${msg('Times as fast as JavaScript')}</span>
          </th>
        </tr>
      </thead>
      ${measured.rows.map((_, index) =>
        shapeRows(
          results.filter(({ number }) => number === index + 1),
          measured,
        ),
      )}
    </table>
  </div>`;
}

const explanation = () =>
  html`<p class="bench-note">
    ${msg('A FLOP is a multiplication or an addition: 4 × d of them for each pair of a query and a key that it may see, in each head. The roof is the lower of two limits that are measured in the same run: how fast one thread multiplies and adds, and how fast it streams what has to be read (“mem” where that one binds).')}
  </p>`;

/**
 * @param {State} state
 * @param {Actions} actions
 * @param {number} width  Of the roofline, in pixels.
 */
export function view(state, actions, width) {
  const { phase, message, measured } = state;
  const hasRows = measured?.rows.length > 0;
  const isRunning = phase === 'running';
  return html`<div class="bench-buttons">
      ${runButton(state, actions)}
      ${
        hasRows && !isRunning
          ? FORMATS.map(([name, write]) => copyButton(name(), write, state, actions))
          : nothing
      }
    </div>
    <p class="bench-status" role="status" data-phase=${phase}>${message}</p>
    ${isRunning ? progress(state) : nothing} ${measured ? facts(measured) : nothing}
    ${hasRows ? [figure(measured, width), table(measured)] : nothing} ${explanation()}`;
}
