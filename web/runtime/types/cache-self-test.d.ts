/**
 * @param {import('./cache.js').Cache} cache
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestCache(cache: import("./cache.js").Cache): string | null;
