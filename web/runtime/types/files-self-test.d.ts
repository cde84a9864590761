/**
 * @param {import('./files.js').Files} files
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestFiles(files: import("./files.js").Files): string | null;
