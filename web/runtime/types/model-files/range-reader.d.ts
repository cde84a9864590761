export class RangeReader {
    /**
     * @param {Source} source
     * @param {Patience} [patience]
     */
    constructor(source: Source, { retries, wait }?: Patience);
    get bytes(): number;
    /** The farthest place that was read up to: how far the file is. */
    get reached(): number;
    /**
     * The bytes from `begin` on: at least one, at most `most`. A connection that breaks is tried again; where that does not
     * help, what was read stays read, and the next call goes on.
     * @param {number} begin
     * @param {number} most
     * @param {AbortSignal} [signal]
     * @returns {Promise<Uint8Array>} In memory of its own.
     */
    read(begin: number, most: number, signal?: AbortSignal): Promise<Uint8Array>;
    /** Ends the connection. A later read makes another. */
    close(): Promise<void>;
    #private;
}
/**
 * One source as a loader asks for it: so many bytes from a place on, the places mostly rising.
 */
export type Source = import("./sources.js").Source;
/**
 * One source as a loader asks for it: so many bytes from a place on, the places mostly rising.
 */
export type Patience = {
    retries?: number;
    wait?: (tries: number, signal?: AbortSignal) => Promise<void>;
};
