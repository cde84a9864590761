/** The answers to n² timed by the module `kernels`: one head of the same random numbers through each of them. */
import { fill, timedKernels } from './timed-kernels.js';

/** What sees blocks has to score all of them. */
const GROWTH = { full: 2, block_sparse: 2, window: 1, linear: 1, selective_state: 1 };

/** What an input of the scan has to be: steps from 0 on, rates below it. */
const between = (numbers, low, high) => numbers.map((x) => low + ((high - low) * (x + 1)) / 2);

/**
 * @param {{backend: string, d: number, state: number, window: number, block: number, top_k: number}} options
 */
export function timedAnswers({ backend, d, state, window, block, top_k }) {
  const heads = ({ tensors: { Q, K, V, output }, repeat }) => ({
    ...{ Q, K, V, output, repeat, backend },
    ...{ d_k: d, d_v: d },
  });
  const masked = (call, mask) =>
    call.kernels.attention({ ...heads(call), n_q: call.n, n_k: call.n, mask });
  const ANSWERS = {
    full: (call) => masked(call, { causal: true }),
    window: (call) => masked(call, { causal: true, window }),
    block_sparse: (call) => call.kernels.blockSparse({ ...heads(call), n: call.n, block, top_k }),
    linear: (call) => call.kernels.linearAttention({ ...heads(call), n: call.n }),
    selective_state: ({ kernels, tensors: { Q: x, delta, A, B, C, output }, n, repeat }) =>
      kernels.selectiveScan({
        ...{ x, delta, A, B, C, output, n, repeat, backend },
        channels: d,
        state_size: state,
      }),
  };
  return timedKernels({
    growth: ({ id }) => GROWTH[id],
    /** Each array of all answers, so that every one reads the same memory. */
    inputs(n) {
      const rows = fill(new Float32Array(n * d));
      const columns = fill(new Float32Array(n * state));
      const rates = fill(new Float32Array(d * state));
      return {
        ...{ Q: rows, K: rows, V: rows, B: columns, C: columns },
        delta: between(rows, 0.001, 0.1),
        A: between(rates, -state, -1),
        output: rows.length,
      };
    },
    once: (call) => ANSWERS[call.way.id](call),
  });
}
