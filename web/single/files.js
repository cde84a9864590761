/**
 * What a single file holds beside its own page: modules, a vocabulary, other pages. Each stands in a block of text that
 * no browser runs, compressed and in letters, and is undone when it is asked for.
 */
import { AttentionDeckError } from '../runtime/errors.js';
import { download } from '../shared/export.js';
import { decode85 } from './base85.js';

/** Of this document, before another page takes its place. @type {Map<string, string>} */
const blocks = new Map(
  [...document.querySelectorAll('script[data-file]')].map((block) => [
    block.dataset.file,
    block.textContent,
  ]),
);
/** Two builds of a module may be the same, and stand here once. */
for (const { dataset } of document.querySelectorAll('script[data-same]'))
  blocks.set(dataset.file, blocks.get(dataset.same));

/** @param {string} name */
export const holds = (name) => blocks.has(name);

/** @param {string} name */
function unpacked(name) {
  return new Blob([decode85(blocks.get(name))])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
}

/** @param {string} name @returns {Promise<string>} */
export const textOf = (name) => new Response(unpacked(name)).text();

/**
 * What fetches in this file: by name, and nothing from anywhere else.
 * @param {string | URL | Request} address
 */
async function fetchInside(address) {
  const { protocol, pathname: name } = new URL(String(address), document.baseURI);
  if (protocol === 'inside:' && holds(name)) {
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'text/plain';
    return new Response(unpacked(name), { headers: { 'content-type': type } });
  }
  throw new AttentionDeckError(
    'load_not_found',
    name.endsWith('.bpe')
      ? `The vocabulary ${name.replace('.bpe', '')} is not in this file, which has to stay small: it holds GPT-2’s. ` +
          'The others are on the lecture’s site.'
      : `${name} is not in this file, and the file fetches nothing from elsewhere.`,
  );
}

globalThis.fetch = fetchInside;

// A link to a file that stands in this one saves it.
addEventListener('click', async (event) => {
  const link = event.target.closest?.('a[href^="inside:"]');
  if (!link) return;
  event.preventDefault();
  const name = new URL(link.href).pathname;
  download(name.split('/').at(-1), await new Response(unpacked(name)).blob());
});
