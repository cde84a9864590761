import { Handle, askAbout, closeHandle } from './handle.js';
import { kept, readOne, readOptions } from './options.js';

/** @typedef {import('./instance.js').Instance} Instance */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const fields = {
  write: { begin: 'scalar' },
  read: { begin: 'scalar', end: 'scalar', out: 'out' },
};

/** Numbers that stay in the module. Close it when it is no longer needed: the garbage collector cannot. */
export class Tensor extends Handle {
  /**
   * @param {Instance} instance
   * @param {{ tensor: number, length: number }} opened
   */
  constructor(instance, { tensor, length }) {
    super(instance, 'tensor', tensor);
    this.length = length;
    kept.add(this);
  }

  /**
   * Copies numbers in.
   * @param {Float32Array | readonly number[]} data
   * @param {{ begin?: number }} [options]  Where the first of them goes.
   */
  write(data, options = {}) {
    const { begin } = readOptions(options, fields.write);
    const numbers = readOne(data, 'float32', 'data');
    askAbout(this, 'writeTensor', { begin, data: numbers });
  }

  /**
   * A copy of the numbers from `begin` to before `end`; of all unless told.
   * @param {{ begin?: number, end?: number, out?: { data: Float32Array } }} [options]
   * @returns {Float32Array}
   */
  read(options = {}) {
    const read = readOptions(options, fields.read);
    return askAbout(this, 'readTensor', { ...read, out: read.out?.arrays }).data;
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeTensor');
  }
}
