/**
 * The part of Emscripten's declarations that is ours: what the bindings export. The rest changes
 * with the version of the compiler, of which we support many.
 *
 *     node tests/node/declarations.js EMITTED.d.ts > wasm-bindings/core.d.ts
 */
import { readFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

/** @param {string} emitted */
export function ours(emitted) {
  const found = /^interface EmbindModule \{\n(?<members>.*?)^\}/ms.exec(emitted);
  if (!found) throw new Error('Emscripten wrote no interface EmbindModule');
  return [
    '// Written by Embind from the bindings of this name; a test compares.',
    '// After a change there: npm run types',
    'export interface MainModule {',
    `${found.groups.members.trimEnd()}`,
    '}',
    'export default function MainModuleFactory(options?: unknown): Promise<MainModule>;',
    '',
  ].join('\n');
}

if (argv[1] === fileURLToPath(import.meta.url)) stdout.write(ours(readFileSync(argv[2], 'utf8')));
