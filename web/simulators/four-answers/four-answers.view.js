/**
 * How it is drawn: what is given back as two curves and a table; who sees whom as maps; costs on a logarithmic plot; or what
 * was timed beside what was counted.
 */
import { html, nothing, svg } from 'lit';
import { choice, logSlider, number, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { linePlot, seriesMark } from '../../shared/line-plot.js';
import { logPlot } from '../../shared/log-plot.js';
import { measureButton } from '../../shared/measure-button.js';
import {
  formatBytes,
  formatCount as count,
  formatDecimalBytes,
  formatNumber,
  formatOperations,
  formatTime,
  formatWholePercent,
  many,
} from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { ROUNDS, timeOf } from '../../shared/timed-kernels.js';
import { paths } from './four-answers.layout.js';
import {
  ANSWERS,
  BINS,
  COSTS,
  FULL,
  GRID,
  LENGTHS,
  N,
  TIMED,
  WAYS,
  longestUnsaved,
  model,
  operationsAt,
  sayTime,
  share,
} from './four-answers.model.js';

const rows = indices(ANSWERS.length);
const tokens = (value) => many(value, msg('token'), msg('tokens'));
/** What a guess is about, and those that would give it away. */
const isHidden = (a, ui) => Boolean(ui?.answerHidden) && ANSWERS[a].tone === 'v';

const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: msg('Show'),
    options: [
      { value: 'recall', label: msg('what is given back') },
      { value: 'seen', label: msg('who sees whom') },
      { value: 'costs', label: msg('what it costs') },
      { value: 'timed', label: msg('timed here') },
    ],
  });

const stateChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'columns',
    value: state.columns,
    legend: msg('State'),
    options: ['8', '16', '32'].map((value) => ({ value, label: `${value} × 16` })),
  });

const quantityChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'quantity',
    value: state.quantity,
    legend: msg('Drawn'),
    options: [
      { value: 'kept', label: msg('bytes kept') },
      { value: 'work', label: msg('work') },
      { value: 'next', label: msg('next token') },
    ],
  });

const named = (a) =>
  html`<span class="answers-name"
    >${seriesMark(ANSWERS[a].mark, ANSWERS[a].tone)}${ANSWERS[a].name()}</span
  >`;

const size = (ui, { state }, path, label, name, max, min = 1) =>
  slider(ui, { path, value: state[path], label, name, min, max, step: 1, tone: 'q' });

const sightControls = (numbers, ui) =>
  html`${size(ui, numbers, 'window', msg('window'), msg('window in tokens'), N)}
  ${size(ui, numbers, 'sinks', msg('first'), msg('first tokens, seen besides'), 8, 0)}
  ${size(ui, numbers, 'block', msg('block'), msg('block, tokens of it'), 16)}
  ${size(ui, numbers, 'top_k', msg('blocks'), msg('blocks that are seen'), 16)}`;

/* ---- what is given back ---- */

const recallControls = (numbers, ui) =>
  html`${slider(ui, {
    path: 'pairs',
    value: numbers.state.pairs,
    label: msg('pairs'),
    name: msg('pairs in the text'),
    min: 1,
    max: 64,
    step: 1,
  })}
  ${sightControls(numbers, ui)}`;

const series = (numbers, ui, points) =>
  ANSWERS.map(({ tone, name }, a) => ({
    name: name(),
    tone,
    points: isHidden(a, ui) ? [] : points(numbers.recall[a]),
  }));

const curve = (numbers, ui) =>
  linePlot({
    title: msg('By number of pairs'),
    series: series(numbers, ui, ({ curve: shares }) => GRID.map((x, k) => ({ x, y: shares[k] }))),
    sayX: count,
    sayY: (value) => `${formatWholePercent(value)} %`,
    xName: msg('pairs in 64 tokens'),
    names: false,
    here: numbers.state.pairs,
  });

const distance = (numbers, ui) =>
  linePlot({
    title: msg('By distance to the question'),
    series: series(numbers, ui, ({ bins, bin_asked: asked }) =>
      indices(BINS)
        .filter((bin) => asked[bin] > 0)
        .map((bin) => ({ x: EIGHTS[bin], y: bins[bin] })),
    ),
    sayX: count,
    sayY: (value) => `${formatWholePercent(value)} %`,
    xName: msg('tokens before the end'),
    names: false,
  });
/** The middles of eight bins of eight tokens. */
const EIGHTS = [4, 12, 20, 28, 36, 44, 52, 60];

const recallTable = ({ recall }, ui) =>
  stepsTable({
    caption: msg('What each answer gives back, and what it keeps of the text'),
    rows,
    columns: [
      { head: msg('answer'), label: msg('answer'), cell: named },
      {
        head: msg('given back'),
        label: msg('given back'),
        cell: (a) =>
          isHidden(a, ui)
            ? withheld
            : html`<strong>${numberIn(recall[a].accuracy, share, ui)}</strong>`,
      },
      {
        head: msg('numbers kept'),
        label: msg('numbers kept'),
        cell: (a) => number(count(recall[a].kept)),
      },
    ],
  });

const recallBody = (numbers, ui) =>
  html`<div class="answers-controls">${recallControls(numbers, ui)}</div>
    <div class="answers-recall">
      ${curve(numbers, ui)} ${distance(numbers, ui)} ${recallTable(numbers, ui)}
    </div>
    <p class="answers-note">
      ${msg(
        'One trained layer each, the hybrid two. A token says a key and its value, or nothing; then each key is asked for. Guessing: 1 in 32.',
      )}
    </p>`;

/* ---- who sees whom ---- */

const map = ({ left }, label) =>
  html`<svg
    class="answers-map"
    viewBox="0 0 ${N} ${N}"
    role=${label ? 'img' : nothing}
    aria-label=${label ?? nothing}
    aria-hidden=${label ? nothing : 'true'}
    shape-rendering="crispEdges"
  >
    <path class="answers-past" d="M0 0L${N} ${N}H0z"></path>
    ${paths(left, N).map((d, step) => svg`<path class="answers-step-${step}" d=${d}></path>`)}
  </svg>`;

const answerChoice = ({ state, patterns }, ui) =>
  html`<div class="answers-tabs">
    ${choice(ui, {
      path: 'answer',
      value: state.answer,
      legend: msg('Answer'),
      options: ANSWERS.map(({ id, name }, a) => ({
        value: id,
        label: html`<span class="answers-tab">${map(patterns[a])}${name()}</span>`,
      })),
    })}
  </div>`;

/** Every eighth row in words: what the map shows to the eye. */
const spokenRows = ({ patterns, chosen }) =>
  html`<table class="spoken">
    <caption>
      ${msg('How many tokens a token sees')}
    </caption>
    <tbody>
      ${EVERY_EIGHTH.map(
        (i) =>
          html`<tr>
            <th scope="row">${ordinal(i)}</th>
            <td>${count(patterns[chosen].seen[i])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
const EVERY_EIGHTH = [7, 15, 23, 31, 39, 47, 55, 63];

function mapLabel({ chosen }) {
  const name = ANSWERS[chosen].name();
  return msg(str`Who sees whom: ${name}. Rows ask, columns are seen.`);
}

const sayKind = (a) => {
  if (ANSWERS[a].tone === 'v') return msg('in one state');
  return ANSWERS[a].id === 'hybrid' ? msg('both') : msg('whole');
};

const seenTable = ({ patterns, chosen }) =>
  stepsTable({
    caption: msg('What each answer sees of the text'),
    rows,
    current: chosen,
    columns: [
      { head: msg('answer'), label: msg('answer'), cell: named },
      {
        head: msg('pairs'),
        label: msg('pairs seen'),
        cell: (a) => number(count(patterns[a].pairs)),
      },
      {
        head: msg('last sees'),
        label: msg('last sees'),
        cell: (a) => number(count(patterns[a].ofLast)),
      },
      { head: msg('tokens are seen'), label: msg('tokens are seen'), cell: sayKind },
      {
        head: msg('left of the first'),
        label: msg('left of the first'),
        cell: (a) => number(share(patterns[a].first), patterns[a].first),
      },
    ],
  });

const seenBody = (numbers, ui) =>
  html`<div class="answers-controls">
      ${sightControls(numbers, ui)}
      ${slider(ui, {
        path: 'gate',
        value: numbers.state.gate,
        label: msg('gate'),
        name: msg('gate, what each token leaves'),
        min: 0.5,
        max: 1,
        step: 0.01,
        tone: 'v',
      })}
    </div>
    ${answerChoice(numbers, ui)}
    <div class="answers-seen">
      <div>${map(numbers.patterns[numbers.chosen], mapLabel(numbers))}${spokenRows(numbers)}</div>
      ${seenTable(numbers)}
    </div>
    <p class="answers-note">
      ${msg(
        'Rows ask, columns are seen: the darker, the more is left. Drawn queries and keys choose the blocks; of the hybrid, a full layer.',
      )}
    </p>`;

/* ---- what it costs ---- */

const SAID = { kept: formatDecimalBytes, work: formatOperations, next: formatOperations };
const SHORT = { 1000: '1k', 10000: '10k', 100000: '100k', 1000000: '1M' };
const STOPS = [
  1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000, 20000, 30000, 50000, 70000, 100000, 150000,
  200000, 300000, 500000, 700000, 1000000,
];
const SMALL = [128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];
const FEW = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

const lengthControl = ({ state }, ui) =>
  logSlider(ui, {
    path: 'n',
    value: state.n,
    label: msg('tokens'),
    name: msg('tokens of the text'),
    stops: STOPS,
    say: tokens,
  });

const farControls = ({ state }, ui) =>
  html`${logSlider(ui, {
    path: 'far_window',
    value: state.far_window,
    label: msg('window'),
    name: msg('window in tokens'),
    stops: SMALL,
    say: tokens,
  })}
  ${logSlider(ui, {
    path: 'far_blocks',
    value: state.far_blocks,
    label: msg('blocks of 64'),
    name: msg('blocks of 64 that are seen'),
    stops: FEW,
    say: (value) => many(value, msg('block'), msg('blocks')),
  })}`;

function costPlot({ state, costs }) {
  return logPlot({
    title: COSTS[state.quantity](),
    xs: [1000, 10000, 100000, 1000000],
    sayX: (n) => SHORT[n],
    xName: msg('tokens n'),
    sayY: SAID[state.quantity],
    base: 1000,
    names: false,
    here: { x: state.n },
    series: ANSWERS.map(({ name, tone, mark }, a) => ({
      name: name(),
      tone,
      mark,
      points: LENGTHS.map((x, k) => ({ x, y: costs.series[state.quantity][a][k] })),
    })),
  });
}

/** The name of a column above the little that it holds for. */
const headOf = (name, what) => html`${name}<br /><span class="answers-of">${what}</span>`;

const costTable = ({ costs, state }) =>
  stepsTable({
    caption: msg('What each answer costs at this length'),
    rows,
    columns: [
      { head: headOf(msg('answer'), `n = ${count(state.n)}`), label: msg('answer'), cell: named },
      {
        head: headOf(msg('work'), msg('of one layer')),
        label: msg('work of one layer'),
        cell: (a) => number(formatOperations(costs.here.work[a]), costs.here.work[a]),
      },
      {
        head: headOf(msg('next token'), msg('of one layer')),
        label: msg('next token, one layer'),
        cell: (a) => number(formatOperations(costs.here.next[a]), costs.here.next[a]),
      },
      {
        head: headOf(msg('kept'), msg('by 32 layers')),
        label: msg('kept by 32 layers'),
        cell: (a) =>
          html`<span
            >${number(formatDecimalBytes(costs.here.kept[a]), costs.here.kept[a])}
            <span class="answers-rest">= ${number(formatBytes(costs.here.kept[a]))}</span></span
          >`,
      },
      {
        head: headOf(msg('as a cache of'), msg('tokens')),
        label: msg('as a cache of so many tokens'),
        cell: (a) => number(formatNumber(costs.here.tokens[a], { decimals: 1, trim: true })),
      },
    ],
    current: state.n === costs.here.tokens[FULL] ? FULL : undefined,
  });

const costsBody = (numbers, ui) =>
  html`<div class="answers-controls">${lengthControl(numbers, ui)} ${farControls(numbers, ui)}</div>
    <div class="answers-costs">${costPlot(numbers)} ${costTable(numbers)}</div>
    <p class="answers-note">
      ${msg(
        'As large as Llama 3 8B, two bytes a number. Work: operations of one layer for the whole text. Next token: of one layer for one more. Kept: bytes of all 32 layers. Of the hybrid one layer in four is full, and its work is the mean of the four.',
      )}
    </p>`;

/* ---- timed on this machine ---- */

const TIMED_SHORT = { 1024: '1k', 2048: '2k', 4096: '4k', 8192: '8k' };
const [IN_TABLE, LONGEST] = [TIMED[1], TIMED.at(-1)];

const timedPlot = (title, sayY, base, points) =>
  logPlot({
    title,
    xs: TIMED,
    sayX: (n) => TIMED_SHORT[n],
    xName: msg('tokens n'),
    sayY,
    base,
    names: false,
    series: WAYS.map((way) => ({
      name: way.name(),
      tone: way.tone,
      mark: way.mark,
      points: points(way),
    })),
  });

const countedPlot = ({ work }) =>
  timedPlot(msg('Counted: operations of one head'), formatOperations, 10, ({ a }) =>
    TIMED.map((x, k) => ({ x, y: work[a][k] })),
  );

function measuredPlot(measured) {
  const points = (way) =>
    measured
      .filter((result) => result.way.id === way.id && result.ms > 0)
      .map(({ n, ms }) => ({ x: n, y: ms }));
  if (WAYS.every((way) => points(way).length === 0)) {
    return html`<p class="answers-untimed">${msg('Nothing is timed yet: press Measure.')}</p>`;
  }
  return timedPlot(msg('Measured here: time of one head'), formatTime, 10, points);
}

const timedTable = ({ work }, measured) =>
  stepsTable({
    caption: msg('What one head of each answer took on this machine'),
    rows: indices(WAYS.length),
    columns: [
      { head: msg('answer'), label: msg('answer'), cell: (w) => named(WAYS[w].a) },
      {
        head: headOf(msg('work'), `n = ${count(LONGEST)}`),
        label: operationsAt(LONGEST),
        cell: (w) => number(formatOperations(work[WAYS[w].a].at(-1))),
      },
      ...[IN_TABLE, LONGEST].map((n) => ({
        head: headOf(msg('time'), `n = ${count(n)}`),
        label: `n = ${count(n)}`,
        cell: (w) => {
          const result = timeOf(measured, n, WAYS[w]);
          return result?.ms === undefined
            ? html`<span class="answers-rest">${result ? sayTime(result) : '–'}</span>`
            : number(formatTime(result.ms));
        },
      })),
    ],
  });

/** Where a window or blocks see the whole text, so that the clock has nothing to show. */
const sayUnsaved = (numbers) =>
  ANSWERS.map(({ id, name }, a) => {
    if (id !== 'window' && id !== 'block_sparse') return nothing;
    const longest = longestUnsaved(numbers, a);
    if (longest === undefined) return nothing;
    const [answer, n] = [name(), count(longest)];
    return html` ${msg(str`Up to n = ${n} nothing is saved by: ${answer}.`)}`;
  });

function sayRounds() {
  const rounds = count(ROUNDS);
  return msg(
    str`Each time is the least of up to ${rounds} rounds, in which the answers take turns.`,
  );
}

const timedBody = (numbers, ui) => {
  const measured = ui?.measured ?? [];
  return html`<div class="answers-controls">
      ${farControls(numbers, ui)} ${measureButton(ui, { label: msg('Measure on this machine') })}
    </div>
    <div class="answers-recall">
      ${countedPlot(numbers)} ${measuredPlot(measured)} ${timedTable(numbers, measured)}
    </div>
    <p class="answers-note">
      ${msg(
        'One head of 64 columns, float32, one thread; the state space has 64 channels of 16 numbers. Choosing the blocks is timed too.',
      )}
      ${sayRounds()}${sayUnsaved(numbers)}
    </p>`;
};

const BODIES = { recall: recallBody, seen: seenBody, costs: costsBody, timed: timedBody };
const SECOND = { recall: stateChoice, costs: quantityChoice };

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    // The choice of the view stays the same element in all, so that it keeps the focus.
    body: html`<div class="main answers answers-view-${numbers.state.view}">
      <div class="answers-views">
        ${viewChoice(numbers, ui)} ${SECOND[numbers.state.view]?.(numbers, ui) ?? nothing}
      </div>
      ${BODIES[numbers.state.view](numbers, ui)}
    </div>`,
  });
