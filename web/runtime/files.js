import { Facade, instanceOf } from './facade.js';
import { readOptions } from './options.js';

/**
 * @typedef {object} ReadModel
 * @property {number} needs_bytes  When not 0, the file has to be read up to there, and there is nothing else.
 * @property {Required<import('./bill.js').CacheModel>} [model]
 * @property {string} [architecture]  What the file calls it.
 * @property {string[]} [notes]  What was missing, and what was put in its place.
 * @property {string[]} [missing]  Fields that the file does not tell and that are 0.
 *
 * @typedef {object} WrittenFile
 * @property {Uint8Array} file
 * @property {number} bytes  Its length.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  readModel: { file: 'bytes', size: 'scalar' },
  readVocabulary: {
    file: 'bytes',
    format: 'scalar',
    pretokenizer: 'scalar',
    special_tokens: 'ids_by_text',
  },
  writeVocabulary: { file: 'bytes', format: 'scalar' },
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

  /**
   * A vocabulary file of any form in the plain form, in which it goes to the module `tokens`.
   * @param {import('./tokens.js').VocabularySource} source
   * @returns {WrittenFile}
   * @throws {AttentionDeckError} With `.field` 'file' and the line at fault in the message.
   */
  readVocabulary(source) {
    const { special_tokens: special, ...rest } = readOptions(source, kinds.readVocabulary, [
      'file',
    ]);
    return instanceOf(this).ask('readVocabulary', {
      ...rest,
      special_bytes: special?.bytes,
      special_lengths: special?.lengths,
      special_ids: special?.ids,
    });
  }

  /**
   * A vocabulary in the plain form, as it comes from the module `tokens`, in one of the others.
   * @param {{ file: Uint8Array, format?: import('./tokens.js').VocabularyFormat }} options  Packed unless told.
   * @returns {WrittenFile}
   * @throws {AttentionDeckError} `bad_argument` when the form cannot hold the vocabulary.
   */
  writeVocabulary(options) {
    return instanceOf(this).ask(
      'writeVocabulary',
      readOptions(options, kinds.writeVocabulary, ['file']),
    );
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
