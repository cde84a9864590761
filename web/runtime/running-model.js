import { AttentionDeckError } from './errors.js';
import { Handle, askAbout, askAboutLater, closeHandle } from './handle.js';
import { readCall, readOne, readOptions } from './options.js';

/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 *
 * @typedef {import('./instance.js').Instance} Instance
 *
 * @typedef {object} ModelSizes
 * @property {'llama' | 'gpt2'} architecture
 * @property {string} name  As its file calls it; empty where it does not.
 * @property {number} n_layers
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} n_kv_heads
 * @property {number} head_dim
 * @property {number} d_ff
 * @property {number} context  Positions that it was made for.
 * @property {number} vocab_size
 * @property {number} rope_base  0 where positions are not rotary.
 * @property {boolean} has_tokenizer
 * @property {boolean} adds_begin  Whether a text begins with the token begin_id.
 * @property {number} [begin_id]
 * @property {number} [end_id]  The token after which it has no more to say.
 * @property {number} capacity  Tokens that the sequence may have.
 * @property {string} cache_format
 * @property {string} backend
 * @property {number} weight_bytes
 * @property {number} cache_bytes_per_token  In all layers.
 *
 * @typedef {object} AblationOptions  What is cut out of the model while tokens are taken in.
 * @property {ArrayLike<number>} [heads]  Pairs of a layer and a head whose output is 0: [5, 2, 5, 3] are two heads.
 * @property {ArrayLike<number>} [positions]  Tokens that no other token sees, in any layer, in rising order.
 *
 * @typedef {object} TakeOptions
 * @property {boolean} [logits]
 * @property {boolean} [losses]
 * @property {boolean} [best]
 * @property {'none' | 'floats' | 'bytes'} [weights]  As bytes each is 255 times the weight, rounded: off by at most 1/510.
 * @property {boolean} [value_lengths]
 * @property {AblationOptions} [ablation]
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} TakeResult
 * @property {number} length  Of the sequence afterwards.
 * @property {number} visible_tokens  Of these, those that were not evicted.
 * @property {Float32Array} [logits]  [vocab_size] of the last token.
 * @property {Float64Array} [losses]  [count] −ln p of each token, given those before it; NaN for the first of a sequence.
 * @property {Int32Array} [best]  [count] The token that is most probable after each.
 * @property {Float32Array | Uint8Array} [weights]  [n_layers, n_heads, count, length]; what a row does not see has 0.
 * @property {Float32Array} [value_lengths]  [n_layers, n_kv_heads, length] The length of each value as a vector; 0 of what
 *   was evicted.
 *
 * @typedef {TakeOptions & { backend?: import('./kernels.js').Backend | 'webgpu' | 'auto', gpu?: object }} AnyTakeOptions
 *   `gpu` stands in for navigator.gpu, as in Node. Of the processor's back ends the one that the model was opened with.
 *
 * @typedef {object} TakeRun
 * @property {'webgpu' | import('./kernels.js').Backend} backend  What ran.
 * @property {number} compute_ms  On a device with the way there and back, and the first time with the weights.
 * @property {import('./webgpu.js').WebGpuAdapter} [adapter]  Of a run on a device.
 * @property {string} [notice]  What went another way than asked.
 *
 * @typedef {{ id: number, text: string }} TokenPiece  A token cuts characters: what is none by itself is U+FFFD.
 * @typedef {{ id: number, text: string, probability: number }} CandidateToken
 *
 * @typedef {object} NextOptions
 * @property {number} [temperature]  0, unless told, takes the most probable token and draws nothing.
 * @property {number} [top_k]  Of the tokens the k most probable are kept; 0 keeps all.
 * @property {number} [top_p]  Of those the fewest that together reach p; 1 keeps all.
 * @property {number} [seed]  The same seed draws the same token at the same place.
 *
 * @typedef {{ length: number, visible_tokens: number }} SequenceLength
 * @typedef {SequenceLength & { cache_bytes: number, allocated_bytes: number }} ModelState
 *   cache_bytes is visible_tokens × cache_bytes_per_token; pages of 64 tokens are allocated.
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const taking = {
  logits: 'scalar',
  losses: 'scalar',
  best: 'scalar',
  weights: 'scalar',
  value_lengths: 'scalar',
  ablation: { heads: 'integers', positions: 'integers' },
  out: 'out',
};

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  encode: { special_ids: 'scalar', begin: 'scalar' },
  take: taking,
  takeAnywhere: { ...taking, backend: 'scalar', gpu: 'host' },
  candidates: { temperature: 'scalar' },
  next: { temperature: 'scalar', top_k: 'scalar', top_p: 'scalar', seed: 'scalar' },
  reset: { pinned: 'scalar' },
};

/** What the core calls the options of a call that takes tokens in. @type {Record<string, string>} */
const optionOf = { tokens: 'ids', heads: 'ablation.heads', positions: 'ablation.positions' };

/**
 * An error with its field named as the caller knows it.
 * @param {unknown} error
 */
function asOptions(error) {
  if (!(error instanceof AttentionDeckError) || !Object.hasOwn(optionOf, error.field)) return error;
  const { code, message, field, cause } = error;
  return new AttentionDeckError(code, message, { field: optionOf[field], cause });
}

/** One for all whole texts: a fresh one for each of ten thousand tokens takes longer than the tokens. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decoded = (/** @type {Uint8Array} */ bytes) => decoder.decode(bytes);

/** One model with one sequence. Close it when it is no longer needed: the garbage collector cannot. */
export class Model extends Handle {
  /**
   * @param {Instance} instance
   * @param {{ model: number } & ModelSizes} opened
   */
  constructor(instance, { model, ...config }) {
    super(instance, 'model', model);
    /** Its sizes. @type {ModelSizes} */
    this.config = config;
  }

  /**
   * The ids of a text. What reads like a special token is text unless `special_ids` is true; `begin` puts begin_id in
   * front, where the model asks for it unless told. Bytes for which the vocabulary has no token are left out.
   * @param {string | Uint8Array} text
   * @param {{ special_ids?: boolean, begin?: boolean }} [options]
   * @returns {Int32Array}
   */
  encode(text, options = {}) {
    return askAbout(this, 'encodeText', {
      ...readOptions(options, kinds.encode),
      text: readOne(text, 'text', 'text'),
    }).ids;
  }

  /**
   * The text of some ids; bytes that are no UTF-8 are written as U+FFFD.
   * @param {ArrayLike<number>} ids
   */
  decode(ids) {
    return decoded(this.#bytesOf(ids).bytes);
  }

  /**
   * Each token with a text of its own.
   * @param {ArrayLike<number>} ids
   * @returns {TokenPiece[]}
   */
  pieces(ids) {
    const read = /** @type {Int32Array} */ (readOne(ids, 'counts', 'ids'));
    const { bytes, offsets } = this.#bytesOf(read);
    return Array.from(read, (id, i) => ({
      id,
      text: decoded(bytes.subarray(offsets[i], offsets[i + 1])),
    }));
  }

  /**
   * A decoder for ids that come one by one: `push(ids)` gives the text that is certain, and holds bytes that may be
   * the beginning of a character; `finish()` gives the rest.
   */
  stream() {
    const own = new TextDecoder('utf-8', { ignoreBOM: true });
    return {
      push: (/** @type {ArrayLike<number>} */ ids) =>
        own.decode(this.#bytesOf(ids).bytes, { stream: true }),
      finish: () => own.decode(),
    };
  }

  /**
   * Appends tokens to the sequence, several at once (prefill) or one (decode): both give bit by bit the same. After an
   * error the sequence is as it was.
   * @param {ArrayLike<number>} ids
   * @param {TakeOptions} [options]
   * @returns {TakeResult}
   */
  take(ids, options = {}) {
    const { read, write } = readCall(options, kinds.take);
    const asked = { ...read, ids: readOne(ids, 'counts', 'ids') };
    try {
      return write(askAbout(this, 'takeTokens', asked));
    } catch (error) {
      throw asOptions(error);
    }
  }

  /**
   * As `take`, on any back end. WebGPU computes a prompt that begins a sequence, in float32, with the weights as the file
   * holds them; keys and values then stand in the cache, and decoding goes on as ever. Losses, the best tokens, weights,
   * lengths of values and what is cut out are the processor's, as are prompts of a model whose cache is not f32. `auto`
   * asks a GPU from 64 tokens on, and a software adapter never. What the device cannot do the processor does, and `notice`
   * says so: lost for the second time, none there, a shader refused, a buffer too large. Asked for by name, WebGPU is
   * tried for any prompt, and the notice says why it was not it.
   *
   * On quantized weights the processor's vector kernels round activations to 8 bits and WebGPU does not: logits differ by
   * that, some hundredths of the largest; on others, and from the scalar kernels, by rounding in float32.
   *
   * Another call that comes meanwhile and puts tokens in makes this one fail, with the sequence as that call left it.
   * @param {ArrayLike<number>} ids
   * @param {AnyTakeOptions} [options]
   * @returns {Promise<TakeResult & TakeRun>}
   */
  async takeAnywhere(ids, options = {}) {
    const { read, write } = readCall(options, kinds.takeAnywhere);
    const { navigator } = /** @type {{ navigator?: { gpu?: object } }} */ (globalThis);
    const asked = {
      ...read,
      gpu: read.gpu ?? navigator?.gpu ?? null,
      ids: readOne(ids, 'counts', 'ids'),
    };
    try {
      return write(await askAboutLater(this, 'takePrompt', asked));
    } catch (error) {
      throw asOptions(error);
    }
  }

  /**
   * The most probable next tokens, the most probable first, by the softmax of the last token's logits.
   * @param {number} count
   * @param {{ temperature?: number }} [options]  Divides the logits; 1 unless told.
   * @returns {CandidateToken[]}
   */
  candidates(count, options = {}) {
    const { ids, probabilities } = askAbout(this, 'candidateTokens', {
      ...readOptions(options, kinds.candidates),
      count: readOne(count, 'scalar', 'count'),
    });
    const texts = this.config.has_tokenizer ? this.pieces(ids) : [];
    return Array.from(ids, (id, i) => ({
      id,
      text: texts[i]?.text ?? '',
      probability: probabilities[i],
    }));
  }

  /**
   * The next token by the last one's logits; `take` appends it.
   * @param {NextOptions} [options]
   * @returns {number}
   */
  next(options = {}) {
    return askAbout(this, 'nextToken', readOptions(options, kinds.next)).token;
  }

  /**
   * Drops all tokens from the cache but the pinned first ones and the last `kept`. Those that are left keep their positions.
   * @param {number} kept
   * @returns {SequenceLength}
   */
  evict(kept) {
    return askAbout(this, 'evictTokens', { kept: readOne(kept, 'scalar', 'kept') });
  }

  /**
   * Forgets the tokens from `length` on. Refused when that would show what was evicted. Logits come back with the next token.
   * @param {number} length
   * @returns {SequenceLength}
   */
  rewind(length) {
    return askAbout(this, 'rollBackModel', { length: readOne(length, 'scalar', 'length') });
  }

  /**
   * Forgets the whole sequence; the next one pins so many first tokens, none unless told.
   * @param {{ pinned?: number }} [options]
   * @returns {SequenceLength}
   */
  reset(options = {}) {
    return askAbout(this, 'resetModel', readOptions(options, kinds.reset));
  }

  /**
   * What the sequence holds, counted by its cache.
   * @returns {ModelState}
   */
  state() {
    return askAbout(this, 'modelState');
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeModel');
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {{ bytes: Uint8Array, offsets: Int32Array }}
   */
  #bytesOf(ids) {
    return askAbout(this, 'decodeIds', { ids: readOne(ids, 'counts', 'ids') });
  }
}
