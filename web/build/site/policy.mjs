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

/**
 * The one page with a policy of its own: the frame in which the lab runs students' programs. It may make scripts and
 * workers of text, and nothing else: no style, no picture, no connection. A frame with `sandbox` and without
 * `allow-same-origin` has an origin of its own, to which this policy names the site's scripts as 'self'.
 */
export const SANDBOX_POLICY = [
  "default-src 'none'",
  "script-src 'self' blob: 'wasm-unsafe-eval'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The page that has it. */
export const SANDBOX_PAGE = 'sandbox.html';

/** The policy of a file of the site, by its path. */
export const policyOf = (pathname) =>
  pathname.replace(/^\//, '') === SANDBOX_PAGE ? SANDBOX_POLICY : POLICY;
