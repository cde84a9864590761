/**
 * Gives a loader what it wants, from wherever its files are.
 *
 * @typedef {{ file: number, begin: number, bytes: number }} WantedBytes
 *
 * @typedef {object} Loader  What reads a model without holding a file; one in a worker answers with promises.
 * @property {() => WantedBytes | undefined | Promise<WantedBytes | undefined>} wanted
 * @property {(bytes: Uint8Array) => unknown} give
 *
 * @typedef {object} BytesProgress
 * @property {number} loaded  Bytes of all files that are read, or that nobody needs.
 * @property {number} total
 */
/**
 * Until nothing is wanted any more. What was given stays with the loader: after a lost connection or an abort the same call
 * goes on from there.
 * @param {Loader} loader
 * @param {import('./range-reader.js').RangeReader[]} readings  In the order of the loader's files.
 * @param {{ onProgress?: (progress: BytesProgress) => void, signal?: AbortSignal }} [options]
 */
export function fillLoader(loader: Loader, readings: import("./range-reader.js").RangeReader[], { onProgress, signal }?: {
    onProgress?: (progress: BytesProgress) => void;
    signal?: AbortSignal;
}): Promise<void>;
/**
 * Gives a loader what it wants, from wherever its files are.
 */
export type WantedBytes = {
    file: number;
    begin: number;
    bytes: number;
};
/**
 * What reads a model without holding a file; one in a worker answers with promises.
 */
export type Loader = {
    wanted: () => WantedBytes | undefined | Promise<WantedBytes | undefined>;
    give: (bytes: Uint8Array) => unknown;
};
/**
 * Gives a loader what it wants, from wherever its files are.
 */
export type BytesProgress = {
    /**
     * Bytes of all files that are read, or that nobody needs.
     */
    loaded: number;
    total: number;
};
