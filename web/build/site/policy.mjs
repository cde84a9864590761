import { createHash } from 'node:crypto';

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
 * The policy of the page that runs a model: the reader may name any host that has one, and nothing but files is asked of
 * it. Everywhere else 'self' stays the only host.
 */
export const MODEL_POLICY = `${POLICY}; connect-src 'self' https:`;

/** @param {string} name */
const isModelPage = (name) => /^([\w-]+\/)?model\.html$/.test(name);

/**
 * The policy of the frame in which the lab runs students' programs: its one script, by the hash of its text, and what is
 * made of text; no style, no picture, no connection. 'self' would name nothing there: the frame has an origin of its own
 * (`sandbox` without `allow-same-origin`), and WebKit takes that at its word.
 * @param {string} script
 */
export const sandboxPolicy = (script) =>
  [
    "default-src 'none'",
    `script-src '${hashOf(script)}' blob: 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** How a policy names an inline script. @param {string} text */
export const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/**
 * The lecture in a single file, and each simulator in one (web/build/offline).
 * @param {string} name a page, by its place in the site
 * @param {(name: string) => boolean} exists
 */
export const isSingleFile = (name, exists) =>
  name === 'lecture.html' || (/^[\w-]+\.html$/.test(name) && exists(`simulators/${name}`));

/** Pages that bring their own policy, and are sent no other: single files, the lab's frame, and the model's page. @type {typeof isSingleFile} */
export const bringsItsPolicy = (name, exists) =>
  name === 'sandbox.html' || isModelPage(name) || isSingleFile(name, exists);
