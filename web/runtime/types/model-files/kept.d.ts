/**
 * What the device has of a model.
 * @param {string} address
 * @returns {Promise<KeptModel | undefined>}
 */
export function keptModel(address: string): Promise<KeptModel | undefined>;
/** @returns {Promise<KeptSize[]>} */
export function keptModels(): Promise<KeptSize[]>;
/** Gives back its room. @param {string} address */
export function forgetModel(address: string): Promise<void>;
/**
 * Says what will be kept; what is kept of another state of the same files is forgotten.
 * @param {KeptModel} model
 */
export function beginToKeep(model: KeptModel): Promise<void>;
/**
 * A file of which pieces are on the device. The server is asked only for what is missing, and what comes is kept.
 * @param {KeptFile} file
 * @param {{ source?: Source, fetch?: typeof globalThis.fetch, onFull?: (cause: unknown) => void }} [options]
 *   `source` where it is open already. `onFull`: the device has no more room, and the rest is not kept.
 * @returns {Promise<Source>}
 */
export function keptSource({ address, bytes, tag }: KeptFile, { source, fetch, onFull }?: {
    source?: Source;
    fetch?: typeof globalThis.fetch;
    onFull?: (cause: unknown) => void;
}): Promise<Source>;
export function canKeep(): boolean;
/**
 * Models on the reader's device, for those who agreed: each file in pieces, in a cache of the browser's, written as they
 * come. So a download that was broken off goes on at the next visit too, and no browser has to be able to write into files.
 */
export type Source = import("./sources.js").Source;
/**
 * Models on the reader's device, for those who agreed: each file in pieces, in a cache of the browser's, written as they
 * come. So a download that was broken off goes on at the next visit too, and no browser has to be able to write into files.
 */
export type KeptFile = {
    address: string;
    bytes: number;
    tag: string;
};
/**
 * Models on the reader's device, for those who agreed: each file in pieces, in a cache of the browser's, written as they
 * come. So a download that was broken off goes on at the next visit too, and no browser has to be able to write into files.
 */
export type KeptModel = {
    /**
     * What the reader asked for.
     */
    address: string;
    files: KeptFile[];
};
/**
 * Models on the reader's device, for those who agreed: each file in pieces, in a cache of the browser's, written as they
 * come. So a download that was broken off goes on at the next visit too, and no browser has to be able to write into files.
 */
export type KeptSize = {
    address: string;
    /**
     * Bytes that are here.
     */
    kept: number;
    /**
     * Bytes of the whole.
     */
    bytes: number;
};
