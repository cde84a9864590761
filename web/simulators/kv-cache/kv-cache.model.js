/**
 * The cache on one accelerator (slide 31). Three views: what the caches of some requests need beside the weights, drawn
 * to the scale of the accelerator's memory; how fast they can be read; and a cache of one layer filled token by token.
 * State in, numbers out, by the module `bill`.
 */
import { AttentionDeckError, load } from '../../runtime/index.js';
import { msg, str } from '../../shared/language.js';
import {
  formatCount as count,
  formatDecimalBytes as bytes,
  formatSeconds,
  formatShort,
  many,
  shifted,
} from '../../shared/number.js';
import { publishedTables } from '../../shared/published.js';

/** The fields of a model that its cache depends on, beside its weights. */
export const FIELDS = [
  ...['n_layers', 'n_heads', 'd_model', 'max_tokens'],
  ...['full_layers', 'n_kv_heads', 'd_k', 'd_v', 'full_sharing'],
  ...['latent_rank', 'rope_width', 'index_width', 'index_top_k'],
  ...['local_layers', 'window', 'sinks', 'local_n_kv_heads', 'local_d_k', 'local_d_v'],
  ...['local_sharing', 'state_layers', 'state_numbers'],
];

/** What a bill can do without. */
const NOT_NEEDED = ['max_tokens', 'd_model'];

/** What a field is called beside its box, aloud, and where it is refused. */
const names = () => ({
  n_layers: msg('layers'),
  n_heads: msg('query heads'),
  d_model: 'd_model',
  max_tokens: msg('made for tokens'),
  full_layers: msg('full layers'),
  n_kv_heads: msg('KV heads'),
  d_k: 'd_k',
  d_v: 'd_v',
  full_sharing: msg('sharing'),
  latent_rank: msg('latent rank'),
  rope_width: msg('rotary key'),
  index_width: msg('index key'),
  index_top_k: msg('index picks'),
  local_layers: msg('local layers'),
  window: msg('window'),
  sinks: msg('sinks'),
  local_n_kv_heads: msg('local KV heads'),
  local_d_k: msg('local d_k'),
  local_d_v: msg('local d_v'),
  local_sharing: msg('local sharing'),
  state_layers: msg('state layers'),
  state_numbers: msg('numbers of a state'),
  parameters_b: msg('parameters, 10⁹'),
  active_b: msg('active, 10⁹'),
  accelerators: msg('accelerators'),
  memory_gb: msg('memory, GB'),
  bandwidth_tb_s: msg('bandwidth, TB/s'),
  tflops: msg('arithmetic, TFLOP/s'),
  other_gb: msg('other things, GB'),
  page_tokens: msg('tokens of a page'),
  reserved_tokens: msg('tokens reserved'),
});
export const nameOf = (field) => names()[field] ?? field;

export const SCHEMES = ['own', 'mha', 'gqa', 'mqa', 'mla', 'sliding', 'hybrid'];
const schemeNames = () => ({
  own: msg('its own'),
  mha: 'MHA',
  gqa: 'GQA',
  mqa: 'MQA',
  mla: 'MLA',
  sliding: msg('sliding'),
  hybrid: msg('hybrid'),
});
export const schemeName = (scheme) => schemeNames()[scheme];
const COMPARISONS = ['off', ...SCHEMES, 'whole', 'paged'];
const comparedNames = () => ({
  off: msg('nothing'),
  ...schemeNames(),
  whole: msg('whole windows'),
  paged: msg('pages'),
});
export const comparedName = (comparison) => comparedNames()[comparison];
/** With what the first configuration may be compared, to choose from. */
export const comparisons = () =>
  COMPARISONS.map((value) => ({ value, label: comparedName(value) }));
export const FORMATS = ['f32', 'f16', 'bf16', 'f8', 'q8_0', 'q4_0', 'q4_1'];
/** Tokens that the third view fills in. */
export const LAST = 24;
/** Small, since it is filled anew at every change: what stands where does not depend on the width. */
const LAYER = { n_layers: 1, n_heads: 1, n_kv_heads: 1, d_k: 64, d_v: 64 };
const NAMES = ['A', 'B'];

/** Requests in a batch along which the path of decoding is drawn. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const whole = { integer: true };
const counted = (name, min, max) => ({ kind: 'number', min, max, ...whole, name });
const measured = (name, min, max) => ({ kind: 'number', min, max, name });
const oneOf = (name, options) => ({ kind: 'choice', options, name });
const named = (field) => () => nameOf(field);

const schema = {
  view: oneOf(() => msg('The view'), ['memory', 'roofline', 'filling']),
  panel: oneOf(() => msg('What stands below'), ['product', 'model', 'machine']),
  scheme: oneOf(() => msg('The scheme'), SCHEMES),
  tokens: counted(() => msg('Context'), 1, 1e9),
  sequences: counted(() => msg('Requests'), 1, 1e6),
  cache_format: oneOf(() => msg('The format of the cache'), FORMATS),
  weight_format: oneOf(() => msg('The format of the weights'), FORMATS),
  accelerators: counted(named('accelerators'), 1, 1e5),
  memory_gb: measured(named('memory_gb'), 0.001, 1e6),
  bandwidth_tb_s: measured(named('bandwidth_tb_s'), 1e-6, 1e6),
  tflops: measured(named('tflops'), 1e-3, 1e6),
  other_gb: measured(named('other_gb'), 0, 1e6),
  allocation: oneOf(() => msg('How memory is taken'), ['paged', 'reserved']),
  page_tokens: counted(named('page_tokens'), 1, 65536),
  reserved_tokens: counted(named('reserved_tokens'), 0, 1e9),
  keeps_whole_windows: oneOf(() => msg('Whether windows are kept whole'), ['no', 'yes']),
  compare: oneOf(() => msg('The comparison'), COMPARISONS),
  compare_format: oneOf(() => msg('The format compared with'), FORMATS),
  token: counted(() => msg('Token'), 0, LAST),
  slots: counted(() => msg('Tokens of a page'), 1, 8),
  seen: counted(() => msg('Window'), 0, LAST),
  pinned: counted(() => msg('Pinned tokens'), 0, 8),
  fork: counted(() => msg('Shared tokens'), 0, LAST),
  parameters_b: measured(named('parameters_b'), 0, 1e6),
  active_b: measured(named('active_b'), 0, 1e6),
  ...Object.fromEntries(FIELDS.map((field) => [field, counted(named(field), 0, 1e9)])),
};

/** A decoder whose layers all see every token. */
const dense = (n_layers, n_heads, n_kv_heads, d_model, max_tokens, parameters_b) => ({
  n_layers,
  n_heads,
  d_model,
  max_tokens,
  full_layers: n_layers,
  n_kv_heads,
  d_k: 128,
  d_v: 128,
  parameters_b,
  active_b: parameters_b,
});

const nothing = Object.fromEntries(FIELDS.map((field) => [field, 0]));

// The lecture counts the weights by the models' names: 8, 70 and 405 billion.
const defaults = {
  view: 'memory',
  panel: 'product',
  scheme: 'gqa',
  tokens: 32768,
  sequences: 8,
  cache_format: 'f16',
  weight_format: 'f16',
  accelerators: 1,
  memory_gb: 80,
  bandwidth_tb_s: 3.35,
  tflops: 989.4,
  other_gb: 0,
  allocation: 'paged',
  page_tokens: 16,
  reserved_tokens: 0,
  keeps_whole_windows: 'no',
  compare: 'mha',
  compare_format: 'f16',
  token: 11,
  slots: 4,
  seen: 8,
  pinned: 2,
  fork: 10,
  parameters_b: 8,
  active_b: 8,
  ...nothing,
  ...dense(32, 32, 8, 4096, 8192, 8),
};

const cases = [
  { id: 'gqa', label: 'Llama 3 8B, GQA', state: {} },
  { id: 'mha', label: 'MHA', state: { scheme: 'mha', compare: 'gqa' } },
  { id: '128k', label: '128k', state: { tokens: 131072, compare: 'off' } },
  { id: '70b', label: '70B', state: { ...dense(80, 64, 8, 8192, 8192, 70), compare: 'off' } },
  {
    id: '405b',
    label: '405B',
    state: { ...dense(126, 128, 8, 16384, 131072, 405), compare: 'off' },
  },
  {
    id: 'gemma',
    label: 'Gemma 3',
    state: {
      ...dense(62, 32, 16, 5376, 131072, 27),
      scheme: 'own',
      full_layers: 10,
      local_layers: 52,
      window: 1024,
      local_n_kv_heads: 16,
      local_d_k: 128,
      local_d_v: 128,
      tokens: 131072,
      sequences: 1,
      compare: 'whole',
    },
  },
  {
    id: 'deepseek',
    label: 'DeepSeek-V3',
    state: {
      ...dense(61, 128, 128, 7168, 163840, 671),
      scheme: 'own',
      d_k: 192,
      latent_rank: 512,
      rope_width: 64,
      active_b: 37,
      weight_format: 'f8',
      accelerators: 8,
      memory_gb: 141,
      bandwidth_tb_s: 4.8,
    },
  },
  {
    id: 'reserved',
    get label() {
      return msg('Reserved');
    },
    state: { tokens: 2048, allocation: 'reserved', reserved_tokens: 32768, compare: 'paged' },
  },
];

/* ---- what the module is asked ---------------------------------------------------------------------------- */

const GIGA = 9;
const TERA = 12;
const AS_GIGA = -9;
const AS_TERA = -12;

const modelOf = (state) => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, state[field]])),
  parameters: shifted(state.parameters_b, GIGA),
  // 0 active ones stand for all.
  active_parameters: shifted(state.active_b === 0 ? state.parameters_b : state.active_b, GIGA),
});

const planOf = (state) => ({
  model: modelOf(state),
  scheme: state.scheme,
  cache_format: state.cache_format,
  weight_format: state.weight_format,
  tokens: state.tokens,
  sequences: state.sequences,
  allocation: state.allocation,
  page_tokens: state.page_tokens,
  reserved_tokens: state.reserved_tokens,
  keeps_whole_windows: state.keeps_whole_windows === 'yes',
  accelerators: state.accelerators,
  memory_bytes: shifted(state.memory_gb, GIGA),
  bandwidth_bytes_s: shifted(state.bandwidth_tb_s, TERA),
  flops_s: shifted(state.tflops, TERA),
  other_bytes: shifted(state.other_gb, GIGA),
});

/** A model's fields as the state has them. */
const fieldsOf = ({ parameters, active_parameters, ...fields }) => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, fields[field] ?? 0])),
  parameters_b: shifted(parameters, AS_GIGA),
  active_b: shifted(active_parameters, AS_GIGA),
});

const machineFields = ({ memory_bytes, bandwidth_bytes_s, flops_s }) => ({
  memory_gb: shifted(memory_bytes, AS_GIGA),
  bandwidth_tb_s: shifted(bandwidth_bytes_s, AS_TERA),
  tflops: shifted(flops_s, AS_TERA),
});

/** The tables of the module, with what choosing a row sets. */
const tablesOf = publishedTables({
  model: (row) => ({ ...row, fields: { ...fieldsOf(row.model), scheme: 'own' } }),
  accelerator: (row) => ({ ...row, fields: machineFields(row) }),
});

const agrees = (state, fields, names) => names.every((name) => state[name] === fields[name]);
const MACHINE = ['memory_gb', 'bandwidth_tb_s', 'tflops'];

/** What the second configuration changes of the first. */
function changeOf({ compare, compare_format }) {
  const same = { cache_format: compare_format };
  if (compare === 'whole') return { ...same, keeps_whole_windows: true };
  if (compare === 'paged') return { ...same, allocation: 'paged' };
  return { ...same, scheme: compare };
}

/** What a call answers, or why what was asked for cannot be; a fault of ours, or a module that stopped, is no answer. */
function attempt(ask) {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof AttentionDeckError) || error.code === 'aborted') throw error;
    return { problem: error.message };
  }
}

/* ---- token by token ------------------------------------------------------------------------------------- */

/** What happened to the pages of a request at its last token. */
function eventsOf({ pages_before: before, pages, begins }) {
  const moved = [...pages].flatMap((page, i) => {
    const old = before[i];
    if (old === page) return [];
    if (old === undefined) return [{ kind: 'takes', page }];
    return page === 0 ? [{ kind: 'returns', page: old }] : [{ kind: 'copies', page, old }];
  });
  return begins ? [{ kind: 'begins' }, ...moved] : moved;
}

/** Two requests that begin alike: a real cache of one layer, asked what it holds; and the bill of the same. */
function fill(bills, { token, slots, seen, pinned, fork }) {
  const sinks = seen === 0 ? 0 : pinned;
  const { requests, ...stats } = bills.fillCache({
    ...LAYER,
    layout: 'paged',
    format: 'f16',
    page_tokens: slots,
    window: seen,
    sinks,
    tokens: token,
    shared_tokens: fork,
  });
  const { n_heads, n_kv_heads, d_k, d_v } = LAYER;
  const asked = {
    model: {
      n_layers: 1,
      n_heads,
      parameters: 1,
      active_parameters: 1,
      ...(seen === 0
        ? { full_layers: 1, n_kv_heads, d_k, d_v }
        : {
            local_layers: 1,
            local_n_kv_heads: n_kv_heads,
            local_d_k: d_k,
            local_d_v: d_v,
            window: seen,
            sinks,
          }),
    },
    cache_format: 'f16',
    tokens: token,
    page_tokens: slots,
    memory_bytes: 1,
    bandwidth_bytes_s: 1,
    flops_s: 1,
  };
  return {
    requests: requests.map((request, i) => ({
      name: NAMES[i],
      stats: request,
      events: eventsOf(request),
    })),
    stats,
    bill: token === 0 ? undefined : bills.bill({ ...asked, sequences: requests.length }),
  };
}

/** The pages of one layer's bill: it has one kind. */
export const pagesOf = ({ full, local }) => (full.keeping > 0 ? full.pages : local.pages);

function compute(bills, state) {
  const plan = planOf(state);
  const bill = bills.bill(plan);
  const other =
    state.compare === 'off'
      ? undefined
      : attempt(() => bills.bill({ ...plan, ...changeOf(state) }));
  const { models, accelerators } = tablesOf(bills);
  const numbers = {
    state,
    models,
    accelerators,
    // By what it keeps: a nominal count of weights is the same model.
    named: models.find(({ fields }) => agrees(state, fields, FIELDS)),
    machine: accelerators.find(({ fields }) => agrees(state, fields, MACHINE)),
    bill,
    other,
    schemes: bills.schemeBills(plan),
    formats: bills.numberFormats(),
    other_bytes: plan.other_bytes,
  };
  if (state.view === 'roofline') {
    numbers.path = attempt(() => bills.billSeries({ ...plan, along: 'sequences', at: BATCHES }));
  }
  if (state.view === 'filling') numbers.filled = fill(bills, state);
  return numbers;
}

/**
 * The one published model whose fields are all those that a file tells. Several of them, whose weights differ, are no
 * answer: models of one shape may have ten times the weights of each other.
 */
function onlyModelLike(models, fields, told) {
  const alike = models.filter((row) => agrees(fields, row.fields, told));
  return alike.length === 1 ? alike[0] : undefined;
}

/**
 * A file's own fields, by the module `files`, which is fetched for the first file. Where it tells no weights, those of
 * the one published model of the same fields are taken; where there is none, or more than one, they stay untold. Either
 * is said.
 */
async function read(bills, { bytes: file, size }, _, files = load('files')) {
  const found = (await files).readModel({ file, size });
  if (found.needs_bytes > 0) return { needs: found.needs_bytes };
  const { model: told, architecture, notes, missing } = found;
  const fields = { ...fieldsOf(told), scheme: 'own', view: 'memory', panel: 'model' };
  const who = architecture || msg('No architecture named');
  const lines = [msg(str`${who}: read.`), ...notes];
  const others = missing.filter((field) => !field.includes('parameters'));
  const needed = others.filter((field) => !NOT_NEEDED.includes(field));
  if (needed.length > 0) {
    const untoldNames = needed.map(nameOf).join(', ');
    const reason = msg(str`${who}: the file does not tell ${untoldNames}, and nothing is guessed.`);
    throw new Error([reason, ...notes, msg('What stood here before stays.')].join(' '));
  }
  if (others.length > 0) {
    const fieldNames = others.join(', ');
    lines.push(msg(str`Not told: ${fieldNames}.`));
  }
  if (missing.includes('parameters')) {
    const toldFields = FIELDS.filter((field) => !missing.includes(field));
    const known = onlyModelLike(tablesOf(bills).models, fields, toldFields);
    const { parameters_b, active_b } = known?.fields ?? { parameters_b: 0, active_b: 0 };
    Object.assign(fields, { parameters_b, active_b });
    const name = known?.name;
    lines.push(
      known
        ? msg(str`Parameters are not told: those of ${name} are taken, whose fields these are.`)
        : msg('Parameters are not told: type their number here, and the weights are billed too.'),
    );
  } else if (missing.includes('active_parameters')) {
    fields.active_b = fields.parameters_b;
    lines.push(msg('Active parameters are not told: all are counted.'));
  }
  return { fields, lines };
}

/* ---- in words --------------------------------------------------------------------------------------------- */

/** 0 parameters stand for a number that nobody told. */
export const areWeightsTold = ({ memory }) => memory.weight_bytes > 0;

function sayMemory({ bill }) {
  const { memory } = bill;
  const [needed, taken] = [bill.needed_bytes, bill.allocated_bytes].map(bytes);
  const cached =
    needed === taken
      ? msg(str`${needed} of cache`)
      : msg(str`${taken} taken for a cache that needs ${needed}`);
  const [all, weights] = [memory.memory_bytes, memory.weight_bytes].map(bytes);
  if (!areWeightsTold(bill)) {
    return memory.fits
      ? msg(str`${cached}; its weights are not told, so nobody knows whether both fit in ${all}.`)
      : msg(str`${cached}: without its weights, which are not told, it does not fit in ${all}.`);
  }
  if (memory.fits) {
    const free = bytes(memory.free_bytes);
    return msg(str`${cached} and ${weights} of weights: it fits in ${all}, ${free} stay free.`);
  }
  const missing = bytes(memory.missing_bytes);
  return msg(
    str`${cached} and ${weights} of weights: it does not fit in ${all}, ${missing} are missing.`,
  );
}

/** What sets the pace, in a word. */
export const sayBound = ({ bound_by }) =>
  bound_by === 'bandwidth' ? msg('bandwidth') : msg('arithmetic');

function saySpeed({ state, bill }) {
  const { decode, prefill } = bill;
  const time = formatSeconds(decode.roof.seconds);
  if (!areWeightsTold(bill)) {
    return msg(
      str`Its weights are not told: these bounds count the cache alone, ${time} a step at the least.`,
    );
  }
  const tokens = many(state.sequences, msg('token'), msg('tokens'));
  const [bound, promptBound] = [decode, prefill].map(({ roof }) => sayBound(roof));
  const rate = formatShort(decode.tokens_per_s);
  return msg(
    str`Each step of ${tokens} waits for ${bound}: ${time}, at most ${rate} tokens a second; the prompt is bound by ${promptBound}.`,
  );
}

/** What a page went through, in words. */
export function sayEvent({ kind, page, old }) {
  if (kind === 'begins') return msg('begins with the pages of A');
  const number = count(page);
  if (kind === 'takes') return msg(str`takes page ${number}`);
  if (kind === 'returns') return msg(str`gives page ${number} back`);
  const from = count(old);
  return msg(str`copies page ${from} to page ${number} before it writes`);
}

function sayFilling({ state, filled }) {
  const { requests, stats } = filled;
  if (state.token === 0) return msg('No token is kept yet, and no page is taken.');
  const [{ stats: first }] = requests;
  const tokens = many(state.token, msg('token'), msg('tokens'));
  const seen = count(first.visible_tokens);
  const [needed, taken] = [stats.needed_bytes, stats.allocated_bytes].map(bytes);
  const pages = many(stats.blocks, msg('page'), msg('pages'));
  if (requests.length === 1) {
    return msg(
      str`One request of ${tokens} sees ${seen}: ${needed} needed, ${taken} taken in ${pages}, counted by the cache itself.`,
    );
  }
  const shared = requests.some(({ stats: { references } }) => [...references].some((n) => n > 1));
  return shared
    ? msg(
        str`Two requests of ${tokens} see ${seen} each: ${needed} needed, ${taken} taken in ${pages}, shared ones once, counted by the cache itself.`,
      )
    : msg(
        str`Two requests of ${tokens} see ${seen} each: ${needed} needed, ${taken} taken in ${pages}, counted by the cache itself.`,
      );
}

const SENTENCES = { memory: sayMemory, roofline: saySpeed, filling: sayFilling };
const sentence = (numbers) => SENTENCES[numbers.state.view](numbers);

/* ---- taken away ------------------------------------------------------------------------------------------- */

const billed = (bill) => [
  bill.token_bytes,
  bill.needed_bytes,
  bill.allocated_bytes,
  bill.memory.weight_bytes,
  bill.memory.total_bytes,
  bill.memory.memory_bytes,
];
const shown = () => [
  msg('bytes a token'),
  msg('cache needed'),
  msg('cache allocated'),
  msg('weights'),
  msg('total'),
  msg('memory'),
];
const COLUMNS = [
  ...['token_bytes', 'needed_bytes', 'allocated_bytes'],
  ...['weight_bytes', 'total_bytes', 'memory_bytes'],
];
export const untold = () => msg('weights not told');
/** What does not fit alone does not fit with weights either. */
function isFitting(bill) {
  if (!bill.memory.fits) return msg('no');
  return areWeightsTold(bill) ? msg('yes') : untold();
}

/** Each configuration that could be reckoned: the first, then every scheme. */
const configurations = ({ state, bill, schemes }) => [
  [schemeName(state.scheme), bill],
  ...SCHEMES.filter((scheme) => scheme !== state.scheme && !schemes[scheme].problem).map(
    (scheme) => [schemeName(scheme), schemes[scheme]],
  ),
];

const pictureOfFilling = ({ filled }) => ({
  head: [msg('request'), msg('tokens'), msg('seen'), msg('bytes needed'), msg('pages')],
  rows: filled.requests.map(({ name, stats }) => [
    name,
    count(stats.length),
    count(stats.visible_tokens),
    count(stats.needed_bytes),
    [...stats.pages].map((page) => (page === 0 ? msg('back') : count(page))).join(', '),
  ]),
});

const rowsOfFilling = ({ state, filled }) => [
  ['request', 'length', 'sinks', 'first_visible', 'visible_tokens', 'needed_bytes', 'pages'],
  ...filled.requests.map(({ name, stats }) => [
    name,
    stats.length,
    stats.sinks,
    stats.first_visible,
    stats.visible_tokens,
    stats.needed_bytes,
    [...stats.pages].join(' '),
  ]),
  ['blocks', filled.stats.blocks],
  ['allocated_bytes', filled.stats.allocated_bytes],
  ...['token', 'slots', 'seen', 'pinned', 'fork'].map((name) => [name, state[name]]),
];

const pictureOfBill = (numbers) => ({
  head: [msg('scheme'), ...shown(), msg('fits')],
  rows: configurations(numbers).map(([name, bill]) => [
    name,
    ...billed(bill).map(bytes),
    isFitting(bill),
  ]),
});

const rowsOfBill = (numbers) => {
  const { state, bill } = numbers;
  const told = (value) => (areWeightsTold(bill) ? value : untold());
  return [
    ['scheme', ...COLUMNS, 'fits'],
    ...configurations(numbers).map(([name, each]) => [name, ...billed(each), isFitting(each)]),
    ['requests_that_fit', told(bill.room.most_sequences)],
    ['tokens_that_fit', told(bill.room.most_tokens)],
    ['decode_seconds', told(bill.decode.roof.seconds)],
    ['decode_tokens_per_s', told(bill.decode.tokens_per_s)],
    ['decode_intensity', told(bill.decode.roof.intensity)],
    ['prefill_seconds', told(bill.prefill.roof.seconds)],
    ['prefill_intensity', told(bill.prefill.roof.intensity)],
    ['ridge', bill.decode.roof.ridge],
    ...Object.entries(state),
  ];
};

const isFilling = ({ state }) => state.view === 'filling';
const picture = (numbers) =>
  isFilling(numbers) ? pictureOfFilling(numbers) : pictureOfBill(numbers);
const rows = (numbers) => (isFilling(numbers) ? rowsOfFilling(numbers) : rowsOfBill(numbers));

export const model = {
  tag: 'attn-kv-cache',
  get title() {
    return msg('The cache on one accelerator');
  },
  get summary() {
    return msg('Model, scheme, context and requests: does the cache fit beside the weights?');
  },
  module: 'bill',
  wholeNumbers: isFilling,
  schema,
  defaults,
  cases,
  play: ({ state }) => ({ path: 'token', value: state.token, last: LAST }),
  predict: {
    get question() {
      return msg('Does it fit?');
    },
    possible: ({ state, bill }) => state.view === 'memory' && areWeightsTold(bill),
    options: () => [msg('yes'), msg('no')],
    isRight: ({ bill }, choice) => (choice === 0) === bill.memory.fits,
  },
  file: { read },
  figures: [
    'kv.sim.8B',
    'kv.sim.70B',
    'kv.sim.405B',
    'kv.sim.gqa32k',
    'kv.sim.mha32k',
    'kv.sim.gqa128k',
    'kv.sim.weights',
    'kv.sim.fit',
  ],
  compute,
  sentence,
  picture,
  rows,
};
