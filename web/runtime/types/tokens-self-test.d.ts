/**
 * @param {import('./tokens.js').Tokens} tokens
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestTokens(tokens: import("./tokens.js").Tokens): string | null;
