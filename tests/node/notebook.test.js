/** The lab's notebook: it is what its sources make of it, its solutions pass and its gaps do not. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NOTEBOOK, notebook } from '../../web/build/notebook.mjs';
import { pythonWithNumpy } from '../../web/build/system.mjs';
import { exercises } from '../../web/lab/exercises/index.js';

const file = fileURLToPath(new URL(`../../${NOTEBOOK}`, import.meta.url));

function run(filling) {
  const python = pythonWithNumpy();
  assert.ok(python, 'No Python with NumPy was found. On Debian: apt-get install python3-numpy.');
  const program = fileURLToPath(new URL('notebook/run.py', import.meta.url));
  return JSON.parse(
    execFileSync(python, ['-W', 'ignore', program, file, filling], { encoding: 'utf8' }),
  );
}

test('the notebook is as its sources write it', () => {
  assert.equal(readFileSync(file, 'utf8'), notebook(), 'stale: node web/build/notebook.mjs');
});

test('the notebook holds the ten exercises, in a format that every reader knows', () => {
  const { cells, nbformat } = JSON.parse(notebook());
  assert.equal(nbformat, 4);
  const ids = cells.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]{1,64}$/);
  const checks = cells.filter(({ metadata }) => metadata.lab?.role === 'check');
  assert.deepEqual(
    checks.map(({ metadata }) => metadata.lab.exercise),
    exercises.map(({ id }) => id),
  );
});

test('every solution passes its check', () => {
  const results = run('solution');
  for (const { id } of exercises) {
    assert.equal(results[id].error, null, `${id}: ${results[id].message}`);
    assert.match(results[id].said, /^right: /m);
  }
});

test('every gap fails its check, with words', () => {
  const results = run('gap');
  for (const { id } of exercises) {
    assert.equal(results[id].error, 'AssertionError', `${id}: ${JSON.stringify(results[id])}`);
    assert.ok(results[id].message.length > 15, results[id].message);
  }
});
