/**
 * custom-elements.json and attention-deck.d.ts: what editors, frameworks and other tools know of the elements. Both are made
 * of the models' schemas and of one description of what all elements share (elements/base.mjs), for the site and for the
 * package alike.
 *
 *     node web/build/elements.mjs [FOLDER]      writes both; without a folder, into build/elements
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { collectElements, cssProperties } from './elements/collect.mjs';
import { declarations } from './elements/declarations.mjs';
import { manifest } from './elements/manifest.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The script of the site defines every element; in the package each has a file of its own. */
const SITE_MODULE = () => 'attention-deck.js';

/**
 * @param {{root?: string, module?: (name: string) => string}} [options] `module`: the file that defines an element
 * @returns {Promise<Record<string, string>>} the text of each file by its name
 */
export async function elementFiles({ root = ROOT, module = SITE_MODULE } = {}) {
  const elements = await collectElements(root);
  const described = manifest(elements, { module, cssProperties: cssProperties(root) });
  return {
    'custom-elements.json': `${JSON.stringify(described, null, 2)}\n`,
    'attention-deck.d.ts': declarations(elements),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/elements'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await elementFiles())) {
    writeFileSync(path.join(folder, name), text);
    console.log(`Written: ${path.join(folder, name)}`);
  }
}
