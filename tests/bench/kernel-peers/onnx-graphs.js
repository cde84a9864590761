/** Attention as ONNX graphs: every way of saying it that onnxruntime has, so that its quickest right one can be taken. */
import { onnxModel } from './onnx-model.js';

/**
 * Heads that share keys are the rows of one product: n_kv_heads batches of n_heads / n_kv_heads * n_q queries. It takes
 * no work to read them so, and is quicker than repeating K and V.
 */
const grouped = ({ n_heads, n_kv_heads, n_q }) => (n_heads / n_kv_heads) * n_q;

/** [heads, n, d] as [n, heads, d] and, with the sizes exchanged, back. */
function exchanged(numbers, heads, n, d) {
  const result = new Float32Array(numbers.length);
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < n; row += 1) {
      const from = (head * n + row) * d;
      result.set(numbers.subarray(from, from + d), (row * heads + head) * d);
    }
  }
  return result;
}

/** 0 where a query may see a key, and what softmax turns into 0 elsewhere. */
function maskOf({ n_q, n_k }) {
  const mask = new Float32Array(n_q * n_k);
  for (let i = 0; i < n_q; i += 1) mask.fill(-1e30, i * n_k + i + n_k - n_q + 1, (i + 1) * n_k);
  return { data: mask, dimensions: [1, n_q, n_k] };
}

const afterScores = (causal) => [
  ...(causal ? [{ type: 'Add', inputs: ['scores', 'mask'], outputs: ['masked'] }] : []),
  {
    type: 'Softmax',
    inputs: [causal ? 'masked' : 'scores'],
    outputs: ['weights'],
    attributes: { axis: -1 },
  },
  { type: 'MatMul', inputs: ['weights', 'V'], outputs: ['output'] },
];

function threeSteps(shape, { Q, K, V }) {
  const { n_kv_heads, n_k, d, causal } = shape;
  const rows = grouped(shape);
  const inputs = {
    Q: { data: Q, dimensions: [n_kv_heads, rows, d] },
    K: { data: K, dimensions: [n_kv_heads, n_k, d] },
    V: { data: V, dimensions: [n_kv_heads, n_k, d] },
    ...(causal ? { mask: maskOf(shape) } : {}),
  };
  const nodes = [
    {
      type: 'FusedMatMul',
      domain: 'com.microsoft',
      inputs: ['Q', 'K'],
      outputs: ['scores'],
      attributes: { transB: 1, alpha: { float: 1 / Math.sqrt(d) } },
    },
    ...afterScores(causal),
  ];
  return { nodes, inputs, output: [n_kv_heads, rows, d] };
}

/** The same in ONNX's own operators alone; Q is scaled, being smaller than the scores. */
function plainSteps(shape, numbers) {
  const { inputs, output } = threeSteps(shape, numbers);
  const { causal, d } = shape;
  return {
    nodes: [
      { type: 'Mul', inputs: ['Q', 'scale'], outputs: ['scaled'] },
      { type: 'Transpose', inputs: ['K'], outputs: ['columns'], attributes: { perm: [0, 2, 1] } },
      { type: 'MatMul', inputs: ['scaled', 'columns'], outputs: ['scores'] },
      ...afterScores(causal),
    ],
    inputs: {
      ...inputs,
      scale: { data: Float32Array.of(1 / Math.sqrt(d)), dimensions: [1] },
    },
    output,
  };
}

/** Microsoft's operator takes [1, n, heads * d] and knows no shared heads. */
function multiHeadAttention(shape, { Q, K, V }) {
  const { n_heads, n_q, n_k, d, causal } = shape;
  const width = n_heads * d;
  const rows = (data, n) => ({ data: exchanged(data, n_heads, n, d), dimensions: [1, n, width] });
  return {
    nodes: [
      {
        type: 'MultiHeadAttention',
        domain: 'com.microsoft',
        inputs: ['Q', 'K', 'V'],
        outputs: ['output'],
        attributes: { num_heads: n_heads, unidirectional: Number(causal) },
      },
    ],
    inputs: { Q: rows(Q, n_q), K: rows(K, n_k), V: rows(V, n_k) },
    output: [1, n_q, width],
    read: (numbers) => exchanged(numbers, n_q, n_heads, d),
  };
}

/** ONNX's own operator, of version 23. */
function standardAttention({ n_heads, n_kv_heads, n_q, n_k, d, causal }, { Q, K, V }) {
  return {
    nodes: [
      {
        type: 'Attention',
        inputs: ['Q', 'K', 'V'],
        outputs: ['output'],
        attributes: { is_causal: Number(causal) },
      },
    ],
    inputs: {
      Q: { data: Q, dimensions: [1, n_heads, n_q, d] },
      K: { data: K, dimensions: [1, n_kv_heads, n_k, d] },
      V: { data: V, dimensions: [1, n_kv_heads, n_k, d] },
    },
    output: [1, n_heads, n_q, d],
  };
}

/** GroupQueryAttention, which is causal alone, was tried as well: eight times slower than the first at 512 tokens. */
const WAYS = {
  'FusedMatMul, Softmax, MatMul': { graph: threeSteps, fits: () => true },
  'MatMul, Softmax, MatMul': { graph: plainSteps, fits: () => true },
  MultiHeadAttention: {
    graph: multiHeadAttention,
    fits: ({ n_heads, n_kv_heads }) => n_heads === n_kv_heads,
  },
  Attention: { graph: standardAttention, fits: () => true },
};

export const waysFor = (shape) => Object.keys(WAYS).filter((way) => WAYS[way].fits(shape));

/** The model's bytes, what goes in, and how what comes out is read as [n_heads, n_q, d]. */
export function graphOf(way, shape, numbers) {
  const { nodes, inputs, output, read = (values) => values } = WAYS[way].graph(shape, numbers);
  const model = onnxModel({
    nodes,
    inputs,
    outputs: { output: { dimensions: output } },
    opset: 23,
  });
  return { model, inputs, output, read };
}
