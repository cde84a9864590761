import { AttentionDeckError } from './errors.js';
import { Instance } from './instance.js';
import { kept, readOne, readOptions, writeOut } from './options.js';
import { openWebGpu } from './webgpu.js';

/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 *
 * @typedef {'scalar' | 'simd'} Backend  The kernels of this build; `auto` takes the quickest for the size.
 * @typedef {Float32Array | readonly number[] | Tensor} Numbers  A copy goes in, or what is already there is used.
 *
 * @typedef {object} HeadsOptions
 * @property {Numbers} Q  [n_heads, n_q, d_k]
 * @property {Numbers} K  [n_kv_heads, capacity, d_k]
 * @property {Numbers} V  [n_kv_heads, capacity, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told; each is read by n_heads / n_kv_heads heads.
 * @property {number} [capacity]  Rows that each head of K and V has room for; n_k unless told.
 * @property {number} [scale]  1/√d_k unless told.
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {Backend} [backend]
 * @property {Tensor} [output]  Takes the result; otherwise it comes back as an array.
 * @property {boolean} [log_sum_exp]  Whether the logarithm of each row's sum of exponentials is wanted.
 * @property {number} [repeat]  Computes that often and gives the mean time: clocks of browsers tick coarsely.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} HeadsResult
 * @property {Backend} backend  Which kernels ran.
 * @property {number} compute_ms  Milliseconds of one computation, without the border.
 * @property {Float32Array} [output]  [n_heads, n_q, d_v] unless a tensor took it.
 * @property {Float32Array} [log_sum_exp]  [n_heads, n_q]
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const mask = {
  causal: 'scalar',
  window: 'scalar',
  key_valid: 'bytes',
  query_document: 'integers',
  key_document: 'integers',
};

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  attention: {
    Q: 'numbers',
    K: 'numbers',
    V: 'numbers',
    output: 'numbers',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    n_q: 'scalar',
    n_k: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    capacity: 'scalar',
    scale: 'scalar',
    mask,
    backend: 'scalar',
    log_sum_exp: 'scalar',
    repeat: 'scalar',
    out: 'out',
  },
  write: { begin: 'scalar' },
  read: { begin: 'scalar', end: 'scalar', out: 'out' },
};

/** Numbers that stay in the module. Close it when it is no longer needed: the garbage collector cannot. */
export class Tensor {
  #instance;
  #life;
  #number;

  /**
   * @param {Instance} instance
   * @param {{ tensor: number, length: number }} opened
   */
  constructor(instance, { tensor, length }) {
    this.#instance = instance;
    this.#life = instance.life;
    this.#number = tensor;
    this.length = length;
    kept.add(this);
  }

  /** What a call of the module knows it by. Throws when the module has started anew since. */
  get number() {
    if (this.#instance.life === this.#life) return this.#number;
    throw new AttentionDeckError(
      'bad_argument',
      'This tensor was lost when the module started anew. Open another one.',
      { field: 'tensor' },
    );
  }

  /**
   * Copies numbers in.
   * @param {Float32Array | readonly number[]} data
   * @param {{ begin?: number }} [options]  Where the first of them goes.
   */
  write(data, options = {}) {
    const { begin } = readOptions(options, kinds.write);
    const numbers = readOne(data, 'float32', 'data');
    this.#instance.ask('writeTensor', { begin, data: numbers, tensor: this.number });
  }

  /**
   * A copy of the numbers from `begin` to before `end`; of all unless told.
   * @param {{ begin?: number, end?: number, out?: { data: Float32Array } }} [options]
   * @returns {Float32Array}
   */
  read(options = {}) {
    const read = readOptions(options, kinds.read);
    const asked = { ...read, out: read.out?.arrays, tensor: this.number };
    return this.#instance.ask('readTensor', asked).data;
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    if (this.#instance.life === this.#life) {
      this.#instance.ask('closeTensor', { tensor: this.#number });
    }
  }
}

/**
 * The fast kernels. Fires `restart` when a fresh instance has taken over after an abort: tensors are lost then.
 */
export class Kernels extends EventTarget {
  #instance;

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super();
    this.#instance = new Instance(running, restart, () => this.dispatchEvent(new Event('restart')));
  }

  /** Which build answers: 'scalar', 'simd' or 'relaxed'. */
  get variant() {
    return this.#instance.variant;
  }

  /** Resolves once calls work (at once, unless an abort is being recovered from). */
  whenReady() {
    return this.#instance.whenReady();
  }

  /**
   * The kernels that this build holds, the plain one first.
   * @returns {Backend[]}
   */
  backends() {
    return this.#instance.ask('backends', {}).backends;
  }

  /**
   * Opens a tensor of so many zeros, or of the numbers given.
   * @param {number | Float32Array} lengthOrData
   */
  tensor(lengthOrData) {
    const isLength = typeof lengthOrData === 'number';
    const length = isLength ? lengthOrData : readOne(lengthOrData, 'float32', 'data').length;
    const tensor = new Tensor(this.#instance, this.#instance.ask('openTensor', { length }));
    if (!isLength) tensor.write(lengthOrData);
    return tensor;
  }

  /**
   * softmax(scale QKᵀ + mask) V for a batch of heads, without ever building the matrix of scores.
   * @param {HeadsOptions} options
   * @returns {HeadsResult}
   */
  attention(options) {
    return this.#ask('attention', options);
  }

  /**
   * Opens the browser's WebGPU, or an object like navigator.gpu that is handed in. Close it when it is no longer needed.
   * @param {{ gpu?: object }} [options]
   * @returns {Promise<import('./webgpu.js').WebGpu>}
   * @throws {AttentionDeckError} `webgpu_unavailable`, with what to do
   */
  webgpu(options = {}) {
    return openWebGpu(this.#instance, readPlain, options);
  }

  /**
   * @param {string} name
   * @param {unknown} options
   */
  #ask(name, options) {
    const { read, write } = readPlain(options, kinds[name]);
    return write(this.#instance.ask(name, read));
  }
}

/**
 * The options as C++ reads them, tensors by their numbers, and what brings an answer into an earlier result.
 * @param {unknown} options
 * @param {{ [field: string]: import('./options.js').Kind }} fields
 * @returns {{ read: Record<string, any>, write: (value: any) => any }}
 */
function readPlain(options, fields) {
  const read = readOptions(options, fields);
  for (const [field, kind] of Object.entries(fields)) {
    if (kind !== 'numbers' || !(read[field] instanceof Tensor)) continue;
    read[`${field}_tensor`] = read[field].number;
    delete read[field];
  }
  if (read.out === undefined) return { read, write: (value) => value };
  const { given, arrays } = read.out;
  read.out = arrays;
  return { read, write: (value) => writeOut(given, value) };
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createKernels(running, restart) {
  return new Kernels(running, restart);
}
