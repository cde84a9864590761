/**
 * The options as C++ reads them, tensors by their numbers, and what brings an answer into an earlier result.
 * @param {unknown} options
 * @param {{ [field: string]: import('./options.js').Kind }} fields
 * @returns {{ read: Record<string, any>, write: (value: any) => any }}
 */
export function readPlain(options: unknown, fields: {
    [field: string]: import("./options.js").Kind;
}): {
    read: Record<string, any>;
    write: (value: any) => any;
};
/** @type {{ [field: string]: import('./options.js').Kind }} */
export const headsFields: {
    [field: string]: import("./options.js").Kind;
};
