/** The modules that a script asks for by name, it or what it imports. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.js)'/g;
const LOAD = /\bload\('(\w+)'\)/g;

/**
 * @param {string} file
 * @returns {Set<string>}
 */
export function loadedBy(file) {
  const seen = new Set();
  const found = new Set();
  const visit = (one) => {
    if (seen.has(one) || one.includes(`${path.sep}runtime${path.sep}`) || !existsSync(one)) return;
    seen.add(one);
    const text = readFileSync(one, 'utf8');
    for (const [, name] of text.matchAll(LOAD)) found.add(name);
    for (const [, target] of text.matchAll(IMPORT)) visit(path.join(path.dirname(one), target));
  };
  visit(file);
  return found;
}
