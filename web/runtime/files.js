import { Facade } from './facade.js';

/**
 * @typedef {object} ReadModel
 * @property {number} needs_bytes  When not 0, the file has to be read up to there, and there is nothing else.
 * @property {Required<import('./bill.js').CacheModel>} [model]
 * @property {string} [architecture]  What the file calls it.
 * @property {string[]} [notes]  What was missing, and what was put in its place.
 * @property {string[]} [missing]  Fields that the file does not tell and that are 0.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  readModel: { file: 'bytes', size: 'scalar' },
};

/**
 * What is read out of files of the reader's own. They are read in the page, and leave it to nobody.
 */
export class Files extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
  }

  /**
   * The fields of a model from its config.json, or from the beginning of its GGUF file.
   * @param {{ file: Uint8Array, size?: number }} options  `size` is that of the whole file, of which a beginning is given.
   * @returns {ReadModel}
   * @throws {AttentionDeckError} By the field of the file that is wrong.
   */
  readModel(options) {
    return this.ask('readModel', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createFiles(running, restart) {
  return new Files(running, restart);
}

export { createFiles as create };
export { selfTestFiles as selfTest } from './files-self-test.js';
