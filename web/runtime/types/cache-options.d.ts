/** The fields that a cache is opened with. @type {{ [field: string]: import('./options.js').Kind }} */
export const cacheFields: {
    [field: string]: import("./options.js").Kind;
};
