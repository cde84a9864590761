/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createFiles(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Files;
/**
 * What is read out of files of the reader's own. They are read in the page, and leave it to nobody.
 */
export class Files extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * The fields of a model from its config.json, or from the beginning of its GGUF file.
     * @param {{ file: Uint8Array, size?: number }} options  `size` is that of the whole file, of which a beginning is given.
     * @returns {ReadModel}
     * @throws {AttentionDeckError} By the field of the file that is wrong.
     */
    readModel(options: {
        file: Uint8Array;
        size?: number;
    }): ReadModel;
    /**
     * A vocabulary file of any form in the plain form, in which it goes to the module `tokens`.
     * @param {import('./tokens.js').VocabularySource} source
     * @returns {WrittenFile}
     * @throws {AttentionDeckError} With `.field` 'file' and the line at fault in the message.
     */
    readVocabulary(source: import("./tokens.js").VocabularySource): WrittenFile;
    /**
     * A vocabulary in the plain form, as it comes from the module `tokens`, in one of the others.
     * @param {{ file: Uint8Array, format?: import('./tokens.js').VocabularyFormat }} options  Packed unless told.
     * @returns {WrittenFile}
     * @throws {AttentionDeckError} `bad_argument` when the form cannot hold the vocabulary.
     */
    writeVocabulary(options: {
        file: Uint8Array;
        format?: import("./tokens.js").VocabularyFormat;
    }): WrittenFile;
}
export { createFiles as create };
export { selfTestFiles as selfTest } from "./files-self-test.js";
export type ReadModel = {
    /**
     * When not 0, the file has to be read up to there, and there is nothing else.
     */
    needs_bytes: number;
    model?: Required<import("./bill.js").CacheModel> | undefined;
    /**
     * What the file calls it.
     */
    architecture?: string | undefined;
    /**
     * What was missing, and what was put in its place.
     */
    notes?: string[] | undefined;
    /**
     * Fields that the file does not tell and that are 0.
     */
    missing?: string[] | undefined;
};
export type WrittenFile = {
    file: Uint8Array;
    /**
     * Its length.
     */
    bytes: number;
};
import { Facade } from './facade.js';
