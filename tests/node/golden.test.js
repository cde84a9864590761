import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { difference } from '../golden/compare.js';
import { recompute } from '../golden/recompute.js';
import { loadTokens, root, variants } from './support.js';

const read = async (name) =>
  JSON.parse(await readFile(new URL(`tests/golden/${name}.json`, root), 'utf8')).figures;
const rows = [...(await read('lecture')), ...(await read('deck'))];

test('every recomputation has its golden row', () => {
  const ids = new Set(rows.map(({ id }) => id));
  const orphans = Object.keys(recompute).filter((id) => !ids.has(id));
  assert.deepEqual(orphans, []);
  assert.ok(Object.keys(recompute).length > 0);
});

for (const variant of variants) {
  const modules = {
    core: await load('core', { variant }),
    tokens: await loadTokens(variant, ['gpt2']),
    experiments: await load('experiments', { variant }),
    layer: await load('layer', { variant }),
    kernels: await load('kernels', { variant }),
    bill: await load('bill', { variant }),
    decode: await load('decode', { variant }),
    answers: await load('answers', { variant }),
    reading: await load('reading', { variant }),
  };
  await modules.reading.recording('smollm2');
  const { core } = modules;
  test(`the modules that ship, ${variant}, are the ones that answer`, () => {
    for (const module of Object.values(modules)) assert.equal(module.variant, variant);
  });
  for (const row of rows) {
    if (!Object.hasOwn(recompute, row.id)) continue;
    test(`${variant}: ${row.id}`, () => {
      assert.equal(difference(row, recompute[row.id](core, row, modules)), null);
    });
  }
}

// Node 20 has relaxed SIMD behind a switch, so there the third build needs a Node of its own.
if (!variants.includes('relaxed')) {
  test('relaxed: the golden cases and the choice of the build, in a Node that has it', () => {
    const files = ['golden', 'loader', 'reuse', 'tokens', 'efficient'].map(
      (name) => `${name}.test.js`,
    );
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--experimental-wasm-relaxed-simd', '--test', ...files],
      { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', env },
    );
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /relaxed, are the ones that answer/);
  });
}

test('a golden row is not met by a neighbour, NaN, or another shape', () => {
  const row = {
    id: 'x',
    computed: [1, 0, 2],
    tolerance_kind: 'relative',
    tolerance_computed: 1e-12,
  };
  assert.equal(difference(row, Float64Array.of(1, 0, 2)), null);
  assert.equal(difference(row, [1 + 1e-13, 1e-13, 2]), null);
  assert.notEqual(difference(row, [1, 0, 2 + 1e-11]), null);
  assert.notEqual(difference(row, [1, 1e-11, 2]), null);
  assert.notEqual(difference(row, [NaN, 0, 2]), null);
  assert.notEqual(difference(row, [1, 0]), null);
  assert.notEqual(difference(row, { 0: 1, 1: 0, 2: 2 }), null);
  assert.notEqual(difference(row, undefined), null);
  const bound = {
    id: 'b',
    computed: 3e-16,
    tolerance_kind: 'bound',
    tolerance_computed: 1e-12,
    bound: 1e-12,
  };
  assert.equal(difference(bound, -2e-13), null);
  assert.notEqual(difference(bound, 2e-12), null);
  assert.notEqual(difference(bound, NaN), null);
  const words = { id: 'w', computed: ['aa'], tolerance_kind: 'exact', tolerance_computed: 1e-12 };
  assert.equal(difference(words, ['aa']), null);
  assert.notEqual(difference(words, ['ab']), null);
  const measured = { id: 'm', computed: null, tolerance_kind: 'none', tolerance_computed: 1e-12 };
  assert.notEqual(difference(measured, null), null);
});
