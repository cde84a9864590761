/**
 * The same as readCall of options.js, with tensors by their numbers.
 * @param {unknown} options
 * @param {{ [field: string]: import('./options.js').Kind }} fields
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
