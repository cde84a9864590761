import { AttentionDeckError } from './errors.js';
import { kept, readOne, readOptions } from './options.js';

/** @typedef {import('./instance.js').Instance} Instance */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const fields = {
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
    const { begin } = readOptions(options, fields.write);
    const numbers = readOne(data, 'float32', 'data');
    this.#instance.ask('writeTensor', { begin, data: numbers, tensor: this.number });
  }

  /**
   * A copy of the numbers from `begin` to before `end`; of all unless told.
   * @param {{ begin?: number, end?: number, out?: { data: Float32Array } }} [options]
   * @returns {Float32Array}
   */
  read(options = {}) {
    const read = readOptions(options, fields.read);
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
