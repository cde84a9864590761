/** The answers to n² as tasks that repeat: inputs in tensors, the same piece of a text as often as its length asks for. */
import { inputsOf } from '../../web/pages/bench/inputs.js';
import { allowedPairs, leastBytes, whole } from '../../web/pages/bench/shapes.js';

/** @typedef {import('../../web/runtime/kernels.js').Kernels} Kernels */

const HEAD = 64;
/** Numbers of a channel's state. */
const STATE = 16;
const BLOCK = 64;
/** Tokens that are fed at a time, with the state between them; never the whole text. */
const PIECE = 4096;

/** Of the pairs that causal attention sees, as many as `blocks` blocks leave; the own block counts to the token itself. */
const pairsOf = (n, blocks) => {
  const seen = (i) => Math.min(Math.floor(i / BLOCK), blocks - 1) * BLOCK + (i % BLOCK) + 1;
  return Array.from({ length: n }, (_, i) => seen(i)).reduce((sum, pairs) => sum + pairs, 0);
};

/** How many blocks come nearest to an eighth of the pairs. */
function blocksOfAnEighth(n) {
  const wanted = allowedPairs(whole(1, n, HEAD, true)) / 8;
  let blocks = 1;
  while (Math.abs(pairsOf(n, blocks + 1) - wanted) < Math.abs(pairsOf(n, blocks) - wanted)) {
    blocks += 1;
  }
  return blocks;
}

/** Tensors of a task, closed together. @param {Kernels} kernels @param {Record<string, number | Float32Array>} from */
const tensorsOf = (kernels, from) =>
  Object.fromEntries(Object.entries(from).map(([name, data]) => [name, kernels.tensor(data)]));

const even = (length) => inputsOf(whole(1, length, 1)).Q;
const scaled = (numbers, low, high) =>
  numbers.map((x) => low + ((high - low) * (x / Math.sqrt(3) + 1)) / 2);

function linear(kernels, backend, { n, n_heads, gated }) {
  const piece = n > PIECE && n_heads === 1 ? PIECE : n;
  const shape = whole(n_heads, piece, HEAD);
  const tensors = tensorsOf(kernels, {
    ...inputsOf(shape),
    ...(gated ? { gates: scaled(even(n_heads * piece), 0.9, 1) } : {}),
    state: n_heads * HEAD * HEAD,
    sums: n_heads * HEAD,
    output: n_heads * piece * HEAD,
  });
  const options = { ...tensors, n_heads, n: piece, d_k: HEAD, d_v: HEAD, backend };
  return {
    tensors,
    pieces: n / piece,
    bytes: leastBytes(shape),
    once: (repeat) => kernels.linearAttention({ ...options, repeat }),
  };
}

function scan(kernels, backend, { n, n_heads }) {
  const piece = n > PIECE && n_heads === 1 ? PIECE : n;
  const channels = n_heads * HEAD;
  const tensors = tensorsOf(kernels, {
    x: even(piece * channels),
    delta: scaled(even(piece * channels), 0.001, 0.1),
    A: scaled(even(channels * STATE), -STATE, -1),
    B: even(piece * STATE),
    C: even(piece * STATE),
    state: channels * STATE,
    output: piece * channels,
  });
  return {
    tensors,
    pieces: n / piece,
    bytes: 4 * piece * (3 * channels + 2 * STATE),
    once: (repeat) =>
      kernels.selectiveScan({ ...tensors, n: piece, channels, state_size: STATE, backend, repeat }),
  };
}

function sparse(kernels, backend, { n, n_heads }) {
  const shape = whole(n_heads, n, HEAD);
  const tensors = tensorsOf(kernels, { ...inputsOf(shape), output: n_heads * n * HEAD });
  const top_k = blocksOfAnEighth(n);
  const options = { n_heads, n, d_k: HEAD, d_v: HEAD, block: BLOCK, top_k };
  return {
    tensors,
    pieces: 1,
    bytes: leastBytes(shape),
    about: { top_k, density: pairsOf(n, top_k) / allowedPairs(whole(1, n, HEAD, true)) },
    once: (repeat) => kernels.blockSparse({ ...tensors, ...options, backend, repeat }),
  };
}

function full(kernels, backend, { n, n_heads }) {
  const shape = whole(n_heads, n, HEAD, true);
  const tensors = tensorsOf(kernels, { ...inputsOf(shape), output: n_heads * n * HEAD });
  const options = { n_heads, n_q: n, n_k: n, d_k: HEAD, d_v: HEAD, mask: { causal: true } };
  return {
    tensors,
    pieces: 1,
    bytes: leastBytes(shape),
    once: (repeat) => kernels.attention({ ...tensors, ...options, backend, repeat }),
  };
}

const TASKS = { linear, scan, sparse, full };

/**
 * The fastest time of a text, in ms, of samples for at least `least` ms, after one that is not counted. A text in pieces is
 * as many pieces one after another as it has.
 * @param {Kernels} kernels
 * @param {{ kind: 'linear' | 'scan' | 'sparse' | 'full', n: number, n_heads: number, gated?: boolean, least: number }} what
 */
export function timeAnswer(kernels, { kind, least, ...what }) {
  const task = TASKS[kind](kernels, kernels.backends().at(-1), what);
  try {
    const { flops } = task.once(1);
    let fastest = Infinity;
    const began = performance.now();
    do fastest = Math.min(fastest, task.once(task.pieces).compute_ms);
    while (performance.now() - began < least);
    const { pieces, bytes, about } = task;
    return { ms: fastest * pieces, flops: flops * pieces, bytes: bytes * pieces, ...about };
  } finally {
    for (const tensor of Object.values(task.tensors)) tensor.close();
  }
}
