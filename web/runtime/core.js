import { Facade, instanceOf } from './facade.js';
import { maskFields } from './mask-options.js';

/**
 * What a call of the raw module answers when it succeeds.
 * @template {Exclude<keyof import('./raw.js').MainModule, 'errorCodes'>} Name
 * @typedef {Extract<ReturnType<import('./raw.js').MainModule[Name]>,
 *   { ok: true }>['value']} Value
 */

/**
 * @typedef {Value<'attention'>} AttentionTrace
 * @typedef {Value<'attentionBackward'>} AttentionGradients
 * @typedef {Value<'softmax'>} SoftmaxTrace
 * @typedef {Value<'softmaxBackward'>} SoftmaxGradient
 * @typedef {Value<'multiHead'>} MultiHeadTrace
 * @typedef {Value<'attentionShapes'>} AttentionShapes
 * @typedef {Value<'embed'>} Embedded
 * @typedef {Value<'gpt2EmbeddingSizes'>} EmbeddingSizes
 *
 * @typedef {Float64Array | Float32Array | readonly number[]} Floats  Row-major.
 *
 * @typedef {object} MaskOptions  Any of the four, and any of them together.
 * @property {boolean} [causal]  Aligned bottom-right: the last query sees every key.
 * @property {number | null} [window]  How many keys a query sees, its own included.
 * @property {ArrayLike<number | boolean> | null} [key_valid]  [n_k] false or 0 where padded.
 * @property {ArrayLike<number> | null} [query_document]  [n_q] the document of each query.
 * @property {ArrayLike<number> | null} [key_document]  [n_k] the document of each key.
 *
 * @typedef {object} AttentionOptions
 * @property {Floats} Q  [n_q, d_k]
 * @property {Floats} K  [n_k, d_k]
 * @property {Floats} V  [n_k, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [divisor_d_k]  The d_k under the root, when it is not d_k.
 * @property {boolean} [divide]  Whether scores are divided by √d_k; true unless told.
 * @property {'float64' | 'float32'} [dtype]  float64 unless told.
 * @property {MaskOptions | null} [mask]
 * @property {boolean} [trace]  false: the weights and the output; other arrays stay empty.
 * @property {boolean} [require_finite]  false: NaN and infinity may reach the output.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} SoftmaxOptions
 * @property {Floats} x  [n, m]
 * @property {number} n
 * @property {number} m
 * @property {MaskOptions | null} [mask]
 * @property {boolean} [require_finite]
 * @property {'float64' | 'float32'} [dtype]
 * @property {object} [out]
 *
 * @typedef {object} SoftmaxBackwardOptions
 * @property {Floats} A  [n, m] what the softmax gave
 * @property {Floats} dA  [n, m]
 * @property {number} n
 * @property {number} m
 * @property {'float64' | 'float32'} [dtype]
 * @property {object} [out]
 *
 * @typedef {object} MultiHeadOptions
 * @property {Floats} X  [n, d_model]
 * @property {Floats} W_Q  [d_model, d_model]
 * @property {Floats} W_K  [d_model, n_kv_heads * head_dim]
 * @property {Floats} W_V  [d_model, n_kv_heads * head_dim]
 * @property {Floats} W_O  [d_model, d_model]
 * @property {Floats} [b_Q]
 * @property {Floats} [b_K]
 * @property {Floats} [b_V]
 * @property {Floats} [b_O]
 * @property {number} n
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {MaskOptions | null} [mask]
 * @property {boolean} [require_finite]
 * @property {'float64' | 'float32'} [dtype]
 * @property {object} [out]
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const attention = {
  Q: 'floats',
  K: 'floats',
  V: 'floats',
  n_q: 'scalar',
  n_k: 'scalar',
  d_k: 'scalar',
  d_v: 'scalar',
  divisor_d_k: 'scalar',
  divide: 'scalar',
  dtype: 'scalar',
  mask: maskFields,
  require_finite: 'scalar',
  trace: 'scalar',
  out: 'out',
};

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  attention,
  attentionByHand: { ...attention, decimals: 'scalar' },
  attentionBackward: { ...attention, dO: 'floats' },
  softmax: {
    x: 'floats',
    n: 'scalar',
    m: 'scalar',
    mask: maskFields,
    require_finite: 'scalar',
    dtype: 'scalar',
    out: 'out',
  },
  softmaxBackward: {
    A: 'floats',
    dA: 'floats',
    n: 'scalar',
    m: 'scalar',
    dtype: 'scalar',
    out: 'out',
  },
  multiHead: {
    X: 'floats',
    W_Q: 'floats',
    W_K: 'floats',
    W_V: 'floats',
    W_O: 'floats',
    b_Q: 'floats',
    b_K: 'floats',
    b_V: 'floats',
    b_O: 'floats',
    n: 'scalar',
    d_model: 'scalar',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    mask: maskFields,
    require_finite: 'scalar',
    dtype: 'scalar',
    out: 'out',
  },
  attentionShapes: { n: 'scalar', d_model: 'scalar', d_k: 'scalar', d_v: 'scalar' },
  embed: {
    E: 'floats',
    P: 'floats',
    ids: 'integers',
    n: 'scalar',
    vocab_size: 'scalar',
    d_model: 'scalar',
    out: 'out',
  },
  gpt2EmbeddingSizes: {
    vocab_size: 'scalar',
    n_positions: 'scalar',
    d_model: 'scalar',
    n_layers: 'scalar',
  },
  randomNormals: { seed: 'scalar', count: 'scalar' },
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { embed: ['ids'] };

/**
 * What the C++ core computes, as plain calls: one options object in, one object of numbers and
 * typed arrays out, with the field names of the C++ structs. Results are copies and stay valid.
 *
 * Fires `restart` when a fresh instance has taken over after an abort: compute again then.
 */
export class Core extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds, needed);
  }

  /**
   * The codes of the errors that calls give, as the C++ lists them.
   * @returns {import('./errors.js').ErrorCode[]}
   */
  errorCodes() {
    return instanceOf(this).call('errorCodes');
  }

  /**
   * Scaled dot-product attention with every intermediate.
   * @param {AttentionOptions} options
   * @returns {AttentionTrace}
   */
  attention(options) {
    return this.ask('attention', options);
  }

  /**
   * The same steps as a student does them with a pencil: each result is rounded to `decimals`
   * before the next step uses it.
   * @param {AttentionOptions & { decimals?: number }} options
   * @returns {AttentionTrace}
   */
  attentionByHand(options) {
    return this.ask('attentionByHand', options);
  }

  /**
   * The gradients of the whole attention for a gradient `dO` [n_q, d_v] of its output. `dS` is with
   * respect to the scores that enter the softmax, that is, after the division.
   * @param {AttentionOptions & { dO: Floats }} options
   * @returns {AttentionGradients}
   */
  attentionBackward(options) {
    return this.ask('attentionBackward', options);
  }

  /**
   * The softmax of each row of `x`; a row with nothing left after the mask gives zeros.
   * @param {SoftmaxOptions} options
   * @returns {SoftmaxTrace}
   */
  softmax(options) {
    return this.ask('softmax', options);
  }

  /**
   * `dS = A ∘ (dA − rowsum(dA ∘ A))`.
   * @param {SoftmaxBackwardOptions} options
   * @returns {SoftmaxGradient}
   */
  softmaxBackward(options) {
    return this.ask('softmaxBackward', options);
  }

  /**
   * Multi-head attention, with the name, shape and numbers of every step.
   * @param {MultiHeadOptions} options
   * @returns {MultiHeadTrace}
   */
  multiHead(options) {
    return this.ask('multiHead', options);
  }

  /**
   * The shape of every matrix of one attention layer, and how many parameters it has.
   * @param {{ n: number, d_model: number, d_k: number, d_v: number }} options
   * @returns {AttentionShapes}
   */
  attentionShapes(options) {
    return this.ask('attentionShapes', options);
  }

  /**
   * What enters the first layer: X[i] = E[ids[i]] + P[i]. E [vocab_size, d_model], P and X [n, d_model].
   * @param {{ E: Floats, P: Floats, ids: ArrayLike<number>, n: number, vocab_size: number, d_model: number,
   *   out?: object }} options
   * @returns {Embedded}
   */
  embed(options) {
    return this.ask('embed', options);
  }

  /**
   * Parameters of a GPT-2 of these sizes, and of its tables of tokens and positions.
   * @param {{ vocab_size: number, n_positions: number, d_model: number, n_layers: number }} options
   * @returns {EmbeddingSizes}
   */
  gpt2EmbeddingSizes(options) {
    return this.ask('gpt2EmbeddingSizes', options);
  }

  /**
   * `count` numbers from N(0, 1) that depend on `seed` alone, on every machine.
   * @param {{ seed: number, count: number }} options
   * @returns {Float64Array}
   */
  randomNormals(options) {
    return this.ask('randomNormals', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createCore(running, restart) {
  return new Core(running, restart);
}

export { createCore as create };
export { selfTestCore as selfTest } from './core-self-test.js';
