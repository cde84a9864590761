/** How the tiles are drawn: the scores with a tile that moves over them, beside it what each row carries; or the costs. */
import { html, nothing } from 'lit';
import { choice, number, onOff, shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { heatMap } from '../../shared/heat.js';
import { msg, str } from '../../shared/language.js';
import { logPlot } from '../../shared/log-plot.js';
import { measureButton } from '../../shared/measure-button.js';
import {
  between,
  formatBytes,
  formatCount as count,
  formatExact,
  formatNumber,
  formatOperations,
  formatTime,
} from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { BUDGET_MS, sayProblem, timeOf } from '../../shared/timed-kernels.js';
import { transport } from '../../shared/transport.js';
import { working } from '../../shared/working.js';
import {
  LENGTHS,
  N,
  carried,
  keyName,
  kindName,
  listed,
  model,
  queryName,
  sayAhead,
  sayWhere,
  scoreName,
  told,
  isForced,
  saidWay,
  valueName,
} from './tiles.model.js';

const rows = indices(N);
const short = { decimals: 6, trim: true };
const plain = (value) => formatNumber(value, short);
const digits = (value) => formatNumber(value);
const trimmed = (value) => formatNumber(value, { trim: true });

const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: 'FlashAttention',
    options: [
      { value: 'steps', label: msg('step by step') },
      { value: 'timed', label: msg('against the naive way') },
    ],
  });

/* ---- tile by tile ------------------------------------------------------------------------------------ */

function inputs({ state }, ui) {
  const size = (path, label, name) =>
    slider(ui, { path, value: state[path], label, name, min: 1, max: N, step: 1 });
  return html`${size('tile_q', msg('queries'), msg('queries of a tile'))}
  ${size('tile_k', msg('keys'), msg('keys of a tile'))}
  ${onOff(ui, {
    path: 'causal',
    value: state.causal,
    legend: msg('Causal mask', { id: 'tilesCausal' }),
    usual: 'off',
  })}`;
}

/** The first and the last place of a list, the end behind it, as a frame wants them. */
const span = (list) => [list[0], ordinal(list.at(-1))];

function sayFramed({ state, steps }) {
  const held = number(count(steps.held_scores));
  const results = number(count(steps.held_results));
  return state.causal === 'on'
    ? msg(html`framed: in fast memory, ${held} scores and ${results} of m, ℓ, o; hatched: masked`)
    : msg(html`framed: in fast memory, ${held} scores and ${results} of m, ℓ, o`);
}

function scores(numbers, ui) {
  const { state, steps, now } = numbers;
  return html`<div class="tiles-scores">
    ${heatMap(ui, {
      label: msg('Scores of six queries over six keys, and the value of each key'),
      scores: state.S,
      rowNames: rows.map(queryName),
      columnNames: rows.map(keyName),
      cellAt: (i, j) => ({
        path: `S.${i}.${j}`,
        name: scoreName(i, j),
        masked: steps.allowed[i][j] === 0,
        now: Boolean(now) && !now.skipped && now.rows.includes(i) && now.keys.includes(j),
      }),
      frame: now && {
        rows: span(now.rows),
        columns: span(now.keys),
        kind: now.skipped ? 'skipped' : 'read',
      },
      foot: {
        name: 'v',
        values: state.V,
        cellAt: (j) => ({ path: `V.${j}`, name: valueName(j) }),
      },
    })}
    <p class="tiles-key">${sayFramed(numbers)}</p>
  </div>`;
}

const before = (value) =>
  html`<span class="tiles-before"
    >${number(plain(value))}<span aria-label=${msg('to')}> → </span></span
  >`;

/** A row's factor at the tile that was just passed, in words as well. */
function factor({ steps, now }, i) {
  if (!now?.rows.includes(i)) return html`<span class="tiles-rest">${msg('rests')}</span>`;
  const { b } = now;
  if (now.skipped) return html`<span class="tiles-rest">${msg('skipped')}</span>`;
  if (steps.rescaled[i][b] === 1) {
    const by = shown(steps.factors[i][b]);
    return html`<span class="tiles-rescaled"
      >${msg(html`<span class="tiles-word">rescaled</span> × ${by}`)}</span
    >`;
  }
  const one = number('1');
  return html`<span class="tiles-rest"
    >${
      steps.largest_before[i][b] === Number.NEGATIVE_INFINITY
        ? msg('first tile')
        : msg(html`stays × ${one}`)
    }</span
  >`;
}

function running(numbers, ui) {
  const { steps, now } = numbers;
  const row = rows.map((i) => carried(numbers, i));
  const columns = [
    {
      head: msg('row'),
      label: msg('row'),
      cell: (i) =>
        html`<span class="tiles-row ${now?.rows.includes(i) ? 'tiles-row-now' : ''}"
          >${queryName(i)}</span
        >`,
    },
    {
      head: msg('maximum m'),
      label: msg('maximum m'),
      tone: 's',
      cell: (i) =>
        now?.rows.includes(i)
          ? html`${before(steps.largest_before[i][now.b])}${number(plain(row[i].largest))}`
          : number(plain(row[i].largest)),
    },
    { head: msg('what was there'), label: msg('what was there'), cell: (i) => factor(numbers, i) },
    { head: msg('sum ℓ'), label: msg('sum ℓ'), cell: (i) => shown(row[i].sum) },
    { head: msg('output o'), label: msg('output o'), tone: 'v', cell: (i) => shown(row[i].output) },
    {
      head: 'o ÷ ℓ',
      label: 'o ÷ ℓ',
      tone: 'v',
      cell: (i) =>
        row[i].complete
          ? ui?.exact
            ? number(formatExact(steps.output[i]))
            : html`<strong>${shown(steps.output[i])}</strong>`
          : html`<span class="tiles-rest">${msg('not yet')}</span>`,
    },
  ];
  return stepsTable({ caption: msg('What each row carries'), columns, rows });
}

/** What one row does at the tile, number by number. */
function lines(numbers, ui) {
  const { state, steps, now } = numbers;
  const i = told(numbers);
  const { b, keys } = now;
  const name = queryName(i);
  const exactly = (value) => {
    const exact = formatExact(value);
    return ui?.exact ? `; ${msg(str`exactly ${exact}`)}` : '';
  };
  const seen = keys.filter((j) => steps.allowed[i][j] === 1);
  const first = steps.largest_before[i][b] === Number.NEGATIVE_INFINITY;
  const scale = digits(steps.factors[i][b]);
  const powers = seen.map((j) => trimmed(steps.exponentials[i][j]));
  const kept = (value) => (first ? [] : [`${scale}×${digits(value)}`]);
  const maximum = [
    msg(str`m of ${name}`),
    `max(${[steps.largest_before[i][b], ...seen.map((j) => state.S[i][j])].map(plain).join(between())}) = ${plain(steps.largest_after[i][b])}`,
  ];
  const rescale = [
    msg('factor'),
    first
      ? msg('nothing is there yet')
      : html`e<sup>${plain(steps.largest_before[i][b])} − ${plain(steps.largest_after[i][b])}</sup>
          = ${scale}${exactly(steps.factors[i][b])}`,
  ];
  const sum = [
    'ℓ',
    `${[...kept(steps.sums_before[i][b]), ...powers].join(' + ')} = ${digits(steps.sums_after[i][b])}${exactly(steps.sums_after[i][b])}`,
  ];
  const output = [
    'o',
    `${[
      ...kept(steps.outputs_before[i][b]),
      ...seen.map((j, k) => `${powers[k]}×${plain(state.V[j])}`),
    ].join(' + ')} = ${digits(steps.outputs_after[i][b])}${exactly(steps.outputs_after[i][b])}`,
  ];
  return [maximum, rescale, sum, output];
}

function arithmetic(numbers, ui) {
  const { steps, now } = numbers;
  if (!now)
    return working([['m, ℓ, o', msg('−∞, 0 and 0 in every row, until the first tile is read')]]);
  if (now.skipped) return working([[msg('skipped'), msg('nothing of this tile is read')]]);
  const i = told(numbers);
  if (steps.largest_after[i][now.b] === Number.NEGATIVE_INFINITY) {
    return working([[queryName(i), msg('sees no key of this tile')]]);
  }
  return working(lines(numbers, ui));
}

function nextLine({ next }, ui) {
  if (!next) return html`<p class="tiles-next">${msg('No tile is left.')}</p>`;
  const where = `${listed(next.rows.map(queryName))} × ${listed(next.keys.map(keyName))}`;
  const what = ui?.answerHidden ? withheld : sayAhead(next);
  return html`<p class="tiles-next">
    ${msg(html`<span class="tiles-when">Next:</span> ${where}, ${what}`)}
  </p>`;
}

const stepsBody = (numbers, ui) =>
  html`<div class="tiles-split">
      ${scores(numbers, ui)}
      <div class="tiles-running">${running(numbers, ui)} ${nextLine(numbers, ui)}</div>
    </div>
    ${transport(ui, { path: 'tile', value: numbers.done, last: numbers.total, what: msg('tile') })}
    ${arithmetic(numbers, ui)}`;

/* ---- counted, and timed here ------------------------------------------------------------------------- */

function timedInputs({ state }, ui) {
  return html`${slider(ui, {
    path: 'n_heads',
    value: state.n_heads,
    label: msg('heads'),
    name: msg('heads'),
    min: 1,
    max: 8,
    step: 1,
  })}
  ${choice(ui, {
    path: 'weights',
    value: state.weights,
    legend: msg('Ask for the weights'),
    options: [
      { value: 'no', label: msg('no') },
      { value: 'yes', label: msg('yes') },
    ],
  })}
  ${measureButton(ui, { label: msg('Measure on this machine') })}`;
}

const TONES = { naive: 's', fused: 'q' };

/** Times once there are some; before, the bytes that are counted. */
function plotOf({ state, costs, ways }, measured) {
  const timed = ways.map((way) => ({
    name: saidWay(state, way),
    tone: TONES[way.kind],
    points: measured
      .filter((result) => result.way.id === way.id && result.ms > 0)
      .map(({ n, ms }) => ({ x: n, y: ms })),
  }));
  const common = { xs: LENGTHS, sayX: (n) => String(n), xName: msg('tokens n') };
  if (timed.some(({ points }) => points.length > 0)) {
    return logPlot({
      ...common,
      title: msg('Measured here: time for all heads'),
      series: timed,
      sayY: formatTime,
    });
  }
  const bytes = (name, tone, field) => ({
    name,
    tone,
    points: costs.map((cost) => ({ x: cost.n, y: cost[field] })),
  });
  return logPlot({
    ...common,
    title: msg('Counted: bytes to and from slow memory'),
    series: [
      bytes(kindName('naive'), TONES.naive, 'naive_bytes'),
      bytes(kindName('fused'), TONES.fused, 'fused_bytes'),
    ],
    sayY: formatBytes,
    // So that ticks are whole MiB.
    base: 16,
  });
}

function timeCell(measured, n, way) {
  const result = timeOf(measured, n, way);
  if (result === undefined) return html`<span class="tiles-rest">–</span>`;
  if (result.ms === undefined)
    return html`<span class="tiles-rest">${sayProblem(result.problem)}</span>`;
  return number(formatTime(result.ms));
}

function costTable({ state, costs, ways }, measured) {
  const counted = (field, say) => (i) => number(say(costs[i][field]));
  return stepsTable({
    caption: msg('What attention costs at each length, and what it took on this machine'),
    columns: [
      { head: 'n', label: msg('tokens n'), cell: (i) => number(count(costs[i].n)) },
      {
        head: msg('operations'),
        label: msg('operations, either way'),
        cell: counted('product_flops', formatOperations),
      },
      { head: 'S', label: 'S', tone: 's', cell: counted('score_bytes', formatBytes) },
      {
        head: msg(html`naive<br />moves`),
        label: msg('naive moves'),
        cell: counted('naive_bytes', formatBytes),
      },
      {
        head: msg(html`fused<br />moves`),
        label: msg('fused moves'),
        cell: counted('fused_bytes', formatBytes),
      },
      ...ways.map((way) => ({
        head: html`${kindName(way.kind)}<br />${
            isForced(state, way)
              ? html`<span class="tiles-forced">${msg('→ naive')}</span><br />`
              : nothing
          }${way.name}`,
        label: saidWay(state, way),
        cell: (i) => timeCell(measured, costs[i].n, way),
      })),
    ],
    rows: indices(costs.length),
  });
}

const saySlowPath = () =>
  msg(
    html`<strong>Slow path:</strong> the weights are asked for, and the fused way never has them.
      Both columns run the naive way.`,
  );

function sayTooSlow() {
  const budget = formatTime(BUDGET_MS);
  return msg(str`Too slow: not begun, it would hold the page for more than ${budget}.`);
}

function sayAdapter(adapter) {
  const where = sayWhere(adapter);
  return msg(str`WebGPU ran on a ${where}.`);
}

function sayCounted([cost]) {
  const percent = number(formatNumber(cost.softmax_percent, { decimals: 1 }));
  return msg(
    html`Heads of 64 numbers of 4 bytes; operations of the two products, to which the softmax adds
    ${percent} %; fused in tiles of 128 × 64.`,
  );
}

/** What the short words in the table stand for, and what played the GPU; undefined when there is nothing to say. */
function remarks(measured) {
  const slow = measured.some(({ problem }) => problem === 'too slow');
  const message = measured.find((result) => result.message)?.message;
  const adapter = measured.find(({ way, ms }) => way.backend === 'webgpu' && ms)?.where;
  if (!slow && !adapter && !message) return undefined;
  return html`${slow ? html`${sayTooSlow()} ` : nothing}${
    adapter ? html`${sayAdapter(adapter)} ` : nothing
  }${message ? html`<span lang="en">${message}</span>` : nothing}`;
}

const timedBody = (numbers, ui) => {
  const measured = ui?.measured ?? [];
  const { state, costs } = numbers;
  return html`<div class="tiles-costs">
      ${plotOf(numbers, measured)} ${costTable(numbers, measured)}
    </div>
    <p class="tiles-note">
      ${
        state.weights === 'yes'
          ? html`${saySlowPath()} ${remarks(measured) ?? nothing}`
          : (remarks(measured) ?? sayCounted(costs))
      }
    </p>`;
};

export const view = (numbers, ui) => {
  const timed = numbers.state.view === 'timed';
  return frame({
    model,
    numbers,
    ui,
    // The choice of the view stays the same element in both, so that it keeps the focus.
    body: html`<div class="main tiles">
      <div class="tiles-inputs">
        ${viewChoice(numbers, ui)} ${timed ? timedInputs(numbers, ui) : inputs(numbers, ui)}
      </div>
      ${timed ? timedBody(numbers, ui) : stepsBody(numbers, ui)}
    </div>`,
  });
};
