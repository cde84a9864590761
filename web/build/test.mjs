/**
 * `npm test`: every test, from a fresh machine. Prints what runs, how long it took and, as its last line, how
 * many tests passed and failed.
 *
 * `npm test -- --model`: those of SmolLM2 in the module, too, for which 95 MB are fetched.
 */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  buildPreset,
  modules,
  npmPackages,
  placeModules,
  provision,
  singleFiles,
  site,
  system,
  texts,
  vocabularies,
} from './build-steps.mjs';
import { MODEL } from './model-file.mjs';
import { StepError, capture, inRoot, runSteps, tail } from './steps.mjs';

/** @param {string} folder */
const testFiles = (folder) =>
  readdirSync(inRoot(folder))
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** A suite that counted nothing has not passed, whatever it exited with. */
function counted({ passed, failed }, code, output, log) {
  if (passed + failed === 0) throw new StepError(`no test was run:\n${tail(output)}`);
  if (code !== 0 && failed === 0) throw new StepError(`ended with ${code}:\n${tail(output)}`);
  const note = failed > 0 ? `${failures(output)}\n(all of it: build/logs/${log}.log)` : undefined;
  return { passed, failed, note };
}

/** Where a suite says what failed: node:test and ours after a heading, the others at their end. */
function failures(output) {
  const heading = output.search(/^(\S+ failing tests:|not ok )/m);
  const said = heading < 0 ? tail(output, 120) : output.slice(heading);
  const lines = said
    .split('\n')
    // What passed in between is of no interest here.
    .filter((line) => !line.startsWith('ok '))
    .map((line) => line.slice(0, 300));
  return `\n${lines.slice(0, 200).join('\n')}`;
}

/** Runs files of node:test. */
async function nodeTests(log, folder, say, env) {
  const parameters = ['--test', '--test-reporter=spec', ...testFiles(folder)];
  const { code, output } = await capture(process.execPath, parameters, { log, env, onLine: say });
  const number = (word) => Number(new RegExp(`^\\S+ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const passed = number('pass');
  // A test that was cancelled, skipped or put off did not show what it is there to show.
  const failed = number('fail') + number('cancelled') + number('skipped') + number('todo');
  return counted({ passed, failed }, code, output, log);
}

/** Test cases in a report in JUnit's format. */
function junit(file) {
  const cases = readFileSync(file, 'utf8')
    .split(/<testcase\b/)
    .slice(1);
  const failed = cases.filter((text) =>
    /<(failure|error|skipped)\b|status="(fail|notrun|disabled)"/.test(text),
  );
  return { passed: cases.length - failed.length, failed: failed.length };
}

/** Runs ctest, and counts in the report that ctest or the program itself writes. */
async function ctest(preset, report, say) {
  const file = inRoot('build', preset, report);
  rmSync(file, { force: true });
  const parameters = ['--preset', preset, '--output-junit', inRoot('build', preset, 'ctest.xml')];
  parameters.push('--parallel', String(availableParallelism()));
  const log = `ctest-${preset}`;
  const { code, output } = await capture('ctest', parameters, { log, onLine: say });
  if (!existsSync(file)) throw new StepError(`there is no report:\n${tail(output)}`);
  return counted(junit(file), code, output, log);
}

/** @type {import('./steps.mjs').Step} */
const realModel = {
  name: 'model',
  title: 'SmolLM2 in the module',
  needs: ['modules'],
  async run(say) {
    const { code, output } = await capture(process.execPath, [inRoot('web/build/model.mjs')], {
      log: 'model',
      onLine: say,
    });
    // A package index that cannot be reached is no fault of the code.
    if (code !== 0) return `not run, as the model cannot be fetched: ${tail(output, 1)}`;
    return nodeTests('model-tests', 'tests/model', say, { ATTN_MODEL: MODEL });
  },
};

/** @type {(import('./steps.mjs').Step | import('./steps.mjs').Step[])[]} */
const plan = [
  system(true),
  [provision(['wasm', 'libraries', 'tests', 'format']), npmPackages()],
  {
    name: 'lint',
    title: 'Formatting and linting',
    needs: ['toolchain', 'npm'],
    run: async (say) => (await import('./lint.mjs')).lint({ say }),
  },
  {
    name: 'native-build',
    title: 'C++ tests with sanitizers, compiling',
    needs: ['toolchain'],
    run: (say) => buildPreset('native-debug', say),
  },
  {
    name: 'native',
    title: 'C++ tests with sanitizers',
    needs: ['native-build'],
    run: (say) => ctest('native-debug', 'ctest.xml', say),
  },
  ...modules(),
  {
    name: 'wasm-build',
    title: 'C++ tests as WebAssembly, compiling',
    needs: ['module-simd'],
    run: (say) => buildPreset('wasm-simd', say, ['--target', 'attn_tests']),
  },
  {
    name: 'wasm',
    title: 'C++ tests as WebAssembly in Node',
    needs: ['wasm-build'],
    run: (say) => ctest('wasm-simd', 'attn_tests.xml', say),
  },
  placeModules(),
  vocabularies(),
  texts(),
  {
    name: 'types',
    title: 'Declarations of the bindings',
    needs: ['module-scalar', 'npm'],
    // Its imports are there once the packages are.
    run: async (say) => (await import('./types.mjs')).checkTypes().run(say),
  },
  {
    name: 'node',
    title: 'Bindings and runtime in Node',
    needs: ['modules', 'vocabularies', 'texts', 'npm'],
    run: (say) => nodeTests('node', 'tests/node', say),
  },
  ...(process.argv.includes('--model') ? [realModel] : []),
  site({ always: true }),
  singleFiles(),
  {
    name: 'architecture',
    title: 'Architecture, figures on the slides, sizes',
    needs: ['single-files'],
    run: (say) => nodeTests('architecture', 'tests/architecture', say),
  },
  {
    name: 'browser',
    title: 'Chromium, Firefox and WebKit',
    needs: ['single-files'],
    async run(say) {
      const parameters = [inRoot('tests/browser/run.mjs')];
      const { code, output } = await capture(process.execPath, parameters, {
        log: 'browser',
        onLine: say,
      });
      const passed = output.match(/^ok \d+ - /gm)?.length ?? 0;
      const failed = output.match(/^not ok \d+ - /gm)?.length ?? 0;
      return counted({ passed, failed }, code, output, 'browser');
    },
  },
];

const began = performance.now();
const { passed, failed, troubles } = await runSteps(plan, { keepGoing: true });
// Said again, as the step that failed may stand thousands of lines above the end.
for (const trouble of troubles)
  console.log(`\nFailed: ${trouble.split('\n').slice(0, 60).join('\n')}`);
console.log(`\nAll of it took ${Math.round((performance.now() - began) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
