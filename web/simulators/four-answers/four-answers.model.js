/**
 * The answers to n² side by side: how many pairs of a text each gives back, who sees whom, and what it costs in a whole
 * model. State in, numbers out, by the module `answers`; what is timed is the module `kernels`, which comes when it is asked
 * for.
 */
import { msg, str } from '../../shared/language.js';
import { lastOf } from '../../shared/last-of.js';
import {
  formatBytes,
  formatCount as count,
  formatDecimalBytes,
  formatNumber,
  formatOperations,
  formatPercent,
  formatTime,
  many,
} from '../../shared/number.js';
import { entryOf, indices, ordinal, rowsOf } from '../../shared/pick.js';
import { timedAnswers } from '../../shared/timed-answers.js';
import {
  backendsOf,
  sayProblem,
  timedRatio,
  timedTasks,
  timeOf,
} from '../../shared/timed-kernels.js';

/** Tokens of the texts that are recalled and of the map. */
export const N = 64;
const LAST = 63;
/** Numbers of pairs of which the curve is made. */
export const GRID = [1, 2, 4, 8, 16, 24, 32, 48, 64];
export const BINS = 8;
const TEXTS = 12;
export const LENGTHS = [1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
/** What is timed: texts of these lengths through one head of 64, of the state space 64 channels of 16 numbers. */
export const TIMED = [1024, 2048, 4096, 8192];
const HEAD = { n_layers: 1, n_heads: 1, d_k: 64, d_v: 64, bytes_per_number: 4, state: 16 };
const BLOCK = 64;
/** The width of the layers and the heads of Llama 3 8B, whose KV cache the lecture has billed. */
const MODEL = { n_layers: 32, n_heads: 32, n_kv_heads: 8, d_k: 128, d_v: 128, bytes_per_number: 2 };

/** In the order of the module. `tone` is the family: everything kept whole, less of it, a state, and both. */
export const ANSWERS = [
  { id: 'full', name: () => msg('full attention'), tone: 's', mark: 0 },
  { id: 'window', name: () => msg('window'), tone: 'q', mark: 1 },
  { id: 'block_sparse', name: () => msg('chosen blocks'), tone: 'q', mark: 2 },
  { id: 'linear', name: () => msg('linear'), tone: 'v', mark: 0 },
  { id: 'gated_linear', name: () => msg('gated linear'), tone: 'v', mark: 1 },
  { id: 'selective_state', name: () => msg('state space'), tone: 'v', mark: 2 },
  { id: 'hybrid', name: () => msg('hybrid', { id: 'answerHybrid' }), tone: 'k', mark: 0 },
];
export const FULL = 0;
export const LINEAR = 3;
const STATES = { 8: 8, 16: 16, 32: 32 };

const schema = {
  view: {
    kind: 'choice',
    options: ['recall', 'seen', 'costs', 'timed'],
    name: () => msg('The view'),
  },
  answer: {
    kind: 'choice',
    options: ANSWERS.map(({ id }) => id),
    name: () => msg('The answer'),
  },
  pairs: { kind: 'number', min: 1, max: 64, integer: true, name: () => msg('pairs') },
  columns: { kind: 'choice', options: Object.keys(STATES), name: () => msg('Columns of a state') },
  window: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('window') },
  sinks: { kind: 'number', min: 0, max: 16, integer: true, name: () => msg('first tokens') },
  block: { kind: 'number', min: 1, max: 32, integer: true, name: () => msg('tokens of a block') },
  top_k: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('blocks seen') },
  gate: { kind: 'number', min: 0.5, max: 1, name: () => msg('gate') },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
  n: { kind: 'number', min: 1, max: 1000000, integer: true, name: () => msg('tokens') },
  far_window: { kind: 'number', min: 1, max: 1000000, integer: true, name: () => msg('window') },
  far_blocks: {
    kind: 'number',
    min: 1,
    max: 15625,
    integer: true,
    name: () => msg('blocks of 64'),
  },
  quantity: {
    kind: 'choice',
    options: ['kept', 'work', 'next'],
    name: () => msg('What is drawn'),
  },
};

const defaults = {
  view: 'recall',
  answer: 'window',
  pairs: 16,
  columns: '16',
  window: 16,
  sinks: 0,
  block: 4,
  top_k: 4,
  gate: 0.95,
  seed: 1,
  n: 100000,
  // As many tokens in either, and fewer than the shortest text that is timed has.
  far_window: 512,
  far_blocks: 8,
  quantity: 'kept',
};

/** What each answer reads of the state: a change of anything else leaves its curve as it is. */
const OPTIONS = {
  window: (state) => ({ window: state.window, sinks: state.sinks }),
  block_sparse: ({ block, top_k }) => ({ block, top_k }),
  linear: ({ columns }) => ({ state: STATES[columns] }),
  gated_linear: ({ columns }) => ({ state: STATES[columns] }),
  selective_state: ({ columns }) => ({ state: STATES[columns] }),
};
const optionsOf = ({ id }, state) => OPTIONS[id]?.(state) ?? {};

/** A call whose answer is kept as long as its options are the same. */
const kept = (call) => {
  const last = lastOf((module, options) => call(module, JSON.parse(options)));
  return (module, options) => last(module, JSON.stringify(options));
};
const CURVES = ANSWERS.map(({ id }) =>
  kept((answers, options) =>
    answers.recall({ answer: id, n: N, texts: TEXTS, bins: BINS, pairs: GRID, ...options }),
  ),
);
const HERE = ANSWERS.map(({ id }) =>
  kept((answers, { pairs, ...options }) =>
    answers.recall({ answer: id, n: N, texts: TEXTS, bins: BINS, pairs: [pairs], ...options }),
  ),
);
// A stack has no pattern of its own: that of the hybrid is its full layer’s.
const PATTERNS = ANSWERS.map(({ id }) =>
  kept((answers, options) =>
    answers.answerPattern({ answer: id === 'hybrid' ? 'full' : id, n: N, ...options }),
  ),
);

function recallOf(answers, state, a) {
  const options = { seed: state.seed, ...optionsOf(ANSWERS[a], state) };
  const here = HERE[a](answers, { pairs: state.pairs, ...options });
  return {
    accuracy: here.accuracy[0],
    right: here.right[0],
    asked: here.asked[0],
    bins: [...here.bin_accuracy],
    bin_asked: [...here.bin_asked],
    kept: here.kept_numbers,
    curve: state.view === 'recall' ? [...CURVES[a](answers, options).accuracy] : [here.accuracy[0]],
  };
}

function seenOf(answers, state, a) {
  const { id } = ANSWERS[a];
  const { state: _, ...options } = optionsOf(ANSWERS[a], state);
  const pattern = PATTERNS[a](answers, {
    ...options,
    ...(id === 'gated_linear' ? { gate: state.gate } : {}),
    ...(id === 'block_sparse' || id === 'selective_state' ? { seed: state.seed } : {}),
  });
  return {
    left: pattern.left,
    seen: [...pattern.seen],
    pairs: pattern.pairs,
    ofLast: pattern.seen.at(-1),
    /** What is left of the first token where the last asks. */
    first: entryOf(pattern.left, N, LAST, 0),
  };
}

function costsOf(answers, state) {
  const options = {
    ...MODEL,
    window: state.far_window,
    block: BLOCK,
    top_k: state.far_blocks,
  };
  const along = answers.answerCurves({ lengths: LENGTHS, ...options });
  const here = answers.answerCurves({ lengths: [state.n], ...options });
  const rows = (flat) => rowsOf(flat, ANSWERS.length, LENGTHS.length);
  return {
    series: {
      work: rows(along.layer_flops),
      next: rows(along.step_flops),
      kept: rows(along.state_bytes),
    },
    here: {
      work: [...here.layer_flops],
      next: [...here.step_flops],
      kept: [...here.state_bytes],
      tokens: [...here.state_tokens],
    },
  };
}

/** Those of ANSWERS that have a kernel of their own: gates change little in time, and the hybrid is two of them. */
export const WAYS = ANSWERS.map(({ id, name, tone, mark }, a) => ({
  id,
  a,
  name,
  tone,
  mark,
})).filter(({ id }) => id !== 'gated_linear' && id !== 'hybrid');

/** The operations of what is timed, counted. */
function workOf(answers, state) {
  const { layer_flops } = answers.answerCurves({
    ...HEAD,
    lengths: TIMED,
    window: state.far_window,
    block: BLOCK,
    top_k: state.far_blocks,
  });
  return rowsOf(layer_flops, ANSWERS.length, TIMED.length);
}

function compute(answers, state) {
  const { view } = state;
  return {
    state,
    chosen: ANSWERS.findIndex(({ id }) => id === state.answer),
    // The guess is about linear attention, whatever is drawn.
    recall: ANSWERS.map((_, a) =>
      view === 'recall' || a === LINEAR ? recallOf(answers, state, a) : undefined,
    ),
    patterns: view === 'seen' ? ANSWERS.map((_, a) => seenOf(answers, state, a)) : [],
    costs: view === 'costs' ? costsOf(answers, state) : undefined,
    work: view === 'timed' ? workOf(answers, state) : undefined,
    backend: backendsOf(answers).at(-1),
  };
}

/** Shares as they are printed everywhere. */
export const share = (value) => formatPercent(value, 1);
export const pairsWord = (value) => many(value, msg('pair'), msg('pairs'));

function sayRecall({ state, recall }) {
  const [pairs, n] = [pairsWord(state.pairs), count(N)];
  const [full, near, linear] = [0, 1, LINEAR].map((a) => share(recall[a].accuracy));
  const numbers = count(recall[LINEAR].kept);
  const tokens = count(state.window);
  return msg(
    str`Of ${pairs} in ${n} tokens full attention gives back ${full}, linear attention ${linear} from a state of ${numbers} numbers, a window of ${tokens} only ${near}.`,
  );
}

function saySeen({ state, chosen, patterns }) {
  const { pairs, ofLast, first } = patterns[chosen];
  const [all, some, last] = [patterns[FULL].pairs, pairs, ofLast].map(count);
  switch (ANSWERS[chosen].id) {
    case 'full':
      return msg(str`Full attention sees all ${all} pairs of tokens, and each token whole.`);
    case 'window':
      return msg(
        str`The window sees ${some} of ${all} pairs of tokens; the last token sees ${last} tokens, each of them whole.`,
      );
    case 'block_sparse':
      return msg(
        str`The chosen blocks hold ${some} of ${all} pairs of tokens; the last token sees ${last} tokens, each of them whole.`,
      );
    case 'linear':
      return msg(
        str`Linear attention sees all ${all} pairs of tokens, but added up in one state: no token can be taken out of it whole.`,
      );
    case 'hybrid':
      return msg(
        str`A full layer of the hybrid sees all ${all} pairs of tokens, each token whole; its other layers see one state.`,
      );
    default: {
      const left = share(first);
      const gate = formatNumber(state.gate, { decimals: 3, trim: true });
      return ANSWERS[chosen].id === 'gated_linear'
        ? msg(
            str`With a gate of ${gate} the state holds ${left} of the first token at the end, mixed with all others.`,
          )
        : msg(
            str`The state space holds ${left} of the first token at the end: how much fades, each token decides.`,
          );
    }
  }
}

function sayCosts({ state, costs }) {
  const n = count(state.n);
  const { work, kept: bytes, tokens } = costs.here;
  const [full, linear] = [FULL, LINEAR].map((a) => formatOperations(work[a]));
  const [cache, held] = [FULL, LINEAR].map((a) => formatDecimalBytes(bytes[a]));
  const worth = formatNumber(tokens[LINEAR], { decimals: 1, trim: true });
  return msg(
    str`At n = ${n} the 32 layers keep ${cache} with full attention, ${held} with linear, as a cache of ${worth} tokens; the work of one layer is ${full} operations against ${linear}.`,
  );
}

function sayTimed({ work }, measured) {
  const timed = timedRatio(measured, 'full', 'linear');
  if (timed === undefined) {
    const [full, linear] = [FULL, LINEAR].map((a) => formatOperations(work[a].at(-1)));
    const n = count(TIMED.at(-1));
    return msg(
      str`At n = ${n} a head of full attention does ${full} operations, one of linear attention ${linear}. The clock says more.`,
    );
  }
  const [full, linear] = [timed.one, timed.other].map(formatTime);
  const n = count(timed.n);
  return msg(str`At n = ${n} full attention took ${full} here, linear attention ${linear}.`);
}

function sentence(numbers, measured = []) {
  switch (numbers.state.view) {
    case 'seen':
      return saySeen(numbers);
    case 'costs':
      return sayCosts(numbers);
    case 'timed':
      return sayTimed(numbers, measured);
    default:
      return sayRecall(numbers);
  }
}

/** Lower ends of what the guesses stand for; the last has none. */
const BOUNDS = [0.99, 0.9, 0.6, 0];
const guesses = () => [
  msg('nearly all'),
  msg('9 in 10 or more'),
  msg('6 in 10 or more'),
  msg('fewer'),
];
const guessOf = ({ recall }) => BOUNDS.findIndex((bound) => recall[LINEAR].accuracy >= bound);

/** Sizes as data sheets and as programs count them. */
export const bothBytes = (bytes) => `${formatDecimalBytes(bytes)} = ${formatBytes(bytes)}`;

/** A time in words, or why there is none. */
export function sayTime(result) {
  if (result === undefined) return msg('not timed');
  return result.ms === undefined ? sayProblem(result.problem) : formatTime(result.ms);
}

/** The longest of the texts for which an answer does no fewer operations than full attention, or undefined. */
export const longestUnsaved = ({ work }, a) =>
  TIMED.findLast((_, k) => work[a][k] >= work[FULL][k]);

export function operationsAt(n) {
  const tokens = count(n);
  return msg(str`operations at n = ${tokens}`);
}

/** For what each quantity of a model holds. */
export const COSTS = {
  work: () => msg('Operations of one layer for the text'),
  next: () => msg('Operations of one layer for the next token'),
  kept: () => msg('Bytes kept by 32 layers'),
};

const pictureOfTimes = ({ work }, measured) => ({
  head: [msg('answer'), operationsAt(TIMED.at(-1)), ...TIMED.map((n) => `n = ${count(n)}`)],
  rows: WAYS.map((way) => [
    way.name(),
    formatOperations(work[way.a].at(-1)),
    ...TIMED.map((n) => sayTime(timeOf(measured, n, way))),
  ]),
});

const rowsOfTimes = ({ work }, measured) => [
  ['n', ...WAYS.map(({ id }) => `${id}_flops`), ...WAYS.map(({ id }) => `${id}_ms`)],
  ...TIMED.map((n, k) => [
    n,
    ...WAYS.map(({ a }) => work[a][k]),
    ...WAYS.map((way) => timeOf(measured, n, way)?.ms ?? ''),
  ]),
];

function picture(numbers, measured = []) {
  const { state, recall, patterns, costs } = numbers;
  if (state.view === 'timed') return pictureOfTimes(numbers, measured);
  const head = msg('answer');
  if (state.view === 'seen') {
    return {
      head: [head, msg('pairs seen'), msg('last token sees'), msg('left of the first token')],
      rows: patterns.map(({ pairs, ofLast, first }, a) => [
        ANSWERS[a].name(),
        count(pairs),
        count(ofLast),
        share(first),
      ]),
    };
  }
  if (state.view === 'costs') {
    return {
      head: [head, COSTS.work(), COSTS.next(), COSTS.kept()],
      rows: ANSWERS.map(({ name }, a) => [
        name(),
        formatOperations(costs.here.work[a]),
        formatOperations(costs.here.next[a]),
        bothBytes(costs.here.kept[a]),
      ]),
    };
  }
  return {
    head: [head, msg('given back'), msg('right of asked'), msg('numbers kept')],
    rows: recall.map(({ accuracy, right, asked, kept: numbers }, a) => [
      ANSWERS[a].name(),
      share(accuracy),
      `${count(right)} / ${count(asked)}`,
      count(numbers),
    ]),
  };
}

function rows(numbers, measured = []) {
  const { state, recall, patterns, costs } = numbers;
  if (state.view === 'timed') return rowsOfTimes(numbers, measured);
  const head = ANSWERS.map(({ id }) => id);
  if (state.view === 'seen') {
    return [
      ['answer', 'pairs', 'seen_by_last', 'left_of_first'],
      ...patterns.map(({ pairs, ofLast, first }, a) => [ANSWERS[a].id, pairs, ofLast, first]),
      ['token', ...head.map((id) => `${id}_sees`)],
      ...indices(N).map((i) => [ordinal(i), ...patterns.map(({ seen }) => seen[i])]),
    ];
  }
  if (state.view === 'costs') {
    const { series, here } = costs;
    const along = (name, unit) => [
      ['n', ...head.map((id) => `${id}_${name}_${unit}`)],
      ...LENGTHS.map((n, k) => [n, ...series[name].map((row) => row[k])]),
      [state.n, ...here[name]],
    ];
    return [
      ...along('work', 'flops_a_layer'),
      ...along('next', 'flops_a_layer'),
      ...along('kept', 'bytes_32_layers'),
    ];
  }
  return [
    ['pairs', ...head.map((id) => `${id}_accuracy`)],
    ...GRID.map((pairs, k) => [pairs, ...recall.map(({ curve }) => curve[k])]),
    [state.pairs, ...recall.map(({ accuracy }) => accuracy)],
    ['kept_numbers', ...recall.map(({ kept: numbers }) => numbers)],
    ['asked', ...recall.map(({ asked }) => asked)],
    ['right', ...recall.map(({ right }) => right)],
    ['bin', ...head.map((id) => `${id}_accuracy`)],
    ...indices(BINS).map((bin) => [ordinal(bin), ...recall.map(({ bins }) => bins[bin])]),
  ];
}

export const model = {
  tag: 'attn-four-answers',
  get title() {
    return msg('The answers to n², on one sequence');
  },
  get summary() {
    return msg('Put more pairs into the text: which answers still give all of them back?');
  },
  module: 'answers',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return pairsWord(16);
      },
      state: {},
    },
    {
      id: 'many',
      get label() {
        return pairsWord(48);
      },
      state: { pairs: 48 },
    },
    {
      id: 'larger',
      get label() {
        return msg('Larger state');
      },
      state: { pairs: 48, columns: '32' },
    },
    {
      id: 'coarse',
      get label() {
        return msg('Coarse blocks');
      },
      state: { pairs: 48, block: 16, top_k: 1 },
    },
    {
      id: 'million',
      get label() {
        return msg('A million tokens');
      },
      state: { view: 'costs', n: 1000000, quantity: 'work' },
    },
  ],
  measure: {
    fields: ['far_window', 'far_blocks'],
    plan: (_, { state, backend }) => {
      const ways = WAYS.map(({ id, name }) => ({ id, label: name() }));
      return {
        tasks: timedTasks({ lengths: TIMED, ways }),
        ...timedAnswers({
          backend,
          d: HEAD.d_k,
          state: HEAD.state,
          window: state.far_window,
          block: BLOCK,
          top_k: state.far_blocks,
        }),
      };
    },
  },
  predict: {
    get question() {
      return msg('How many of the pairs does linear attention give back?');
    },
    options: guesses,
    isRight: (numbers, choice) => choice === guessOf(numbers),
    tell: ({ recall }) => {
      const back = share(recall[LINEAR].accuracy);
      return msg(str`It gives back ${back}.`);
    },
  },
  figures: ['deck.answers.pairs', 'deck.answers.tokens'],
  compute,
  sentence,
  picture,
  rows,
};
