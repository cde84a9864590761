/**
 * The answers to n² timed by the module `kernels`: one head of the same random numbers through each of them, for one length
 * after another. As in timed-attention.js the clock and the budget are here, and the module is fetched for the first task.
 */

import { load } from '../runtime/index.js';
import { BUDGET_MS, fill, problemOf, quickest } from './timed-attention.js';

/** Twice the length takes so many times the time, at most: what sees blocks has to score all of them. */
const GROWTH = { full: 2, block_sparse: 2, window: 1, linear: 1, selective_state: 1 };

/** What an input of the scan has to be: steps from 0 on, rates below it. */
const between = (numbers, low, high) => numbers.map((x) => low + ((high - low) * (x + 1)) / 2);

/**
 * @param {{backend: string, d: number, state: number, window: number, block: number, top_k: number}} options
 */
export function timedAnswers({ backend, d, state, window, block, top_k }) {
  /** @type {import('../runtime/kernels.js').Kernels} */
  let kernels;
  let inputs;
  const close = () => {
    for (const tensor of Object.values(inputs?.tensors ?? {})) tensor.close();
    inputs = undefined;
  };
  /** Each array of all answers, so that every one reads the same memory. */
  const prepare = (n) => {
    if (inputs?.n === n) return inputs.tensors;
    close();
    const tensors = {};
    inputs = { n, tensors };
    const rows = fill(new Float32Array(n * d));
    const columns = fill(new Float32Array(n * state));
    const rates = fill(new Float32Array(d * state));
    for (const [name, numbers] of Object.entries({
      ...{ Q: rows, K: rows, V: rows, B: columns, C: columns },
      delta: between(rows, 0.001, 0.1),
      A: between(rates, -state, -1),
    })) {
      tensors[name] = kernels.tensor(numbers);
    }
    tensors.output = kernels.tensor(n * d);
    return tensors;
  };
  const attention = ({ Q, K, V, output }, n, repeat) => ({
    ...{ Q, K, V, output, repeat, backend },
    ...{ d_k: d, d_v: d },
    n,
  });
  const masked = (tensors, n, repeat, mask) => {
    const { n: _, ...options } = attention(tensors, n, repeat);
    return kernels.attention({ ...options, n_q: n, n_k: n, mask });
  };
  const ANSWERS = {
    full: (tensors, n, repeat) => masked(tensors, n, repeat, { causal: true }),
    window: (tensors, n, repeat) => masked(tensors, n, repeat, { causal: true, window }),
    block_sparse: (tensors, n, repeat) =>
      kernels.blockSparse({ ...attention(tensors, n, repeat), block, top_k }),
    linear: (tensors, n, repeat) => kernels.linearAttention(attention(tensors, n, repeat)),
    selective_state: ({ Q: x, delta, A, B, C, output }, n, repeat) =>
      kernels.selectiveScan({
        ...{ x, delta, A, B, C, output, n, repeat, backend },
        channels: d,
        state_size: state,
      }),
  };
  const expected = (before, { n, way }) =>
    before === undefined ? 0 : before.ms * (n / before.n) ** GROWTH[way.id];
  return {
    close,
    async run(task, results) {
      const before = results.findLast((result) => result.way.id === task.way.id);
      if (before?.problem) return { ...task, problem: before.problem };
      if (expected(before, task) > BUDGET_MS) return { ...task, problem: 'too slow' };
      kernels ??= await load('kernels');
      try {
        const tensors = prepare(task.n);
        const once = (repeat) => ANSWERS[task.way.id](tensors, task.n, repeat);
        const { told, ms } = await quickest(once);
        return { ...task, where: told.backend, ms };
      } catch (error) {
        return { ...task, problem: problemOf(error), message: error.message };
      }
    },
  };
}
