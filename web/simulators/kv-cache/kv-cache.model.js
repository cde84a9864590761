/**
 * The cache on one accelerator (slide 31). Two views: what the caches of some requests need beside the weights, drawn
 * to the scale of the accelerator's memory; and how fast they can be read. State in, numbers out, by the module `cache`.
 */
import {
  exactText,
  formatDecimalBytes,
  formatNumber,
  formatRate,
  formatSeconds,
  shifted,
} from '../../shared/number.js';

/** The fields of a model that its cache depends on, beside its weights. */
export const FIELDS = [
  ...['n_layers', 'n_heads', 'd_model', 'max_tokens'],
  ...['full_layers', 'n_kv_heads', 'd_k', 'd_v', 'full_sharing'],
  ...['latent_rank', 'rope_width', 'index_width'],
  ...['local_layers', 'window', 'sinks', 'local_n_kv_heads', 'local_d_k', 'local_d_v'],
  ...['local_sharing', 'state_layers', 'state_numbers'],
];

export const NAMES = {
  n_layers: 'layers',
  n_heads: 'query heads',
  d_model: 'd_model',
  max_tokens: 'made for tokens',
  full_layers: 'full layers',
  n_kv_heads: 'KV heads',
  d_k: 'd_k',
  d_v: 'd_v',
  full_sharing: 'sharing',
  latent_rank: 'latent rank',
  rope_width: 'rotary key',
  index_width: 'index key',
  local_layers: 'local layers',
  window: 'window',
  sinks: 'sinks',
  local_n_kv_heads: 'local KV heads',
  local_d_k: 'local d_k',
  local_d_v: 'local d_v',
  local_sharing: 'local sharing',
  state_layers: 'state layers',
  state_numbers: 'numbers of a state',
  parameters_b: 'parameters, 10⁹',
  active_b: 'active, 10⁹',
};

export const SCHEMES = ['own', 'mha', 'gqa', 'mqa', 'mla', 'sliding', 'hybrid'];
export const SCHEME_NAMES = {
  own: 'its own',
  mha: 'MHA',
  gqa: 'GQA',
  mqa: 'MQA',
  mla: 'MLA',
  sliding: 'sliding',
  hybrid: 'hybrid',
};
export const COMPARED = {
  off: 'nothing',
  ...SCHEME_NAMES,
  whole: 'whole windows',
  paged: 'pages',
};
export const FORMATS = ['f32', 'f16', 'bf16', 'f8', 'q8_0', 'q4_0', 'q4_1'];
/** Requests in a batch along which the path of decoding is drawn. */
export const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const whole = { integer: true };
const counted = (name, min, max) => ({ kind: 'number', min, max, ...whole, name: () => name });
const measured = (name, min, max) => ({ kind: 'number', min, max, name: () => name });
const oneOf = (name, options) => ({ kind: 'choice', options, name: () => name });

const schema = {
  view: oneOf('The view', ['memory', 'roofline']),
  panel: oneOf('What stands below', ['product', 'model', 'machine']),
  scheme: oneOf('The scheme', SCHEMES),
  tokens: counted('Context', 1, 1e9),
  sequences: counted('Requests', 1, 1e6),
  cache_format: oneOf('The format of the cache', FORMATS),
  weight_format: oneOf('The format of the weights', FORMATS),
  accelerators: counted('Accelerators', 1, 1e5),
  memory_gb: measured('Memory in GB', 0.001, 1e6),
  bandwidth_tb_s: measured('Bandwidth in TB/s', 1e-6, 1e6),
  tflops: measured('Arithmetic in TFLOP/s', 1e-3, 1e6),
  other_gb: measured('Memory for other things in GB', 0, 1e6),
  allocation: oneOf('How memory is taken', ['paged', 'reserved']),
  page_tokens: counted('Tokens of a page', 1, 65536),
  reserved_tokens: counted('Tokens reserved', 0, 1e9),
  keeps_whole_windows: oneOf('Whether windows are kept whole', ['no', 'yes']),
  compare: oneOf('The comparison', Object.keys(COMPARED)),
  compare_format: oneOf('The format compared with', FORMATS),
  parameters_b: measured('Parameters in 10⁹', 0, 1e6),
  active_b: measured('Active parameters in 10⁹', 0, 1e6),
  ...Object.fromEntries(FIELDS.map((field) => [field, counted(NAMES[field], 0, 1e9)])),
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
    label: 'Reserved',
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
  active_parameters: shifted(state.active_b, GIGA),
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

/** The tables of the module, with what choosing a row sets; they do not change while the page stands. */
const tables = new WeakMap();

function tablesOf(cache) {
  if (!tables.has(cache)) {
    tables.set(cache, {
      models: cache
        .publishedModels()
        .map((row) => ({ ...row, fields: { ...fieldsOf(row.model), scheme: 'own' } })),
      accelerators: cache.accelerators().map((row) => ({ ...row, fields: machineFields(row) })),
    });
  }
  return tables.get(cache);
}

const agrees = (state, fields, names) => names.every((name) => state[name] === fields[name]);
const MACHINE = ['memory_gb', 'bandwidth_tb_s', 'tflops'];

/** What the second configuration changes of the first. */
function changeOf({ compare, compare_format }) {
  const same = { cache_format: compare_format };
  if (compare === 'whole') return { ...same, keeps_whole_windows: true };
  if (compare === 'paged') return { ...same, allocation: 'paged' };
  return { ...same, scheme: compare };
}

/** What a call answers, or why it cannot. */
function attempt(ask) {
  try {
    return ask();
  } catch (error) {
    return { problem: error.message };
  }
}

function compute(cache, state) {
  const plan = planOf(state);
  const bill = cache.bill(plan);
  const other =
    state.compare === 'off'
      ? undefined
      : attempt(() => cache.bill({ ...plan, ...changeOf(state) }));
  const bySch = (scheme) =>
    scheme === state.scheme ? bill : attempt(() => cache.bill({ ...plan, scheme }));
  const { models, accelerators } = tablesOf(cache);
  const numbers = {
    state,
    models,
    accelerators,
    // By what it keeps: a nominal count of weights is the same model.
    named: models.find(({ fields }) => agrees(state, fields, FIELDS)),
    machine: accelerators.find(({ fields }) => agrees(state, fields, MACHINE)),
    bill,
    other,
    schemes: Object.fromEntries(SCHEMES.map((scheme) => [scheme, bySch(scheme)])),
    formats: cache.numberFormats(),
    other_bytes: plan.other_bytes,
  };
  if (state.view === 'roofline') {
    numbers.path = attempt(() => cache.billSeries({ ...plan, along: 'sequences', at: BATCHES }));
  }
  return numbers;
}

/** A file's own fields; what it does not tell of the weights stays as it was, and that is said. */
function read(cache, { bytes: file, size }, state) {
  const found = cache.readModel({ file, size });
  if (found.needs_bytes > 0) return { needs: found.needs_bytes };
  const { model: told, architecture, notes, missing } = found;
  const fields = { ...fieldsOf(told), scheme: 'own', panel: 'model' };
  const lines = [`${architecture || 'No architecture named'}: read.`, ...notes];
  for (const [field, key] of [
    ['parameters', 'parameters_b'],
    ['active_parameters', 'active_b'],
  ]) {
    if (!missing.includes(field)) continue;
    fields[key] = state[key];
  }
  if (missing.length > 0) {
    lines.push(`Not told: ${missing.join(', ')}.`);
    if (missing.includes('parameters'))
      lines.push(
        `${NAMES.parameters_b}: ${exactText(state.parameters_b)} stays; type the right number.`,
      );
  }
  return { fields, lines };
}

/* ---- in words --------------------------------------------------------------------------------------------- */

export const bytes = formatDecimalBytes;
export const count = (value) => formatNumber(value, { decimals: 0 });

function sayMemory({ bill }) {
  const { memory } = bill;
  const [needed, taken] = [bill.needed_bytes, bill.allocated_bytes].map(bytes);
  const cached =
    needed === taken ? `${needed} of cache` : `${taken} taken for a cache that needs ${needed}`;
  const all = `${cached} and ${bytes(memory.weight_bytes)} of weights`;
  return memory.fits
    ? `${all}: it fits in ${bytes(memory.memory_bytes)}, ${bytes(memory.free_bytes)} stay free.`
    : `${all}: it does not fit in ${bytes(memory.memory_bytes)}, ${bytes(memory.missing_bytes)} are missing.`;
}

function saySpeed({ state, bill }) {
  const { decode, prefill } = bill;
  return `Each step of ${count(state.sequences)} tokens waits for ${decode.roof.bound_by}: ${formatSeconds(decode.roof.seconds)}, at most ${formatRate(decode.tokens_per_s)} tokens a second; the prompt is bound by ${prefill.roof.bound_by}.`;
}

const sentence = (numbers) =>
  numbers.state.view === 'roofline' ? saySpeed(numbers) : sayMemory(numbers);

/* ---- taken away ------------------------------------------------------------------------------------------- */

const billed = (bill) => [
  bill.token_bytes,
  bill.needed_bytes,
  bill.allocated_bytes,
  bill.memory.weight_bytes,
  bill.memory.total_bytes,
  bill.memory.memory_bytes,
];
const SHOWN = ['bytes a token', 'cache needed', 'cache allocated', 'weights', 'total', 'memory'];

/** Each configuration that could be reckoned: the first, then every scheme. */
const configurations = ({ state, bill, schemes }) => [
  [SCHEME_NAMES[state.scheme], bill],
  ...SCHEMES.filter((scheme) => scheme !== state.scheme && !schemes[scheme].problem).map(
    (scheme) => [SCHEME_NAMES[scheme], schemes[scheme]],
  ),
];

const picture = (numbers) => ({
  head: ['scheme', ...SHOWN, 'fits'],
  rows: configurations(numbers).map(([name, bill]) => [
    name,
    ...billed(bill).map(bytes),
    bill.memory.fits ? 'yes' : 'no',
  ]),
});

const rows = (numbers) => {
  const { state, bill } = numbers;
  return [
    ['scheme', ...SHOWN.map((name) => `${name.replaceAll(' ', '_')}_bytes`), 'fits'],
    ...configurations(numbers).map(([name, each]) => [
      name,
      ...billed(each),
      each.memory.fits ? 'yes' : 'no',
    ]),
    ['requests_that_fit', bill.room.most_sequences],
    ['tokens_that_fit', bill.room.most_tokens],
    ['decode_seconds', bill.decode.roof.seconds],
    ['decode_tokens_per_s', bill.decode.tokens_per_s],
    ['decode_intensity', bill.decode.roof.intensity],
    ['prefill_seconds', bill.prefill.roof.seconds],
    ['prefill_intensity', bill.prefill.roof.intensity],
    ['ridge', bill.decode.roof.ridge],
    ...Object.entries(state),
  ];
};

export const model = {
  tag: 'attn-kv-cache',
  title: 'The cache on one accelerator',
  summary: 'Model, scheme, context and requests: does the cache fit beside the weights?',
  module: 'cache',
  schema,
  defaults,
  cases,
  predict: {
    question: 'Does it fit?',
    possible: ({ state }) => state.view === 'memory',
    options: () => ['yes', 'no'],
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
