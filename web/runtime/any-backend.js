/**
 * The same attention on whichever back end is the quickest here, WebGPU among them. A GPU is waited for, so this
 * answers with a promise; what needs an answer at once asks the processor alone.
 */
import { openWebGpu } from './webgpu.js';

/** Two sizes on either side of where a GPU may begin to pay, of one head. */
const SMALL_N = 64;
const LARGE_N = 1024;
/** The columns that the module counts with for such a measurement. */
const WIDTH = 64;
const TRIES = 3;

/** Opens WebGPU when it is first wanted, and learns what it costs. */
export class AnyBackend {
  #kernels;
  #instance;
  /** @type {Promise<import('./webgpu.js').WebGpu> | undefined} */
  #opening = undefined;
  /** The life of the module that knows what WebGPU costs. */
  #measuredIn = 0;

  /**
   * @param {import('./kernels.js').Kernels} kernels
   * @param {import('./instance.js').Instance} instance
   */
  constructor(kernels, instance) {
    this.#kernels = kernels;
    this.#instance = instance;
  }

  /**
   * @param {import('./kernels.js').AnyHeadsOptions} options
   * @returns {Promise<import('./webgpu.js').WebGpuAttentionResult>}
   */
  async attention(options) {
    const { backend = 'auto', gpu, passes, ...batch } = options;
    if (backend === 'webgpu') return (await this.#open(gpu)).attention({ ...batch, passes });
    if (backend !== 'auto') return this.#kernels.attention({ ...batch, backend });
    // Without a GPU the processor answers; that there is none is no fault of this call.
    const opened = await this.#measured(gpu).catch(() => undefined);
    const chosen = this.#instance.ask('quickestBackend', sizesOf(batch)).backend;
    if (chosen === 'webgpu' && opened) return opened.attention({ ...batch, passes });
    return this.#kernels.attention({ ...batch, backend: chosen });
  }

  /** @param {object} [gpu] */
  #open(gpu) {
    if (!this.#opening) {
      this.#opening = openWebGpu(this.#instance, { gpu });
      // The next call tries again: a driver may be back by then.
      this.#opening.catch(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** @param {object} [gpu] */
  async #measured(gpu) {
    const opened = await this.#open(gpu);
    if (this.#measuredIn === this.#instance.life) return opened;
    const times = [];
    for (const n of [SMALL_N, LARGE_N]) times.push(await quickestOf(opened, n));
    this.#instance.ask('noteWebgpuCost', {
      small_n: SMALL_N,
      small_ms: times[0],
      large_n: LARGE_N,
      large_ms: times[1],
    });
    this.#measuredIn = this.#instance.life;
    return opened;
  }
}

/**
 * Milliseconds of a whole call of one head, the way there and back included: that is what a caller waits.
 * @param {import('./webgpu.js').WebGpu} gpu
 * @param {number} n
 */
async function quickestOf(gpu, n) {
  const numbers = new Float32Array(n * WIDTH).fill(0.5);
  const sizes = { n_q: n, n_k: n, d_k: WIDTH, d_v: WIDTH };
  let least = Infinity;
  // The first call compiles, and is not the one that is kept.
  for (let tries = 0; tries < TRIES; tries += 1) {
    const began = performance.now();
    await gpu.attention({ ...sizes, Q: numbers, K: numbers, V: numbers });
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/**
 * What decides: all but the arrays. Wrong ones are refused by the computation itself, by name.
 * @param {Record<string, any>} batch
 */
function sizesOf({ n_heads, n_kv_heads, n_q, n_k, d_k, d_v, capacity, mask }) {
  const { causal, window } = mask ?? {};
  return { n_heads, n_kv_heads, n_q, n_k, d_k, d_v, capacity, mask: { causal, window } };
}
