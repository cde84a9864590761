/** The golden rows, the values that the module computes for them, and the lists beside the slides. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, filesBelow, read } from './files.js';

const json = (file) => (existsSync(path.join(ROOT, file)) ? JSON.parse(read(file)) : undefined);
const moduleAt = (file) => import(pathToFileURL(path.join(ROOT, file)).href);

export const goldenRows = () =>
  ['lecture', 'deck'].flatMap((name) => json(`tests/golden/${name}.json`)?.figures ?? []);

/** The models of all simulators, by tag. */
export async function models() {
  const files = filesBelow('web/simulators').filter((file) => file.endsWith('.model.js'));
  const loaded = await Promise.all(files.map(moduleAt));
  return Object.fromEntries(loaded.map(({ model }) => [model.tag, model]));
}

export async function loadCore() {
  const { load } = await moduleAt('web/runtime/index.js');
  return load('core');
}

/** The module `tokens` with every vocabulary open. */
export async function loadTokens() {
  const { load } = await moduleAt('web/runtime/index.js');
  const tokens = await load('tokens');
  for (const name of ['gpt2', 'cl100k', 'o200k']) await tokens.vocabulary(name);
  return tokens;
}

/** The modules by name, ready for the `compute` of any model: `modules[model.module ?? 'core']`. */
export async function loadModules() {
  const { load } = await moduleAt('web/runtime/index.js');
  const names = /** @type {const} */ ([
    'experiments',
    'layer',
    'kernels',
    'bill',
    'decode',
    'answers',
    'reading',
  ]);
  const [core, tokens, ...others] = await Promise.all([
    loadCore(),
    loadTokens(),
    ...names.map((name) => load(name)),
  ]);
  const reading = /** @type {any} */ (others[names.indexOf('reading')]);
  await reading.recording('smollm2');
  return { core, tokens, ...Object.fromEntries(names.map((name, i) => [name, others[i]])) };
}

export async function loadFigures() {
  const [modules, { recompute }, byTag] = await Promise.all([
    loadModules(),
    moduleAt('tests/golden/recompute.js'),
    models(),
  ]);
  const rows = goldenRows();
  const values = new Map();
  const failures = [];
  for (const row of rows) {
    if (!Object.hasOwn(recompute, row.id)) continue;
    try {
      values.set(row.id, recompute[row.id](modules.core, row, modules));
    } catch (error) {
      failures.push(`${row.id}: ${error.message}`);
    }
  }
  return {
    rows,
    values,
    failures,
    numbers: json('slides/numbers.json') ?? {},
    leftOut: json('slides/left-out.json') ?? {},
    simulatorFigures: Object.fromEntries(
      Object.entries(byTag).map(([tag, model]) => [tag, model.figures ?? []]),
    ),
  };
}
