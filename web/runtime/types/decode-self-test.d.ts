/**
 * @param {import('./decode.js').Decode} decode
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestDecode(decode: import("./decode.js").Decode): string | null;
