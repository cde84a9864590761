/**
 * @param {import('./core.js').Core} core
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestCore(core: import("./core.js").Core): string | null;
