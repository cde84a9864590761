/** What the kernels are measured on, and what each costs by count: for the page and for `npm run bench`. */

/**
 * @typedef {object} Shape
 * @property {number} n_heads
 * @property {number} n_kv_heads
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d  Of each head: d_k and d_v alike.
 * @property {boolean} causal
 */

/** @returns {Shape} */
export const whole = (n_heads, n, d, causal = false) => ({
  n_heads,
  n_kv_heads: n_heads,
  n_q: n,
  n_k: n,
  d,
  causal,
});

/** One new token against a cache. @returns {Shape} */
export const decode = (n_heads, n_kv_heads, n_k, d) => ({
  n_heads,
  n_kv_heads,
  n_q: 1,
  n_k,
  d,
  causal: false,
});

/** @type {Shape[]} */
export const SHAPES = [
  whole(1, 6, 8),
  whole(8, 64, 64),
  whole(8, 512, 64),
  whole(8, 512, 64, true),
  whole(8, 1024, 64),
  whole(8, 1024, 64, true),
  whole(8, 4096, 64),
  whole(8, 4096, 64, true),
  whole(1, 4096, 64),
  whole(1, 4096, 64, true),
  decode(9, 3, 4096, 64),
];

/** @param {Shape} shape */
export const isDecode = ({ n_q, n_k }) => n_q !== n_k;

/** @param {Shape} shape */
export function shapeName(shape) {
  const { n_heads, n_kv_heads, n_k, d, causal } = shape;
  if (isDecode(shape)) return `decode ${n_heads}/${n_kv_heads}, ${n_k}, ${d}`;
  return `${n_heads}, ${n_k}, ${d}${causal ? ' causal' : ''}`;
}

/** How many numbers each array holds. @param {Shape} shape */
export const lengths = ({ n_heads, n_kv_heads, n_q, n_k, d }) => ({
  Q: n_heads * n_q * d,
  K: n_kv_heads * n_k * d,
  V: n_kv_heads * n_k * d,
  output: n_heads * n_q * d,
});

/** Pairs of a query and a key that it may see, in one head. @param {Shape} shape */
export const allowedPairs = ({ n_q, n_k, causal }) =>
  causal ? n_q * (n_k - n_q) + (n_q * (n_q + 1)) / 2 : n_q * n_k;

/** Two products for each pair, each of `d` multiplications and additions; the softmax is not counted. @param {Shape} shape */
export const flops = (shape) => 4 * allowedPairs(shape) * shape.d * shape.n_heads;

/** The least that travels from and to slow memory: each array once, in float32. @param {Shape} shape */
export const leastBytes = (shape) =>
  4 * Object.values(lengths(shape)).reduce((sum, length) => sum + length, 0);

/** What S of all heads would take in float32. @param {Shape} shape */
export const scoreBytes = ({ n_heads, n_q, n_k }) => 4 * n_heads * n_q * n_k;
