/**
 * A file that the reader chose.
 * @param {File} file
 * @returns {Source}
 */
export function fileSource(file: File): Source;
/** @param {string} address */
export function nameOf(address: string): string;
/**
 * A file on a server. One request brings it from its start, or, where the server has ranges, from any place on.
 *
 * A changed file is noticed by the entity tag of each answer rather than asked about by `If-Range`: that header makes the
 * browser ask other hosts for leave first, which many do not give.
 *
 * @param {string} address
 * @param {{ fetch?: typeof globalThis.fetch, signal?: AbortSignal }} [options]
 * @returns {Promise<Source>}
 * @throws {import('../errors.js').AttentionDeckError} `source_unreachable`, `source_refused`, `source_short`.
 */
export function addressSource(address: string, { fetch, signal }?: {
    fetch?: typeof globalThis.fetch;
    signal?: AbortSignal;
}): Promise<Source>;
/**
 * Where the bytes of one file come from. All sources are read forward, from a place on, so that nothing of a file has to
 * be held.
 */
export type Source = {
    name: string;
    /**
     * Of the whole file.
     */
    bytes: number;
    /**
     * Another one when the file is another one; '' where nobody says.
     */
    tag: string;
    /**
     * Whether it begins anywhere without reading what is before.
     */
    seeks: boolean;
    /**
     * Ends with the file.
     */
    from: (begin: number, signal?: AbortSignal) => AsyncGenerator<Uint8Array, void, void>;
};
