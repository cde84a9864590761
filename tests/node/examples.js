/**
 * One call of every function that the modules `core`, `experiments` and `cache` export, small enough to check by hand. The tests
 * of types, memory, bad input and reuse walk over these lists, and `exports.test.js` fails when a module exports a
 * function that is not in its own.
 */
export const sizes = { n_q: 2, n_k: 3, d_k: 2, d_v: 2 };

export const attention = () => ({
  ...sizes,
  Q: Float64Array.of(1, 2, 0, 1),
  K: Float64Array.of(1, 0, 1, 1, 0, 2),
  V: Float64Array.of(1, 0, 0.5, 0.5, 1, 0),
});

export const multiHead = () => ({
  n: 3,
  d_model: 4,
  n_heads: 2,
  X: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
  W_Q: Float64Array.of(1, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0),
  W_K: Float64Array.of(1, 0, 2, 0, 1, 1, 0, 1, 0, 2, 1, 0, 0, 0, 0, 0),
  W_V: Float64Array.of(1, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0),
  W_O: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
});

/** Functions of the core that take one options object. */
export const examples = {
  attention,
  attentionByHand: () => ({ ...attention(), decimals: 3 }),
  attentionBackward: () => ({ ...attention(), dO: Float64Array.of(1, -1, 0.5, 0.25) }),
  softmax: () => ({ x: Float64Array.of(1, 2, 3, 0, 0, 0), n: 2, m: 3 }),
  softmaxBackward: () => ({
    A: Float64Array.of(0.25, 0.25, 0.5),
    dA: Float64Array.of(1, 0, 0),
    n: 1,
    m: 3,
  }),
  multiHead,
  attentionShapes: () => ({ n: 3, d_model: 4, d_k: 2, d_v: 2 }),
  embed: () => ({
    n: 2,
    vocab_size: 3,
    d_model: 2,
    E: Float64Array.of(1, 2, 10, 20, 100, 200),
    P: Float64Array.of(0, 0, 0.5, -0.5),
    ids: Int32Array.of(2, 0),
  }),
  gpt2EmbeddingSizes: () => ({ vocab_size: 50257, n_positions: 1024, d_model: 768, n_layers: 12 }),
  randomNormals: () => ({ seed: 1, count: 5 }),
};

/** Functions of the core that take nothing. */
export const constants = { errorCodes: [] };

/** Functions of the experiments. */
export const experimentExamples = {
  gradientReach: () => ({ n: 4, lengths: Int32Array.of(2, 8), seeds: 3 }),
  drawVectors: () => ({ head: 'previous', n: 2, width: 3, seed: 1 }),
  drawValues: () => ({ words: Int32Array.of(0, 1, 0), d_v: 2, seed: 1 }),
  attentionMap: () => ({
    words: Int32Array.of(0, 1, 0),
    head: 'content',
    d_k: 2,
    vectors: Float32Array.of(1, 2, 3, -1, 0.5, 4),
    width: 3,
    values: Float64Array.of(1, 2, 3, 4, 5, 6),
    d_v: 2,
  }),
  multiHeadShapes: () => ({ n: 3, d_model: 4, n_heads: 2 }),
  scalingExperiment: () => ({ d_k: 3, keys: 2, rows: 4, seed: 5, bins: 6 }),
  scoreStatistics: () => ({ d_k: 64, keys: 16, gap: 20 }),
  quantiles: () => ({ values: Float64Array.of(3, 1, 2), shares: Float64Array.of(0, 0.5, 1) }),
  softmaxWayBack: () => ({
    S: Float64Array.of(1, 2, 3),
    dA: Float64Array.of(1, 0, 0),
    n: 1,
    m: 3,
  }),
  drawnScores: () => ({ seed: 1, n: 2, d_k: 3, factor: 1 }),
  onlineSoftmax: () => ({ ...attention(), tile_q: 1, tile_k: 2 }),
  attentionCosts: () => ({ n: 8, n_heads: 2 }),
};

/** The same of the answers to n². */
export const answersExamples = {
  recall: () => ({ answer: 'linear', pairs: Int32Array.of(1, 4), n: 8, texts: 2, bins: 2 }),
  answerPattern: () => ({ answer: 'gated_linear', n: 3, gate: 0.5 }),
  answerCurves: () => ({ lengths: Int32Array.of(1, 100), n_layers: 4 }),
};

/** The same of the layer. */
export const layerExamples = {
  influence: multiHead,
  maskedSoftmax: () => ({ x: Float64Array.of(1, 2, 3, 0, 0, 0), n: 2, m: 3 }),
  maskEffect: () => ({ tokens: 3, seed: 37, pads: 1, first_document: 2, window: 2, changed: 1 }),
  trainAttention: () => ({
    ids: Int32Array.of(0, 1, 2, 0, 1, 2),
    vocab_size: 3,
    n: 2,
    d_model: 4,
    d_k: 2,
    rounds: 2,
    steps: 2,
  }),
  sinusoidalPositions: () => ({ n: 2, d_model: 5 }),
  alibiSlopes: () => ({ n_heads: 8 }),
  positionSchemes: () => ({ ids: Int32Array.of(0, 1, 2), arrangement: 5, query_at: 4, reach: 2 }),
  rotaryClocks: () => ({
    q: Float64Array.of(1, 0, 0.5, 0.5),
    k: Float64Array.of(0, 1, 1, 0),
    m: 3,
    n: 1,
    reach: 2,
  }),
};

/** A model small enough to be billed by hand: 2 · 2 layers · 1 KV head · 4 numbers · 2 bytes are 32 a token. */
const cacheModel = () => ({
  n_layers: 2,
  n_heads: 2,
  d_model: 8,
  full_layers: 2,
  n_kv_heads: 1,
  d_k: 4,
  d_v: 4,
  parameters: 1000,
  active_parameters: 1000,
});

const bill = () => ({
  model: cacheModel(),
  tokens: 10,
  memory_bytes: 1e6,
  bandwidth_bytes_s: 1e9,
  flops_s: 1e12,
});

/** Functions of the bill that take one options object; the last field is one that can be out of range. */
export const billExamples = {
  bill,
  schemeBills: bill,
  billSeries: () => ({ at: Float64Array.of(1, 10), ...bill() }),
  withScheme: () => ({ model: cacheModel(), scheme: 'mqa' }),
  withKvHeads: () => ({ model: cacheModel(), n_kv_heads: 2 }),
  promptGrowth: () => ({ model: cacheModel(), tokens: 20, against: 10 }),
  byteUnits: () => ({ bytes: 1024 }),
  fillCache: () => ({ layout: 'paged', d_k: 4, page_tokens: 2, shared_tokens: 1, tokens: 3 }),
};

/** The smallest vocabulary as a .tiktoken file: the 256 bytes. */
const vocabularyLines = () =>
  new TextEncoder().encode(
    Array.from({ length: 256 }, (_, byte) => `${btoa(String.fromCharCode(byte))} ${byte}\n`).join(
      '',
    ),
  );

/** A vocabulary of one character in the plain form (src/tokenizer/files.hpp). */
const plainVocabulary = () => {
  const numbers = [1, 3, 0, 1, 0, 0, 1, 0, 1].flatMap((number) => [number, 0, 0, 0]);
  return Uint8Array.of(...new TextEncoder().encode('ATTNBPE0'), ...numbers, 97);
};

/** Functions of the files that do. */
export const fileExamples = {
  readModel: () => ({
    file: new TextEncoder().encode(
      '{"num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 2, "vocab_size": 4}',
    ),
    size: 85,
  }),
  readVocabulary: () => ({ file: vocabularyLines(), format: 'tiktoken' }),
  writeVocabulary: () => ({ file: plainVocabulary(), format: 'json' }),
};

/** Functions of the cache that do. */
export const cacheExamples = {
  storedRows: () => ({ rows: Float32Array.of(1, 2, 3, 4), width: 2, format: 'f16' }),
};

/** Functions of the run that writes that do. */
export const decodeExamples = {
  tokenPasses: () => ({ n: 4 }),
};

/** Functions of the models that do. */
export const modelExamples = {
  shardNames: () => ({ index: '{"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}}' }),
};

/** One layer of two heads over the words a b a. */
const maps = () => ({
  n_layers: 1,
  n_heads: 2,
  n: 3,
  weights: Float32Array.of(1, 0, 0, 0.75, 0.25, 0, 0.25, 0.5, 0.25, 1, 0, 0, 0.5, 0.5, 0, 0, 1, 0),
});

/** The smallest recording (src/model/recording.hpp): one head over two tokens. */
const recordingFile = () =>
  Uint8Array.from(
    atob(
      'QVRUTk1BUDGAAAAAOVToxQQAdGlueQEAZgEAbQEAZAEAAQABAAIAAgAQAAAAAQBhAQEAAACAPwAAAEADAGEgYgIAAAAAPwAA' +
        'QD8BAgBhYgMAYSBiAgAAAAAAAQBhAQAAAAIAIGIAAAA/AQAAAAABAGEAAIA+AAAAQACA////M8w=',
    ),
    (letter) => letter.charCodeAt(0),
  );

/** Functions of the readings. */
export const readingExamples = {
  readRecording: () => ({ file: recordingFile() }),
  findPatterns: () => ({ ...maps(), ids: Int32Array.of(5, 6, 5), shuffles: 4, seed: 2 }),
  findPairs: () => ({
    ...maps(),
    pairs: Int32Array.of(1, 0, 2, 1),
    shuffles: 4,
    seed: 2,
  }),
  firstTokenShare: () => ({ ...maps(), first_row: 1 }),
  readMap: () => ({
    n_heads: 1,
    n_kv_heads: 1,
    n: 2,
    weights: Float32Array.of(1, 0, 0.25, 0.75),
    value_lengths: Float32Array.of(4, 1),
    head: 0,
    row: 1,
  }),
};

/** Those that fetch. */
export const readingHandles = { recording: [], opened: [] };

/** Functions of the bill that take nothing. */
export const billConstants = { numberFormats: [], publishedModels: [], accelerators: [] };

/** What opens something, and the calls of the module that its handle makes (kv-cache.test.js has them all). */
export const cacheHandles = {
  open: [
    ...['openCache', 'cacheStats', 'attendCache', 'closeCache', 'openSequence', 'sequenceStats'],
    ...['appendTokens', 'readRows', 'rollBack', 'forkSequence', 'evictTokens', 'closeSequence'],
  ],
};
export const decodeHandles = {
  decodeRun: ['openDecodeRun', 'stepDecodeRun', 'decodeRunState', 'closeDecodeRun'],
};
const loadingCalls = ['loadingState', 'giveBytes', 'finishModel', 'closeLoading'];
export const modelHandles = {
  gguf: [
    ...['loadGguf', ...loadingCalls, 'encodeText', 'decodeIds', 'takeTokens', 'takePrompt'],
    ...[
      'candidateTokens',
      'nextToken',
      'evictTokens',
      'rollBackModel',
      'resetModel',
      'modelState',
      'closeModel',
    ],
  ],
  safetensors: ['loadSafetensors'],
};

/**
 * All of them: the module, the function, its options.
 * @returns {[string, string, () => any][]}
 */
export const allExamples = () =>
  Object.entries({
    core: examples,
    experiments: experimentExamples,
    layer: layerExamples,
    bill: billExamples,
    files: fileExamples,
    cache: cacheExamples,
    decode: decodeExamples,
    model: modelExamples,
    answers: answersExamples,
    reading: readingExamples,
  }).flatMap(([module, list]) =>
    Object.entries(list).map(([name, example]) => [module, name, example]),
  );
