/**
 * Every golden figure that the modules can compute, computed by them:
 * `recompute[id](core, row, modules)`, with GPT-2's vocabulary open.
 * Inputs come from the row; where a row says “as above” they come from the row it means. Nothing is
 * calculated here: values are picked and reshaped, and two results are compared where the figure
 * itself is a difference or a factor.
 */
import { LIST } from '../../web/simulators/embedding/embedding.model.js';
import { CORPUS, documentsOf } from '../../web/shared/corpus.js';
import { shifted } from '../../web/shared/number.js';
import { ordinal } from '../../web/shared/pick.js';
import { readable, tokenBytes } from '../../web/shared/piece-text.js';
import { model as rope } from '../../web/simulators/rope/rope.model.js';
import { numbered } from '../../web/simulators/matrix/matrix.model.js';

const flat = (matrix) => Float64Array.from(matrix.flat());

/** Row-major data as a list of rows. */
const rowsOf = (data, columns) =>
  Array.from({ length: data.length / columns }, (_, i) => [
    ...data.subarray(i * columns, (i + 1) * columns),
  ]);

const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));
const ones = (length) => new Float64Array(length).fill(1);

/** One query over keys and values given as rows. */
const asked = ({ q, K, V }, more = {}) => ({
  Q: Float64Array.from(q),
  K: flat(K),
  V: flat(V),
  n_q: 1,
  n_k: K.length,
  d_k: q.length,
  d_v: V[0].length,
  ...more,
});

const ask = (core, inputs, more) => core.attention(asked(inputs, more));

/** The lecture's bank and the recap's sentence, for rows that only name what they change. */
const BANK = {
  q: [1, 2],
  K: [
    [1, 0],
    [1, 1],
    [0, 2],
  ],
  V: [
    [1, 0],
    [0.5, 0.5],
    [1, 0],
  ],
};
const RECAP_SCORES = [
  2.1, 0.3, 1.7, 0.9, 0.8, 3.2, 0.4, 1.1, 1.4, 0.6, 2.8, 0.2, 0.5, 1.9, 1.2, 2.4,
];

const recapMask = (core, i) =>
  rowsOf(
    core.softmax({ x: Float64Array.from(RECAP_SCORES), n: 4, m: 4, mask: { causal: true } })
      .weights,
    4,
  )[i];

/** A product of matrices: the scores of an attention are rows times rows, before they are divided. */
const product = (core, a, b) => {
  const columns = transposed(b);
  const { scores } = core.attention({
    Q: flat(a),
    K: flat(columns),
    V: ones(columns.length),
    n_q: a.length,
    n_k: columns.length,
    d_k: b.length,
    d_v: 1,
  });
  return rowsOf(scores, columns.length);
};

/** The lab's layer: X [6, 16] and the projections [16, 8], [16, 8], [16, 4], one stream per seed. */
const labLayer = (core, seed) => {
  const shapes = [
    [6, 16],
    [16, 8],
    [16, 8],
    [16, 4],
  ];
  const numbers = core.randomNormals({
    seed,
    count: shapes.reduce((sum, [rows, columns]) => sum + rows * columns, 0),
  });
  let start = 0;
  const [X, ...W] = shapes.map(([rows, columns], index) => {
    const part = numbers.subarray(start, start + rows * columns);
    start += part.length;
    return rowsOf(index === 0 ? part : part.map((value) => value / 4), columns);
  });
  return { X, W };
};

const layerOutput = (core, X, W, mask) => {
  const [Q, K, V] = W.map((matrix) => product(core, X, matrix));
  const { output } = core.attention({
    Q: flat(Q),
    K: flat(K),
    V: flat(V),
    n_q: X.length,
    n_k: X.length,
    d_k: 8,
    d_v: 4,
    mask,
  });
  return rowsOf(output, 4);
};

const largestDifference = (a, b) =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i][j]))));

const padded = (core, { inputs: { seed } }, mask) => {
  const { X, W } = labLayer(core, seed);
  const pads = Array.from({ length: 6 }, () => Array(16).fill(0));
  const real = layerOutput(core, X, W);
  return largestDifference(real, layerOutput(core, [...X, ...pads], W, mask).slice(0, 6));
};

const permuted = (core, { inputs: { seed } }) => {
  const { X, W } = labLayer(core, seed);
  const order = [3, 0, 5, 1, 4, 2];
  const plain = layerOutput(core, X, W);
  return largestDifference(
    layerOutput(
      core,
      order.map((i) => X[i]),
      W,
    ),
    order.map((i) => plain[i]),
  );
};

const rowsThatChange = (core, { inputs: { seed } }, mask) => {
  const { X, W } = labLayer(core, seed);
  const before = X.slice(0, 5);
  const after = before.map((row, i) => (i === 4 ? row.map((value) => value + 1) : row));
  const [a, b] = [before, after].map((tokens) => layerOutput(core, tokens, W, mask));
  return a.filter((row, i) => largestDifference([row], [b[i]]) > 1e-12).length;
};

/** The score of the lab's query and key at their places. */
const ropeScore = (layer, m, n, more = {}) =>
  layer.rotaryClocks({ q: rope.defaults.q, k: rope.defaults.k, m, n, ...more }).score;

const IDENTITY = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

/** The lab's three tokens through multi-head attention: A [heads][row][column], O [row][column]. */
const heads = (core, { inputs: { X, W_Q, W_K, W_V } }, n_heads, mask) => {
  const { steps, weights } = core.multiHead({
    X: flat(X),
    W_Q: flat(W_Q),
    W_K: flat(W_K),
    W_V: flat(W_V),
    W_O: flat(IDENTITY),
    n: 3,
    d_model: 4,
    n_heads,
    mask,
  });
  const A = rowsOf(weights, 9).map((head) => rowsOf(Float64Array.from(head), 3));
  return { A, O: rowsOf(steps.find(({ name }) => name === 'concat').data, 4) };
};

/** Keys are rows of W_K, as X is the identity's first rows: one row for all makes them equal. */
const equalKeys = ({ inputs }) => ({
  inputs: { ...inputs, W_K: inputs.W_K.map(() => inputs.W_K[1]) },
});

const multiHeadParameters = (core, d_model) =>
  core.multiHead({
    X: new Float64Array(d_model),
    ...Object.fromEntries(
      ['Q', 'K', 'V', 'O'].flatMap((name) => [
        [`W_${name}`, new Float64Array(d_model * d_model)],
        [`b_${name}`, new Float64Array(d_model)],
      ]),
    ),
    n: 1,
    d_model,
    n_heads: 4,
  }).parameters;

/** A matrix of which a row tells what is not 0: [row, column, value]. */
const sparse = (entries, size) => {
  const rows = Array.from({ length: size }, () => Array(size).fill(0));
  for (const [i, j, value] of entries) rows[i][j] = value;
  return flat(rows);
};

/** The five heads of slide 27 in one layer: what each head's weights are, and its outputs. */
const gallery = (core, { inputs: { X, W_Q, W_K, W_V, n_heads } }) => {
  const [n, d_model] = [X.length, X[0].length];
  const { weights, steps } = core.multiHead({
    X: flat(X),
    W_Q: sparse(W_Q, d_model),
    W_K: sparse(W_K, d_model),
    W_V: sparse(W_V, d_model),
    W_O: sparse(
      X[0].map((_, i) => [i, i, 1]),
      d_model,
    ),
    n,
    d_model,
    n_heads,
    mask: { causal: true },
  });
  const outputs = steps.find(({ name }) => name === 'head_outputs');
  const byHead = (data, columns) =>
    rowsOf(data, n * columns).map((head) => rowsOf(Float64Array.from(head), columns));
  return { A: byHead(weights, n), out: byHead(outputs.data, outputs.shape[2]) };
};

/** SmolLM2-135M: the fields that the lecture's line 301 gives. */
const SMOL = { layers: 30, heads: 9, kv: 3, d_head: 64 };

/** The run of a real model that a row names; it has to be open. */
const recorded = (reading, { inputs }) => reading.opened(inputs.recording);
const readingOf = (reading, row, text) =>
  recorded(reading, row).readings.find(({ id }) => id === text);

function mapsOf(reading, row, text) {
  const { weights, tokens, model } = readingOf(reading, row, text);
  const { n_layers, n_heads } = model;
  return { n_layers, n_heads, n: tokens.length, parts: weights };
}

const patternsOf = (reading, row, text) =>
  reading.findPatterns({
    ...mapsOf(reading, row, text),
    ids: readingOf(reading, row, text).tokens.map(({ id }) => id),
    shuffles: row.inputs.shuffles,
    seed: row.inputs.seed,
  });

/** A head's score for a pattern, and the best by luck. */
function patternOf(reading, row) {
  const {
    pattern,
    text,
    layer_and_head: [layer, head],
  } = row.inputs;
  const { scores, shuffled_best: luck } = patternsOf(reading, row, text);
  const { n_layers, n_heads } = recorded(reading, row).model;
  return [scores[(pattern * n_layers + layer) * n_heads + head], luck[pattern]];
}

/** A head's score for pairs that are named, the best by luck, and the same on average. */
function namedPairs(reading, row) {
  const {
    text,
    pairs,
    layer_and_head: [layer, head],
    shuffles,
    seed,
  } = row.inputs;
  const found = reading.findPairs({
    ...mapsOf(reading, row, text),
    pairs: pairs.flat(),
    shuffles,
    seed,
  });
  const { n_heads } = recorded(reading, row).model;
  return [found.scores[layer * n_heads + head], found.shuffled_best[0], found.shuffled_mean[0]];
}

/** One head's map of a recorded text, with a row of it. */
function mapOf(reading, row) {
  const {
    text,
    layer_and_head: [layer, head],
    row: at = 0,
  } = row.inputs;
  const { weights, value_lengths: lengths, tokens, model } = readingOf(reading, row, text);
  const { n_layers, n_heads, n_kv_heads } = model;
  const ofLayer = (all) => {
    const each = all.length / n_layers;
    return all.subarray(layer * each, (layer + 1) * each);
  };
  const n = tokens.length;
  const map = reading.readMap({
    n_heads,
    n_kv_heads,
    n,
    parts: ofLayer(weights),
    value_lengths: ofLayer(lengths),
    head,
    row: at,
  });
  return { n, ...map };
}

/** Weight and influence in the lecture's two heads, by head where there is one for each. */
const influence = (layer, { inputs: { X, W_Q, W_K, W_V } }) => {
  const found = layer.influence({
    X: flat(X),
    W_Q: flat(W_Q),
    W_K: flat(W_K),
    W_V: flat(W_V),
    W_O: flat(IDENTITY),
    n: 3,
    d_model: 4,
    n_heads: 2,
  });
  const byHead = (data) => rowsOf(data, 9).map((head) => rowsOf(Float64Array.from(head), 3));
  return {
    norms: rowsOf(found.value_norms, 3),
    weighted: byHead(found.weighted),
    hidden: byHead(found.hidden_in_head),
    everywhere: rowsOf(found.hidden, 3),
    without: rowsOf(found.head_changes, 3),
  };
};

/** Where the words of a sentence stand among GPT-2's tokens. */
const places = (tokens, sentence, words) => {
  const pieces = gpt2Pieces(tokens, sentence);
  return { count: pieces.length, at: words.map((word) => pieces.indexOf(readable(utf8(word)))) };
};
const utf8 = (text) => new TextEncoder().encode(text);

const backBank = (core, { inputs: { dO } }) => {
  const { dA, dS } = core.attentionBackward(asked(BANK, { dO: Float64Array.from(dO) }));
  const [sum] = ask(core, { q: dS, K: [[...ones(3)]], V: [[1]] }).scores;
  return { dA, dS, sum };
};

const byHand = (core, { inputs }) =>
  core.attentionByHand(asked(inputs, { decimals: inputs.decimals }));

/** What a position may see under the causal mask, and what it has to say next. */
const seenAndNext = (core, { inputs: { tokens } }) => {
  const n = tokens.length;
  const { allowed } = core.softmax({ x: new Float64Array(n * n), n, m: n, mask: { causal: true } });
  return tokens.slice(1).map((next, t) => {
    const seen = tokens.filter((_, j) => allowed[t * n + j] === 1);
    return `${seen.join('')}>${next}`;
  });
};

/** The tokenizer of the first merges that the lecture's corpus gives, and what they were. */
const learnt = (tokens, merges) => {
  const trainer = tokens.train({
    documents: documentsOf(CORPUS),
    tie: 'first-seen',
    alphabet: 'characters',
  });
  const steps = trainer.step(merges);
  const table = trainer.state(0);
  const tokenizer = trainer.tokenizer();
  const { base_count } = trainer;
  trainer.close();
  return { steps, table, tokenizer, base_count };
};

const toyPieces = (tokens, text, merges = 40) => {
  const { table, tokenizer } = learnt(tokens, merges);
  const pieces = [...tokenizer.encode(text)].map((id) => readable(tokenBytes(table, id)));
  tokenizer.close();
  return pieces;
};

const RUNNING = 'the cat climbed the';

/** The merges, counted from one, that the running sentence meets on its way to five pieces. */
const touching = (tokens) => {
  const { steps, table, tokenizer } = learnt(tokens, 40);
  const { rank } = tokenizer.replay(RUNNING);
  tokenizer.close();
  const text = (id) => readable(tokenBytes(table, id));
  return Array.from(rank, (r) => `${text(steps.left[r])}+${text(steps.right[r])}`);
};

const gpt2 = (tokens) => tokens.opened('gpt2');
const gpt2Pieces = (tokens, text) =>
  [...gpt2(tokens).encode(text)].map((id) => readable(gpt2(tokens).decodeBytes([id])));

const sentencePair = (core, { inputs: { en, pt } }, { tokens }) =>
  [en, pt].flatMap((text) => {
    const { words, tokens: count } = gpt2(tokens).measure(text);
    return [words, count];
  });

const gpt2Sizes = (core) =>
  core.gpt2EmbeddingSizes({ vocab_size: 50257, n_positions: 1024, d_model: 768, n_layers: 12 });

/** What is left of the gradient at the far end of 64 and of 256 tokens. */
/** All weights of a drawn head over a sentence. */
const drawnMap = (experiments, { tokens, head, seed, d_k, divide, d_v }) =>
  experiments.attentionMap({
    words: numbered(tokens),
    head,
    d_k,
    divide,
    width: d_k,
    vectors: experiments.drawVectors({ head, n: tokens.length, width: d_k, seed }).vectors,
    ...(d_v && {
      d_v,
      values: experiments.drawValues({ words: numbered(tokens), d_v, seed }).values,
    }),
  });

const reachEnds = (experiments, more = {}) =>
  experiments.gradientReach({ n: 1, lengths: [64, 256], seed: 48, seeds: 0, ...more });

const quartilesAt64And256 = (experiments, seeds) => {
  const { lower_ends, upper_ends } = reachEnds(experiments, { seeds });
  return [0, 1].map((k) => [lower_ends[k], upper_ends[k]]);
};

const embedded = (core, { ids, E, P }) => {
  // The lecture gives E for five of its twelve tokens; the others are not looked up.
  const rows = Array.isArray(E) ? E : LIST.map((_, id) => E[id] ?? [0, 0, 0, 0]);
  const { X } = core.embed({
    ids: Int32Array.from(ids),
    E: flat(rows),
    P: flat(P),
    n: ids.length,
    vocab_size: rows.length,
    d_model: 4,
  });
  return rowsOf(X, 4);
};

/** Models by the fields that their caches and weights depend on; H100 SXM: 80 GB, 3.35 TB/s, 989.4 TFLOP/s in 16 bits. */
const LLAMA_8B = {
  n_layers: 32,
  n_heads: 32,
  d_model: 4096,
  full_layers: 32,
  n_kv_heads: 8,
  d_k: 128,
  d_v: 128,
  parameters: 8030261248,
  active_parameters: 8030261248,
};
const LLAMA_70B = {
  ...LLAMA_8B,
  n_layers: 80,
  n_heads: 64,
  d_model: 8192,
  full_layers: 80,
  parameters: 70553706496,
  active_parameters: 70553706496,
};
const H100 = { memory_bytes: 80e9, bandwidth_bytes_s: 3.35e12, flops_s: 989.4e12 };

const billOf = (bills, model, tokens = 1, more = {}) =>
  bills.bill({ model, tokens, ...H100, ...more });

/** The recap's 80 layers with MHA, GQA and MQA: their models. */
const headsOf80 = (bills) =>
  [64, 8, 1].map((n_kv_heads) => bills.withKvHeads({ model: LLAMA_70B, n_kv_heads }));

/** Their bills, and that of MLA, whose keys are 128 from the latent and 64 that turn. */
const schemesOf80 = (bills, tokens) => [
  ...headsOf80(bills).map((model) => billOf(bills, model, tokens)),
  billOf(bills, { ...LLAMA_70B, d_k: 192 }, tokens, { scheme: 'mla' }),
];
const mha80 = (bills, tokens) => schemesOf80(bills, tokens)[0];
const gqa80 = (bills, tokens) => schemesOf80(bills, tokens)[1];

/** MHA against a latent of 512 + 64, for so many heads of 128. */
const latentTimes = (bills, n_heads, d_k = 128) =>
  billOf(bills, { ...LLAMA_8B, n_heads, n_kv_heads: n_heads, d_k }, 1, { scheme: 'mla' }).mha_times;

/** A model by the fields that a row gives. */
const shapeOf = ({ layers, heads, kv = heads, d_head }) => ({
  n_layers: layers,
  n_heads: heads,
  full_layers: layers,
  n_kv_heads: kv,
  d_k: d_head,
  d_v: d_head,
});

/** Rows of a head that a layer keeps for a token: a key and a value. */
const keptOf = ({ numbers }, { n_kv_heads, d_k }) => numbers / n_kv_heads / d_k;

/** Bytes of a number in 16 bits, out of what a token takes in them and in numbers of one byte. */
const bytesOfNumber = (bills, model) =>
  billOf(bills, model).token_bytes / billOf(bills, model, 1, { cache_format: 'f8' }).token_bytes;

const unitsOf = (bills, bytes) => bills.byteUnits({ bytes });
const prompts = (bills, model, tokens, against) => bills.promptGrowth({ model, tokens, against });

/** A row of the table of √d_k: with the division, then without. */
const scalingRow = ({ largest_weights, gradient_norms, dead_percents }) => [
  largest_weights[1],
  gradient_norms[1],
  largest_weights[0],
  gradient_norms[0],
  dead_percents[0],
];
const scalingTable = (core, { inputs }, { experiments }) =>
  scalingRow(experiments.scalingExperiment(inputs));

/** The medians of such rows over seeds 1 to 200. */
const scalingMedians =
  (d_k) =>
  (core, row, { experiments }) => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      scalingRow(experiments.scalingExperiment({ d_k, seed: i + 1, bins: 1 })),
    );
    return transposed(rows).map(
      (values) => experiments.quantiles({ values, shares: [0.5] }).quantiles[0],
    );
  };

const scores64 = (experiments, keys = 16) =>
  experiments.scoreStatistics({ d_k: 64, keys, gap: 20 });

/** Rows saturated by queries a hundred times as long: how many, and the shortest and longest gradient before and after. */
const queriesTimes100 = (core, { inputs: { seed } }, { experiments }) => {
  const [before, after] = [1, 100].map((factor) => {
    const drawn = experiments.drawnScores({ seed, n: 5, d_k: 8, factor });
    return experiments.softmaxWayBack({ ...drawn, n: 5, m: 5 });
  });
  const hot = [0, 1, 2, 3, 4].filter((i) => after.largest_weights[i] >= 0.9995);
  const ends = ({ norms }) => {
    const lengths = hot.map((i) => norms[i]);
    return [Math.min(...lengths), Math.max(...lengths)];
  };
  return [hot.length, ...ends(before), ...ends(after)];
};

const recalled = (answers, { pairs, ...options }) =>
  ['full', 'window', 'block_sparse', 'linear', 'gated_linear', 'selective_state', 'hybrid'].map(
    (answer) => answers.recall({ ...options, answer, pairs: [pairs] }).right[0],
  );

export const recompute = {
  'tok.chars': (core, row, { tokens }) => gpt2(tokens).measure(RUNNING).characters,
  'tok.gpt2.vocab': (core, row, { tokens }) => gpt2(tokens).vocab_size,
  'tok.ratio': (core, row, { tokens }) =>
    [
      'The cat climbed on the roof of the house because it was afraid of the dog.',
      'O gato subiu no telhado da casa porque estava com medo do cachorro.',
    ].map((text) => gpt2(tokens).measure(text).tokens_per_word),
  'tok.gpt2.ids': (core, row, { tokens }) =>
    ['the', ' the', ' climbed'].flatMap((text) => [...gpt2(tokens).encode(text)]),
  'tok.gpt2.en4': (core, row, { tokens }) => gpt2(tokens).encode(RUNNING).length,
  'tok.gpt2.pt6': (core, row, { tokens }) => gpt2(tokens).encode('o gato subiu no').length,
  'tok.gpt2.pt6.pieces': (core, row, { tokens }) => gpt2Pieces(tokens, 'o gato subiu no').join(' '),
  'tok.gpt2.pair1': sentencePair,
  'tok.gpt2.pair2': sentencePair,
  'tok.gpt2.pair3': sentencePair,

  'bpe.counts': (core, row, { tokens }) =>
    [0, 3, 8, 14, 40].map((merges) => toyPieces(tokens, RUNNING, merges).length),
  'bpe.merges': (core, row, { tokens }) => touching(tokens),
  'bpe.touch': (core, row, { tokens }) => touching(tokens).length,
  'bpe.chars': (core, row, { tokens }) => learnt(tokens, 0).base_count,
  'bpe.case0': (core, row, { tokens }) => toyPieces(tokens, RUNNING).join(' '),
  'bpe.case1': (core, row, { tokens }) => toyPieces(tokens, `${RUNNING} roof.`).join(' '),
  'bpe.case2': (core, row, { tokens }) => toyPieces(tokens, 'the bird climbed the roof.').join(' '),
  'bpe.pt': (core, row, { tokens }) => toyPieces(tokens, 'o gato subiu no telhado.').length,
  'bpe.ids': (core, row, { tokens }) =>
    tokens.idsInList({ pieces: toyPieces(tokens, RUNNING), list: LIST }),

  // A cell path whose gate stands at 0.9 is a product of as many factors 0.9.
  'rnn.product0.9': (core, { inputs }, { experiments }) =>
    reachEnds(experiments, { lengths: inputs.n, forget_gate: 0.9 }).cell_path_ends,
  'rnn.lstm': (core, row, { experiments }) => reachEnds(experiments).cell_path_ends,
  'rnn.attention': (core, row, { experiments }) => reachEnds(experiments).attention_ends,
  'rnn.plain.seed48': (core, row, { experiments }) => reachEnds(experiments).plain_ends,
  'rnn.plain.median100': (core, row, { experiments }) =>
    reachEnds(experiments, { seeds: 100 }).median_ends,
  'rnn.plain.quartiles100': (core, row, { experiments }) => quartilesAt64And256(experiments, 100),
  'rnn.plain.median1000': (core, row, { experiments }) =>
    reachEnds(experiments, { seeds: 1000 }).median_ends,
  'rnn.plain.quartiles1000': (core, row, { experiments }) => quartilesAt64And256(experiments, 1000),

  'sqrt.sd': (core, row, { experiments }) => scores64(experiments).deviation,
  'sqrt.differ20': (core, row, { experiments }) => [
    scores64(experiments).differ_probability,
    scores64(experiments, 6).mean_range,
    scores64(experiments).mean_range,
  ],
  'sqrt.e-20': (core, row, { experiments }) => scores64(experiments).left_behind,
  'sqrt.overdk': (core, row, { experiments }) =>
    [4, 64, 1024].map(
      (d_k) => experiments.scoreStatistics({ d_k, keys: 16, gap: 0 }).variance_over_d_k,
    ),
  'sqrt.uniform': (core, row, { experiments }) => scores64(experiments).uniform_weight,
  'sqrt.table.4.seed': scalingTable,
  'sqrt.table.64.seed': scalingTable,
  'sqrt.table.1024.seed': scalingTable,
  'sqrt.table.4.single': scalingTable,
  'sqrt.table.64.single': scalingTable,
  'sqrt.table.1024.single': scalingTable,
  'sqrt.dist.4': scalingMedians(4),
  'sqrt.dist.64': scalingMedians(64),
  'sqrt.dist.1024': scalingMedians(1024),
  // The quotient of two figures of the table as they are printed, with two digits each.
  'sqrt.ratio': (core, row, { experiments }) => {
    const { gradient_norms } = experiments.scalingExperiment({ d_k: 1024, seed: 952 });
    const [without, with_] = [...gradient_norms].map((norm) => Number(norm.toPrecision(2)));
    return with_ / without;
  },
  'back.x100': queriesTimes100,

  'deck.map.weights': (core, { inputs }, { experiments }) =>
    rowsOf(drawnMap(experiments, { ...inputs, head: 'content' }).weights, inputs.tokens.length),
  'deck.map.outputs': (core, { inputs }, { experiments }) =>
    rowsOf(drawnMap(experiments, { ...inputs, head: 'content' }).outputs, inputs.d_v),
  'deck.map.untrained': (core, { inputs }, { experiments }) =>
    inputs.d_k.map((d_k) =>
      inputs.divided.map(
        (divide) =>
          drawnMap(experiments, { ...inputs, d_k, divide, head: 'untrained' }).mean_largest,
      ),
    ),

  'emb.X': (core, { inputs }) => embedded(core, inputs),
  'deck.emb.dog': (core, { inputs }) => embedded(core, inputs),
  'emb.gpt2.E': (core) => gpt2Sizes(core).token_table_millions,
  'emb.gpt2.share': (core) => gpt2Sizes(core).token_percent,
  'emb.gpt2.P': (core) => gpt2Sizes(core).position_table,

  'rng.normal': (core, { inputs, computed }) =>
    core.randomNormals({ seed: inputs.seed, count: computed.length }),

  'deck.row.scores': (core, { inputs }) => ask(core, { ...inputs, V: inputs.K }).scores,
  'deck.row.weights': (core, { inputs }) => ask(core, { ...inputs, V: inputs.K }).weights,
  'deck.middle.a': (core, { inputs: { x } }) => middle(core, x),
  'deck.middle.b': (core, { inputs: { x } }) => middle(core, x),
  'deck.two.river.w': (core, { inputs }) => ask(core, inputs).weights,
  'deck.two.river.out': (core, { inputs }) => ask(core, inputs).output,
  'deck.two.cash.w': (core, { inputs }) => ask(core, inputs).weights,
  'deck.two.cash.out': (core, { inputs }) => ask(core, inputs).output,
  'deck.soft.w': (core, { inputs }) => ask(core, inputs).weights,
  'deck.soft.out': (core, { inputs }) => ask(core, inputs).output,
  'deck.soft.sharp': (core, { inputs }) => ask(core, inputs).output,
  // An exact lookup is what the soft one tends to: this query means pear and nothing else.
  'dict.pear': (core) =>
    ask(core, {
      q: [0, 100],
      K: [
        [1, 0],
        [0, 1],
      ],
      V: [[3], [7]],
    }).output[0],

  'bank.score': (core, { inputs }) => ask(core, inputs).scores,
  'bank.scaled': (core, { inputs }) => ask(core, inputs).scaled,
  'bank.exp': (core, { inputs }) => ask(core, inputs).exponentials,
  'bank.sum': (core, { inputs }) => ask(core, inputs).sums[0],
  'bank.w': (core, { inputs }) => ask(core, inputs).weights,
  'bank.wsum': (core, { inputs }) => ask(core, inputs).weight_sums[0],
  'bank.contrib': (core, { inputs }) => rowsOf(ask(core, inputs).contributions, 2),
  'bank.out': (core, { inputs }) => ask(core, inputs).output,
  'bank.a': (core, { inputs }) =>
    ask(core, { ...BANK, V: [...BANK.V.slice(0, 2), inputs['v(river)']] }).output,
  'bank.b': (core, { inputs }) => ask(core, { ...BANK, q: inputs.q }).weights,
  'bank.b.out': (core) => ask(core, { ...BANK, q: [1, 0] }).output,
  'bank.c': (core) => ask(core, { ...BANK, q: [0, 0] }).weights,
  'bank.c.out': (core) => ask(core, { ...BANK, q: [0, 0] }).output,
  'bank.dk': (core) =>
    [1, 2, 4, 16, 64].map((divisor_d_k) => [...ask(core, BANK, { divisor_d_k }).weights]),
  'back.bank': backBank,

  'recap.score': (core, { inputs }) => ask(core, inputs).scores,
  'recap.sqrt2': (core) => ask(core, BANK).divisor,
  'recap.scaled': (core, { inputs }) => ask(core, inputs).scaled,
  'recap.exp.the': (core, { inputs }) => ask(core, inputs).exponentials[0],
  'recap.exp.cat': (core, { inputs }) => ask(core, inputs).exponentials[1],
  'recap.exp.sat': (core, { inputs }) => ask(core, inputs).exponentials[2],
  'recap.sum': (core, { inputs }) => ask(core, inputs).sums[0],
  'recap.w': (core, { inputs }) => ask(core, inputs).weights,
  'recap.pct': (core, { inputs }) => {
    const [the, cat, sat] = ask(core, { ...inputs, V: [[100], [100], [100]] }).contributions;
    return [cat, sat, the];
  },
  'recap.contrib': (core, { inputs }) => ask(core, inputs).contributions.slice(0, 5),
  'recap.contrib.sat2': (core, { inputs }) => ask(core, inputs).contributions[5],
  'recap.out': (core, { inputs }) => ask(core, inputs).output,

  'deck.hand.root': (core, row) => byHand(core, row).divisor,
  'deck.hand.scaled': (core, row) => byHand(core, row).scaled,
  'deck.hand.exp': (core, row) => byHand(core, row).exponentials,
  'deck.hand.exp.cat': (core, row) => byHand(core, row).exponentials[1],
  'deck.hand.sum': (core, row) => byHand(core, row).sums[0],
  'deck.hand.w': (core, row) => byHand(core, row).weights,
  'deck.hand.contrib': (core, row) => rowsOf(byHand(core, row).contributions, 2),
  'deck.hand.contrib.sat': (core, row) => byHand(core, row).contributions[5],
  'deck.hand.out': (core, row) => byHand(core, row).output,

  'lab2.params': (core, { inputs: { n, d, d_k, d_v } }) =>
    core.attentionShapes({ n, d_model: d, d_k, d_v }).parameters,
  'lab2.shapes': (core, { inputs: { n, d_v } }) => {
    const { A, O } = core.attentionShapes({ n, d_model: 16, d_k: 8, d_v });
    return [A, O];
  },

  'recap.mask.row1': (core) => recapMask(core, 0),
  'recap.mask.row2': (core) => recapMask(core, 1),
  'recap.mask.row3': (core) => recapMask(core, 2),
  'recap.mask.row4': (core) => recapMask(core, 3),
  // One prediction for each row of the output.
  'mask.predictions': (core) => core.attentionShapes({ n: 5, d_model: 16, d_k: 8, d_v: 4 }).O[0],
  'recap.2048': (core) => core.attentionShapes({ n: 2048, d_model: 16, d_k: 8, d_v: 4 }).O[0],
  'mask.lasttoken': (core, row) =>
    [undefined, { causal: true }].map((mask) => rowsThatChange(core, row, mask)),
  'mask.table': seenAndNext,
  'mask.pad': (core, row) => padded(core, row),
  'mask.pad.masked': (core, row) =>
    padded(core, row, { key_valid: Uint8Array.from({ length: 12 }, (_, i) => Number(i < 6)) }),
  'pos.perm': permuted,
  'deck.alibi.slopes': (core, { inputs }, { layer }) => {
    const { slopes } = layer.alibiSlopes(inputs);
    return [slopes[0], slopes.at(-1)];
  },
  'rope.same': (core, row, { layer }) =>
    [
      [3, 1],
      [10, 8],
      [1000, 998],
    ].map(([m, n]) => ropeScore(layer, m, n)),
  'rope.other': (core, row, { layer }) => [1, 3].map((m) => ropeScore(layer, m, 0)),
  'deck.rope.turn': (core, row, { layer }) => {
    const { q, k } = rope.defaults;
    return [...layer.rotaryClocks({ q, k, m: 0, n: 0 }).tokens_per_turn];
  },
  'deck.rope.yarn': (core, { inputs }, { layer }) => {
    const { q, k } = rope.defaults;
    const { rotary_factor, score_factor } = layer.rotaryClocks({
      q,
      k,
      m: 0,
      n: 0,
      scaling: 'yarn',
      factor: inputs.s,
    });
    return [rotary_factor, score_factor];
  },
  'deck.rope.mixed': (core, row, { layer }) =>
    [
      [3, 1],
      [10, 8],
    ].map(([m, n]) => ropeScore(layer, m, n, { pairing: 'mixed' })),

  'S.512': (core, row, { experiments }) =>
    experiments.attentionCosts({ n: 4096, n_heads: 8 }).score_mebibytes,
  'S.4x': (core, row, { experiments }) =>
    experiments.attentionCosts({ n: 4096, n_heads: 8 }).growth,
  // The running sentence in characters, in pieces of the lecture's corpus and in GPT-2's tokens.
  'cost.n2': (core, row, { tokens, experiments }) =>
    [
      toyPieces(tokens, RUNNING, 0).length,
      toyPieces(tokens, RUNNING).length,
      gpt2(tokens).encode(RUNNING).length,
    ].map((n) => experiments.attentionCosts({ n }).entries),
  'recap.67m': (core, row, { experiments }) =>
    experiments.attentionCosts({ n: 8192 }).entries_millions,

  'kv.factors': (core, row, { bill: bills }) => {
    const { model, full } = billOf(bills, LLAMA_8B);
    const twice = keptOf(full, model);
    return [twice, model.full_layers, model.n_kv_heads, model.d_k, bytesOfNumber(bills, LLAMA_8B)];
  },
  'kv.8b.token': (core, row, { bill: bills }) =>
    unitsOf(bills, billOf(bills, LLAMA_8B).token_bytes).KiB,
  'kv.8b.128k': (core, row, { bill: bills }) =>
    unitsOf(bills, billOf(bills, LLAMA_8B, 131072).needed_bytes).GiB,
  'kv.128k': (core, row, { bill: bills }) => billOf(bills, LLAMA_8B, 131072).full.needed_tokens,
  'deck.kv.8b.steps': (core, row, { bill: bills }) => {
    const { full, token_bytes } = billOf(bills, LLAMA_8B);
    // With one byte for each number the bytes of a token are its numbers.
    const { token_bytes: numbers } = billOf(bills, LLAMA_8B, 1, { cache_format: 'f8' });
    return [full.numbers, numbers, token_bytes];
  },
  'deck.kv.8b.gb': (core, row, { bill: bills }) =>
    unitsOf(bills, billOf(bills, LLAMA_8B, 131072).needed_bytes).GB,
  'deck.kv.80.shape': (core, { inputs }, { bill: bills }) => {
    const { model, full } = billOf(bills, shapeOf(inputs), inputs.tokens, { scheme: 'mha' });
    const bytes = bytesOfNumber(bills, model);
    return [model.full_layers, model.n_kv_heads, model.d_k, bytes, full.needed_tokens];
  },
  'recap.kv.layer': (core, row, { bill: bills }) => mha80(bills, 1).full.numbers,
  'recap.kv.values': (core, row, { bill: bills }) =>
    billOf(bills, headsOf80(bills)[0], 1, { cache_format: 'f8' }).token_bytes,
  'recap.kv.mb': (core, row, { bill: bills }) => unitsOf(bills, mha80(bills, 1).token_bytes).MB,
  'deck.kv.80.mib': (core, row, { bill: bills }) => unitsOf(bills, mha80(bills, 1).token_bytes).MiB,
  'recap.kv.gb': (core, row, { bill: bills }) => unitsOf(bills, mha80(bills, 4096).needed_bytes).GB,
  'deck.kv.80.gib': (core, row, { bill: bills }) =>
    unitsOf(bills, mha80(bills, 4096).needed_bytes).GiB,

  'recap.gqa.layer': (core, row, { bill: bills }) => gqa80(bills, 1).full.numbers,
  'recap.gqa.values': (core, row, { bill: bills }) =>
    billOf(bills, headsOf80(bills)[1], 1, { cache_format: 'f8' }).token_bytes,
  'recap.gqa.mb': (core, row, { bill: bills }) => unitsOf(bills, gqa80(bills, 1).token_bytes).MB,
  'recap.gqa.gb': (core, row, { bill: bills }) =>
    unitsOf(bills, gqa80(bills, 4096).needed_bytes).GB,
  'recap.gqa.x': (core, row, { bill: bills }) => gqa80(bills, 1).mha_times,
  'kv.schemes': (core, row, { bill: bills }) => [
    billOf(bills, LLAMA_8B, 1, { scheme: 'mha' }).mha_share,
  ],
  'kv.mla': (core, row, { bill: bills }) => latentTimes(bills, 128),
  'deck.kv.mla.heads': (core, { inputs }, { bill: bills }) =>
    inputs.heads.map((n_heads) => latentTimes(bills, n_heads)),
  'deck.kv.mla.rope': (core, row, { bill: bills }) => latentTimes(bills, 128, 192),
  'deck.kv.scheme.kv': (core, { inputs }, { bill: bills }) =>
    ['mha', 'gqa', 'mqa'].map(
      (scheme) => bills.withScheme({ model: shapeOf(inputs), scheme }).n_kv_heads,
    ),
  'deck.kv.scheme.mb': (core, row, { bill: bills }) =>
    schemesOf80(bills, 1).map(({ token_bytes }) => unitsOf(bills, token_bytes).MB),
  'deck.kv.scheme.gb': (core, row, { bill: bills }) =>
    schemesOf80(bills, 4096).map(({ needed_bytes }) => unitsOf(bills, needed_bytes).GB),
  'deck.kv.scheme.times': (core, row, { bill: bills }) => [
    ...headsOf80(bills).map((model) => billOf(bills, model).mha_times),
    latentTimes(bills, 64),
  ],
  'deck.kv.scheme.kvparams': (core, row, { bill: bills }) =>
    schemesOf80(bills, 1).map(
      // Billions, by the unit of bytes.
      ({ key_value_parameters: weights }) => unitsOf(bills, weights).GB,
    ),
  'deck.kv.scheme.params': (core, row, { bill: bills }) =>
    headsOf80(bills).map(({ parameters }) => unitsOf(bills, parameters).GB),
  'deck.kv.decode.intensity': (core, row, { bill: bills }) =>
    billOf(bills, LLAMA_8B, 131072).decode.roof.intensity,
  'deck.kv.ridge': (core, row, { bill: bills }) => billOf(bills, LLAMA_8B).decode.roof.ridge,

  'recap.prompt': (core, row, { bill: bills }) => prompts(bills, LLAMA_8B, 40000, 2000).all_pairs,
  'deck.prompt.linear': (core, row, { bill: bills }) =>
    prompts(bills, LLAMA_8B, 40000, 2000).linear,
  'deck.prompt.attention': (core, row, { bill: bills }) =>
    prompts(bills, LLAMA_8B, 40000, 2000).attention,
  'deck.prompt.double': (core, row, { bill: bills }) => {
    const { linear, attention, total } = prompts(bills, LLAMA_8B, 80000, 40000);
    return [linear, attention, total];
  },
  'deck.prompt.crossing': (core, row, { bill: bills }) =>
    [LLAMA_8B, LLAMA_70B].map((model) => billOf(bills, model).crossing_tokens),

  'deck.answers.pairs': (core, { inputs }, { answers }) =>
    ['full', 'window'].map(
      (answer) => answers.answerPattern({ answer, n: inputs.n, window: inputs.window }).pairs,
    ),
  'deck.answers.tokens': (core, { inputs }, { answers }) => [
    ...answers
      .answerCurves({
        lengths: [1000],
        n_layers: inputs.layers,
        n_heads: inputs.heads,
        n_kv_heads: inputs.kv_heads,
        d_k: inputs.d,
        d_v: inputs.d,
        bytes_per_number: inputs.bytes,
        state: inputs.state,
      })
      .state_tokens.subarray(3, 6),
  ],

  'deck.answers.recall16': (core, { inputs }, { answers }) => recalled(answers, inputs),
  'deck.answers.recall48': (core, { inputs }, { answers }) => recalled(answers, inputs),

  'kv.nocache': (core, row, { decode }) => {
    const { without_cache, with_cache } = decode.tokenPasses({ n: 80 });
    return [without_cache, with_cache];
  },
  'deck.kv.passes.n': (core, { inputs }, { decode }) =>
    decode.tokenPasses({ n: inputs.n }).with_cache,

  'mha.head1.out': (core, row) => heads(core, row, 2).O[1].slice(0, 2),
  'mha.head2.sat': (core, row) => heads(core, row, 2).A[1][1][0],
  'mha.all': (core, row) => heads(core, row, 2),
  'mha.causal.bank': (core, row) => heads(core, row, 2, { causal: true }).O[1].slice(0, 2),
  'mha.causal.sat': (core, row) => heads(core, row, 2, { causal: true }).A.map((head) => head[0]),
  'mha.causal.all': (core, row) => heads(core, row, 2, { causal: true }),
  'mha.h1': (core, row) => heads(core, row, 1).A[0][1],
  'mha.h1.all': (core, row) => heads(core, row, 1),
  'mha.equal': (core, row) => heads(core, equalKeys(row), 2),
  'recap.dk': (core, row, { experiments }) =>
    experiments.multiHeadShapes({ n: 1, d_model: 512, n_heads: 8 }).head_dim,
  // attentions[5][0, 3], counted from one.
  'recap.zero': () => [5, 3].map(ordinal),
  'deck.heads.A': (core, row) => gallery(core, row).A,
  'deck.heads.out': (core, row) => gallery(core, row).out,
  'deck.heads.decay': (core) => ask(core, { q: [1, 0], K: [[1, 0]], V: [[1]] }).exponentials[0],
  'smol.bytes': (core, { inputs }, { bill }) =>
    billOf(bill, shapeOf(inputs), 1, { cache_format: 'f32' }).token_bytes,
  'smol.mha': (core, row, { bill }) => billOf(bill, shapeOf(SMOL)).mha_times,
  'smol.sink': (core, row, { reading }) =>
    reading.firstTokenShare({
      n_layers: 1,
      n_heads: 1,
      n: 45,
      weights: new Float32Array(45 * 45),
    }).equal_share,
  'deck.smol.long': (core, row, { reading }) => {
    const { long_previous: previous, long_first: first, model } = recorded(reading, row);
    const [layer, head] = row.inputs.layer_and_head;
    return [
      previous[layer * model.n_heads + head],
      first.reduce((sum, share) => sum + share) / model.n_layers,
    ];
  },
  'deck.smol.bytes': (core, row, { reading }) => recorded(reading, row).token_bytes,
  'deck.smol.previous': (core, row, { reading }) => patternOf(reading, row),
  'deck.smol.sink': (core, row, { reading }) => patternOf(reading, row),
  'deck.smol.induction': (core, row, { reading }) => patternOf(reading, row),
  'deck.smol.above': (core, row, { reading }) => {
    const [previous, first] = patternsOf(reading, row, 'fox').above_count;
    return [previous, first, patternsOf(reading, row, 'names').above_count[2]];
  },
  'deck.smol.first': (core, row, { reading }) => {
    const { mean, equal_share: equal } = reading.firstTokenShare({
      ...mapsOf(reading, row, 'fox'),
      first_row: 4,
    });
    return [mean, equal];
  },
  'deck.smol.steps': (core, row, { reading }) => {
    const { cached_ms: cached, uncached_ms: uncached } = recorded(reading, row);
    return [cached[0], cached.at(-1), uncached[0], uncached.at(-1)];
  },
  'deck.trained.syntax': (core, row, { reading }) => namedPairs(reading, row),
  'deck.trained.coreference': (core, row, { reading }) => namedPairs(reading, row),
  'deck.trained.cells': (core, row, { reading }) => {
    const { n, weights } = mapOf(reading, row);
    return row.inputs.cells.map(([i, j]) => weights[i * n + j]);
  },
  'deck.trained.it': (core, row, { reading }) => {
    const { n, weights, shares } = mapOf(reading, row);
    return row.inputs.keys.map((j) => [weights, shares].map((map) => map[row.inputs.row * n + j]));
  },
  'deck.influence.norms': (core, row, { layer }) => influence(layer, row).norms,
  'deck.influence.weighted': (core, row, { layer }) => influence(layer, row).weighted,
  'deck.influence.hidden': (core, row, { layer }) => influence(layer, row).hidden,
  'deck.influence.everywhere': (core, row, { layer }) => influence(layer, row).everywhere,
  'deck.influence.without': (core, row, { layer }) => influence(layer, row).without,
  'deck.influence.silent': (core, row, { layer }) => {
    const { weighted, hidden } = influence(layer, row);
    return [weighted[1][1], hidden[1][1]];
  },
  'recap.it_pos': (core, row, { tokens }) => {
    const { at, count } = places(
      tokens,
      'The trophy did not fit in the suitcase because it was too small',
      [' it'],
    );
    return [at[0], count];
  },
  'recap.eleven': (core, row, { tokens }) => {
    const { at } = places(
      tokens,
      'The trophy would not fit in the brown suitcase because it was too small.',
      [' small', ' it', ' suitcase', ' trophy'],
    );
    const [small, ...others] = at;
    return others.map((place) => small - place);
  },

  'mha.params': (core) =>
    [4, 16, 64, 512, 768].map((d_model) => multiHeadParameters(core, d_model)),

  'kv.sim.8B': (core, { inputs }, { bill: bills }) => kvTokens(bills, inputs),
  'kv.sim.70B': (core, { inputs }, { bill: bills }) => kvTokens(bills, inputs),
  'kv.sim.405B': (core, { inputs }, { bill: bills }) => kvTokens(bills, inputs),
  'kv.sim.gqa32k': (core, row, { bill: bills }) => gigabytes(kvBill(bills, '8B').needed_bytes),
  'kv.sim.mha32k': (core, row, { bill: bills }) =>
    gigabytes(kvBill(bills, '8B', { scheme: 'mha' }).needed_bytes),
  'kv.sim.gqa128k': (core, row, { bill: bills }) =>
    gigabytes(kvBill(bills, '8B', { tokens: 131072 }).needed_bytes),
  'kv.sim.weights': (core, row, { bill: bills }) =>
    ['8B', '70B', '405B'].map((size) => gigabytes(kvBill(bills, size).memory.weight_bytes)),
  'kv.sim.fit': (core, row, { bill: bills }) =>
    [
      kvBill(bills, '8B'),
      kvBill(bills, '8B', { scheme: 'mha' }),
      kvBill(bills, '8B', { tokens: 131072 }),
      kvBill(bills, '70B'),
      kvBill(bills, '405B'),
    ].map(({ memory }) => (memory.fits ? 'yes' : 'no')),
};

/* ---- slide 31: eight requests on one H100, as the lecture's line 355 gives them ------------------------------- */

/** Layers, query heads and the nominal parameters that name each Llama 3; KV heads and widths are alike. */
const LLAMA_3 = { '8B': [32, 32, 8e9], '70B': [80, 64, 70e9], '405B': [126, 128, 405e9] };

function kvBill(bills, size, { tokens = 32768, ...more } = {}) {
  const [layers, heads, parameters] = LLAMA_3[size];
  const model = {
    ...shapeOf({ layers, heads, kv: 8, d_head: 128 }),
    parameters,
    active_parameters: parameters,
  };
  return billOf(bills, model, tokens, { sequences: 8, ...more });
}

/** The bytes of a token under each of four schemes. */
const kvTokens = (bills, inputs) =>
  ['mha', 'gqa', 'mqa', 'mla'].map(
    (scheme) => billOf(bills, shapeOf(inputs), 1, { scheme }).token_bytes,
  );

const gigabytes = (bytes) => shifted(bytes, -9);

/** The third of five numbers as the query of all of them, key and value being the number itself. */
function middle(core, x) {
  const column = x.map((value) => [value]);
  return ask(core, { q: [x[2]], K: column, V: column }).weights;
}
