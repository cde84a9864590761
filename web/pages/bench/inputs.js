/** Numbers to measure on: the same ones for the same shape everywhere. */
import { lengths } from './shapes.js';

/** Seeded (mulberry32), even between -√3 and √3: variance 1, so that scores are as a model's. */
function fill(length, seed) {
  const numbers = new Float32Array(length);
  let state = seed;
  for (let i = 0; i < length; i += 1) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    numbers[i] = (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1) * Math.sqrt(3);
  }
  return numbers;
}

/**
 * Q [n_heads, n_q, d], K and V [n_kv_heads, n_k, d]
 * @param {import('./shapes.js').Shape} shape
 */
export function inputsOf(shape) {
  const { Q, K, V } = lengths(shape);
  return { Q: fill(Q, 1), K: fill(K, 2), V: fill(V, 3) };
}
