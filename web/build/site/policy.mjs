/**
 * The content policy, in one place for the pages and for the server. The first two directives are the
 * promise of the project; the other two only take away what no page here uses.
 */
export const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');
