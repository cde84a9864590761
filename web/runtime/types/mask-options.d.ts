/** The option `mask` of every kind of attention: any of the four, and any of them together. */
/** @type {{ [field: string]: import('./options.js').Kind }} */
export const maskFields: {
    [field: string]: import("./options.js").Kind;
};
