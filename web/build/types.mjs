/**
 * `npm run types`: the declarations of the bindings as Embind writes them, and those of the runtime as
 * TypeScript reads them from its source. Both are kept under version control; tests compare.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ours } from '../../tests/node/declarations.js';
import { MODULES, buildPreset, npmPackages, provision, system } from './build-steps.mjs';
import { execute, fail, inRoot, runSteps } from './steps.mjs';

const committed = (name) => inRoot('wasm-bindings', `${name}.d.ts`);

/** What Embind writes for a module, the part that is ours. */
async function emitted(name, say) {
  await buildPreset('wasm-scalar', say, ['--target', `attn_module_${name}_tsd`]);
  return ours(readFileSync(inRoot('build/wasm-scalar/types', `${name}.d.ts`), 'utf8'));
}

/** @returns {import('./steps.mjs').Step} */
export const checkTypes = () => ({
  name: 'types',
  title: 'Declarations of the bindings',
  needs: ['module-scalar', 'npm'],
  async run(say) {
    const stale = [];
    for (const name of MODULES) {
      if ((await emitted(name, say)) !== readFileSync(committed(name), 'utf8')) stale.push(name);
    }
    return {
      passed: MODULES.length - stale.length,
      failed: stale.length,
      note: stale.map((name) => `wasm-bindings/${name}.d.ts is stale: npm run types`).join('\n'),
    };
  },
});

const writeTypes = () => ({
  name: 'types',
  title: 'Declarations',
  needs: ['toolchain', 'npm'],
  async run(say) {
    for (const name of MODULES) writeFileSync(committed(name), await emitted(name, say));
    const runtime = inRoot('web/runtime/types');
    mkdirSync(runtime, { recursive: true });
    await execute(
      process.execPath,
      [inRoot('node_modules/typescript/bin/tsc'), '-p', runtime, '--outDir', runtime],
      { log: 'types', onLine: say },
    );
  },
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await runSteps([system(), [provision(), npmPackages()], writeTypes()]);
    console.log('Written: wasm-bindings/*.d.ts and web/runtime/types/*.d.ts');
  } catch (error) {
    fail(error);
  }
}
