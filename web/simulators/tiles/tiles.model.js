/**
 * Tiles and the running maximum (slide 33). Two views: attention of a small head tile by tile, with what each row
 * carries; and what the naive and the fused way cost, counted, and timed on this machine. State in, numbers out, by the
 * module `experiments`; what is timed are the module `kernels`, which comes when it is asked for.
 */
import { msg, str } from '../../shared/language.js';
import {
  formatBytes,
  formatCount as count,
  formatNumber,
  formatOperations,
  formatTime,
  many,
} from '../../shared/number.js';
import { flatOf, indices, ordinal, partOf, rowsOf } from '../../shared/pick.js';
import { hasWebGpu, timedAttention } from '../../shared/timed-attention.js';
import {
  backendsOf,
  sayProblem,
  timedRatio,
  timedTasks,
  timeOf,
} from '../../shared/timed-kernels.js';

export const N = 6;
export const LENGTHS = [256, 512, 1024, 2048, 4096, 8192];
const D = 64;
const MOST_TILES = 36;
/** Numbers of rows in words, which have the gender of rows in some languages. */
const words = () => [
  msg('none', { id: 'rowsNone' }),
  msg('one', { id: 'rowsOne' }),
  msg('two', { id: 'rowsTwo' }),
  msg('three'),
  msg('four'),
  msg('five'),
  msg('six'),
];
const RANGE = { min: -1000, max: 1000 };

export const queryName = (i) => `q${ordinal(i)}`;
export const keyName = (j) => `k${ordinal(j)}`;

export function scoreName(i, j) {
  const [query, key] = [i, j].map(ordinal);
  return msg(str`score of query ${query} and key ${key}`);
}

export function valueName(j) {
  const key = ordinal(j);
  return msg(str`value of key ${key}`);
}

const schema = {
  view: { kind: 'choice', options: ['steps', 'timed'], name: () => msg('The view') },
  S: {
    kind: 'matrix',
    rows: N,
    columns: N,
    ...RANGE,
    name: scoreName,
  },
  V: { kind: 'vector', length: N, ...RANGE, name: valueName },
  tile_q: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('queries of a tile') },
  tile_k: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('keys of a tile') },
  causal: { kind: 'choice', options: ['off', 'on'], name: () => msg('The causal mask') },
  tile: { kind: 'number', min: 0, max: MOST_TILES, integer: true, name: () => msg('tile') },
  n_heads: { kind: 'number', min: 1, max: 8, integer: true, name: () => msg('heads') },
  weights: { kind: 'choice', options: ['no', 'yes'], name: () => msg('Asking for the weights') },
};

const defaults = {
  view: 'steps',
  S: [
    [1, 0, 2, 1, 3, 0],
    [3, 1, 0, 2, 1, 2],
    [0, 1, -1, 3, 2, 0],
    [2, 1, 1, -2, 1, 4],
    [-1, 0, 2, 1, -2, 3],
    [1, -1, 0, 1, 0, 1],
  ],
  V: [1, 2, 3, 4, 5, 6],
  tile_q: 2,
  tile_k: 2,
  causal: 'off',
  tile: 2,
  n_heads: 1,
  weights: 'no',
};

const places = Int32Array.from(indices(N));
const identity = indices(N).map((i) => indices(N).map((j) => (i === j ? 1 : 0)));
const filled = (row) => indices(N).map(() => indices(N).map(row));

/** Each tile in the order in which it is passed: its block of queries a, its block of keys b. */
const inOrder = (steps) =>
  indices(steps.query_blocks).flatMap((a) =>
    indices(steps.key_blocks).map((b) => {
      const rows = [...partOf(places, steps.query_begin, a)];
      return {
        b,
        rows,
        keys: [...partOf(places, steps.key_begin, b)],
        skipped: steps.skipped[a][b] === 1,
        rescaled: rows.filter((i) => steps.rescaled[i][b] === 1),
      };
    }),
  );

/** Every step of the module's answer as rows: by query and by block of keys. */
function shaped(answer) {
  const { query_blocks, key_blocks } = answer;
  const byBlock = (flat) => rowsOf(flat, N, key_blocks);
  return {
    ...answer,
    allowed: rowsOf(answer.allowed, N, N),
    skipped: rowsOf(answer.skipped, query_blocks, key_blocks),
    exponentials: rowsOf(answer.exponentials, N, N),
    largest_before: byBlock(answer.largest_before),
    largest_after: byBlock(answer.largest_after),
    factors: byBlock(answer.factors),
    rescaled: byBlock(answer.rescaled),
    sums_before: byBlock(answer.sums_before),
    sums_after: byBlock(answer.sums_after),
    outputs_before: byBlock(answer.outputs_before),
    outputs_rescaled: byBlock(answer.outputs_rescaled),
    outputs_after: byBlock(answer.outputs_after),
    output: [...answer.output],
    whole: [...answer.whole],
  };
}

function walk(experiments, state) {
  const steps = shaped(
    experiments.onlineSoftmax({
      // Scores as they stand are those of queries over the identity.
      Q: flatOf(state.S),
      K: flatOf(identity),
      V: Float64Array.from(state.V),
      n_q: N,
      n_k: N,
      d_k: N,
      d_v: 1,
      divide: false,
      tile_q: state.tile_q,
      tile_k: state.tile_k,
      mask: { causal: state.causal === 'on' },
    }),
  );
  const tiles = inOrder(steps);
  const done = state.tile > tiles.length ? tiles.length : state.tile;
  const passed = tiles.slice(0, done);
  return {
    steps,
    tiles,
    done,
    total: tiles.length,
    now: passed.at(-1),
    next: tiles[done],
    /** The last block of keys that each row has passed; undefined before its first. */
    at: indices(N).map((i) => passed.findLast(({ rows }) => rows.includes(i))?.b),
    /** Rescalings so far. */
    rescaled: passed.flatMap(({ rescaled }) => rescaled).length,
    skipped: passed.filter(({ skipped }) => skipped).length,
  };
}

/** How a back end is called; of WebGPU it is not known before a run whether a GPU answers. */
const backendName = (backend) => (backend === 'webgpu' ? 'WebGPU' : backend);

/** A way of computing attention, in a word. */
export const kindName = (kind) => (kind === 'naive' ? msg('naive') : msg('fused'));

/**
 * The ways of the table and the plot: naive and fused, on the processor's quickest back end and on WebGPU where the page
 * may ask for it, else on each back end that this build has.
 */
export const waysOf = (backends, hasWebGpu) =>
  (hasWebGpu ? [...backends.slice(-1), 'webgpu'] : backends).flatMap((backend) =>
    ['naive', 'fused'].map((kind) => ({
      id: `${kind} ${backend}`,
      kind,
      naive: kind === 'naive',
      backend,
      name: backendName(backend),
      label: `${kindName(kind)}, ${backendName(backend)}`,
    })),
  );

function compute(experiments, state) {
  const sized = (n) => experiments.attentionCosts({ n, n_heads: state.n_heads, d: D });
  const walked = walk(experiments, state);
  return {
    // Larger tiles are fewer: the last of them stands for any that is no more.
    state: { ...state, tile: walked.done },
    ...walked,
    costs: LENGTHS.map((n) => ({ n, ...sized(n) })),
    entries: experiments.attentionCosts({ n: N, d: 1 }).entries,
    ways: waysOf(backendsOf(experiments), hasWebGpu()),
  };
}

const digits = (value) => formatNumber(value);

/** Names as a list in words: q1, q2 and q3. */
export function listed(names) {
  if (names.length < 2) return names.join('');
  const [others, last] = [names.slice(0, -1).join(', '), names.at(-1)];
  return msg(str`${others} and ${last}`);
}

const rescaledRows = ({ rescaled }) => listed(rescaled.map(queryName));

/** What will happen to the rows of a tile, after its name. */
export function sayAhead(tile) {
  if (tile.skipped) return msg('will be skipped');
  if (tile.rescaled.length === 0) return msg('will rescale no row');
  const names = rescaledRows(tile);
  return msg(str`will rescale ${names}`);
}

/** The same as a sentence of its own. */
function sayNext(tile) {
  if (tile.skipped) return msg('The next tile will be skipped.');
  if (tile.rescaled.length === 0) return msg('The next tile will rescale no row.');
  const names = rescaledRows(tile);
  return msg(str`The next tile will rescale ${names}.`);
}

/** What happened to the rows of the tile that was just passed. */
function sayNow({ steps, done, total, now, entries }) {
  const [tile, last] = [done, total].map(count);
  const [held, all] = [steps.held_scores, entries].map(count);
  if (now.skipped) {
    return msg(
      str`Tile ${tile} of ${last} was skipped: no key in it may be seen; fast memory never holds more than ${held} of the ${all} scores.`,
    );
  }
  if (now.rescaled.length === 0) {
    return msg(
      str`Tile ${tile} of ${last} rescaled no row; fast memory never holds more than ${held} of the ${all} scores.`,
    );
  }
  const names = rescaledRows(now);
  return msg(
    str`Tile ${tile} of ${last} rescaled ${names}; fast memory never holds more than ${held} of the ${all} scores.`,
  );
}

function sayTilesDone({ total, skipped }) {
  if (total === 1) return msg('The one tile done');
  const [all, without] = [total, skipped].map(count);
  return skipped > 0
    ? msg(str`All ${all} tiles done (${without} skipped)`)
    : msg(str`All ${all} tiles done`);
}

function saySteps(numbers) {
  const { steps, done, total, rescaled } = numbers;
  if (done === 0) return msg('No tile is read yet: every row carries m = −∞, ℓ = 0 and o = 0.');
  if (done < total) return sayNow(numbers);
  const same = steps.output.every((value, i) => digits(value) === digits(steps.whole[i]));
  const tiles = sayTilesDone(numbers);
  const times = many(rescaled, msg('rescaling'), msg('rescalings'));
  return same
    ? msg(
        str`${tiles}, ${times}: o ÷ ℓ equals the attention of each whole row to the last digit shown.`,
      )
    : msg(str`${tiles}, ${times}: o ÷ ℓ equals the attention of each whole row up to rounding.`);
}

/** What the sentence tells: a GPU's times, else the processor's; those of a processor that plays a GPU only alone. */
const toldTimes = ({ ways }, measured) =>
  ways
    .filter(({ naive }) => naive)
    .map(({ id, backend }) => {
      const fused = ways.find((way) => way.backend === backend && !way.naive);
      return timedRatio(measured, id, fused.id);
    })
    .filter((timed) => timed !== undefined)
    .reduce(
      (told, timed) => (told && timed.where === 'software adapter' ? told : timed),
      undefined,
    );

/** Where something was timed: a back end goes by its name. */
export const sayWhere = (where) => (where === 'software adapter' ? msg('software adapter') : where);

function sayTimed(numbers, measured = []) {
  const { costs, state } = numbers;
  const timed = toldTimes(numbers, measured);
  if (timed) {
    const [naive, fused] = [timed.one, timed.other].map(formatTime);
    const [n, where] = [count(timed.n), sayWhere(timed.where)];
    return state.weights === 'yes'
      ? msg(
          str`Asked for the weights, the fused way cannot run: the naive one did, ${naive} at n = ${n}.`,
        )
      : msg(
          str`At n = ${n} naive took ${naive}, fused ${fused} (${where}): the same operations, other bytes.`,
        );
  }
  if (state.weights === 'yes') {
    return msg('Asking for the weights forces the slow path: only the naive way has them to give.');
  }
  const last = costs.at(-1);
  const [n, operations] = [count(last.n), formatOperations(last.product_flops)];
  const [naive, fused] = [last.naive_bytes, last.fused_bytes].map(formatBytes);
  return msg(
    str`At n = ${n} both ways do ${operations} operations; the naive way moves ${naive}, the fused way ${fused}.`,
  );
}

const sentence = (numbers, measured) =>
  numbers.state.view === 'timed' ? sayTimed(numbers, measured) : saySteps(numbers);

const short = { decimals: 6, trim: true };

/** What a row carries now. */
export function carried({ steps, at }, i) {
  const b = at[i];
  if (b === undefined) return { largest: Number.NEGATIVE_INFINITY, sum: 0, output: 0 };
  return {
    largest: steps.largest_after[i][b],
    sum: steps.sums_after[i][b],
    output: steps.outputs_after[i][b],
    /** Whether no key is left: then the division has its turn. */
    complete: ordinal(b) === steps.key_blocks,
  };
}

function pictureOfSteps(numbers) {
  return {
    head: [msg('row'), 'm', 'ℓ', 'o', 'o ÷ ℓ', msg('softmax of the whole row')],
    rows: indices(N).map((i) => {
      const { largest, sum, output, complete } = carried(numbers, i);
      return [
        queryName(i),
        formatNumber(largest, short),
        digits(sum),
        digits(output),
        complete ? digits(numbers.steps.output[i]) : msg('not yet'),
        digits(numbers.steps.whole[i]),
      ];
    }),
  };
}

function rowsOfSteps({ state, steps, tiles, done }) {
  return [
    [
      'tile',
      'queries',
      'keys',
      'skipped',
      'row',
      'm_before',
      'm_after',
      'factor',
      'l_after',
      'o_after',
    ],
    ...tiles
      .slice(0, done)
      .flatMap(({ rows, keys, b, skipped }, t) =>
        rows.map((i) => [
          ordinal(t),
          listed(rows.map(queryName)),
          listed(keys.map(keyName)),
          skipped ? msg('yes') : msg('no'),
          queryName(i),
          steps.largest_before[i][b],
          steps.largest_after[i][b],
          steps.factors[i][b],
          steps.sums_after[i][b],
          steps.outputs_after[i][b],
        ]),
      ),
    ['row', ...indices(N).map((j) => `score_${ordinal(j)}`), 'output', 'whole_row'],
    ...indices(N).map((i) => [queryName(i), ...state.S[i], steps.output[i], steps.whole[i]]),
    ['v', ...state.V],
    ['largest_difference', steps.largest_difference],
  ];
}

const COSTS = [
  'product_flops',
  'naive_softmax_flops',
  'fused_softmax_flops',
  'entries',
  'score_bytes',
  'naive_bytes',
  'fused_bytes',
];

/** Whether a way gives its place to the naive one, because the weights are asked for. */
export const isForced = ({ weights }, way) => weights === 'yes' && !way.naive;

/** What a way is called where the naive one may have run in its place. */
export const saidWay = (state, { label, ...way }) =>
  isForced(state, way) ? msg(str`${label}: naive`) : label;

const pictureOfCosts = ({ state, costs, ways }, measured = []) => ({
  head: [
    'n',
    msg('operations'),
    'S',
    msg('naive moves'),
    msg('fused moves'),
    ...ways.map((way) => saidWay(state, way)),
  ],
  rows: costs.map((cost) => [
    count(cost.n),
    formatOperations(cost.product_flops),
    formatBytes(cost.score_bytes),
    formatBytes(cost.naive_bytes),
    formatBytes(cost.fused_bytes),
    ...ways.map((way) => {
      const result = timeOf(measured, cost.n, way);
      if (result === undefined) return msg('not timed');
      return result.ms === undefined ? sayProblem(result.problem) : formatTime(result.ms);
    }),
  ]),
});

const rowsOfCosts = ({ state, costs, ways }, measured = []) => [
  [
    'n',
    ...COSTS,
    ...ways.map((way) =>
      isForced(state, way)
        ? `${way.kind}_as_naive_${way.backend}_ms`
        : `${way.kind}_${way.backend}_ms`,
    ),
  ],
  ...costs.map((cost) => [
    cost.n,
    ...COSTS.map((name) => cost[name]),
    ...ways.map((way) => timeOf(measured, cost.n, way)?.ms ?? ''),
  ]),
];

export const model = {
  tag: 'attn-tiles',
  get title() {
    return msg('Tiles and the running maximum');
  },
  get summary() {
    return msg('Attention tile by tile: what is kept of a row, and when has it to be rescaled?');
  },
  module: 'experiments',
  // Of the costs every digit that matters is shown, and the table (CSV) has the others.
  wholeNumbers: ({ state }) => state.view === 'timed',
  schema,
  defaults,
  cases: [
    { id: 'slide', label: '2 × 2', state: {} },
    {
      id: 'rising',
      get label() {
        return msg('Rising');
      },
      state: { S: filled((j) => j), tile: 3 },
    },
    {
      id: 'falling',
      get label() {
        return msg('Largest first');
      },
      state: { S: filled((j) => [5, 4, 3, 2, 1, 0][j]), tile: 3 },
    },
    {
      id: 'causal',
      get label() {
        return msg('Causal');
      },
      state: { causal: 'on', tile: 2 },
    },
    {
      id: 'thousand',
      get label() {
        return msg('±1000');
      },
      state: { S: filled((j) => [-1000, 0, 1000, 1000, 0, -1000][j]), tile: 2 },
    },
    {
      id: 'one',
      get label() {
        return msg('All at once');
      },
      state: { tile_q: N, tile_k: N, tile: 1 },
    },
    {
      id: 'timed',
      get label() {
        return msg('Timed here');
      },
      state: { view: 'timed', n_heads: 8 },
    },
  ],
  play: ({ done, total }) => ({ path: 'tile', value: done, last: total }),
  measure: {
    fields: ['n_heads', 'weights'],
    plan: (_, { state, ways }) => ({
      tasks: timedTasks({ lengths: LENGTHS, ways }),
      ...timedAttention({
        n_heads: state.n_heads,
        d: D,
        weights: state.weights === 'yes',
      }),
    }),
  },
  predict: {
    get question() {
      return msg('How many rows of the next tile are rescaled?');
    },
    aboutNext: true,
    possible: ({ state, next }) => state.view === 'steps' && next !== undefined,
    options: ({ next }) => words().slice(0, ordinal(next.rows.length)),
    isRight: ({ next }, choice) => choice === next.rescaled.length,
    tell: ({ next }) => sayNext(next),
  },
  figures: ['S.512'],
  compute,
  sentence,
  picture: (numbers, measured) =>
    numbers.state.view === 'timed' ? pictureOfCosts(numbers, measured) : pictureOfSteps(numbers),
  rows: (numbers, measured) =>
    numbers.state.view === 'timed' ? rowsOfCosts(numbers, measured) : rowsOfSteps(numbers),
};

/** Rows of a tile whose factor is told first: those that are rescaled, else the first. */
export const told = ({ now }) => (now ? (now.rescaled[0] ?? now.rows[0]) : undefined);
