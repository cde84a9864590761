/** The lab's notebook, in each language: it is what its sources make of it, its solutions pass and its gaps do not. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LANGUAGES, SOURCE } from '../../web/build/site/language.mjs';
import { notebook, notebookFile } from '../../web/build/notebook.mjs';
import { pythonWithNumpy } from '../../web/build/system.mjs';
import { exercises } from '../../web/lab/exercises/index.js';

const fileOf = (language) =>
  fileURLToPath(new URL(`../../${notebookFile(language)}`, import.meta.url));

function run(language, filling) {
  const python = pythonWithNumpy();
  assert.ok(python, 'No Python with NumPy was found. On Debian: apt-get install python3-numpy.');
  const program = fileURLToPath(new URL('notebook/run.py', import.meta.url));
  return JSON.parse(
    execFileSync(python, ['-W', 'ignore', program, fileOf(language), filling], {
      encoding: 'utf8',
    }),
  );
}

for (const language of LANGUAGES) {
  test(`${language}: the notebook is as its sources write it`, async () => {
    assert.equal(
      readFileSync(fileOf(language), 'utf8'),
      await notebook(language),
      'stale: node web/build/notebook.mjs',
    );
  });

  test(`${language}: ten exercises, in a format that every reader knows`, async () => {
    const { cells, nbformat } = JSON.parse(await notebook(language));
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

  test(`${language}: every solution passes its check`, () => {
    const results = run(language, 'solution');
    for (const { id } of exercises) {
      assert.equal(results[id].error, null, `${id}: ${results[id].message}`);
      assert.match(results[id].said, language === SOURCE ? /^right: /m : /^certo: /m);
    }
  });

  test(`${language}: every gap fails its check, with words`, () => {
    const results = run(language, 'gap');
    for (const { id } of exercises) {
      assert.equal(results[id].error, 'AssertionError', `${id}: ${JSON.stringify(results[id])}`);
      assert.ok(results[id].message.length > 15, results[id].message);
    }
  });
}

test('a language has every word of the notebook, and none besides', () => {
  const english = readFileSync(fileOf(SOURCE), 'utf8');
  const joined = JSON.parse(english)
    .cells.map(({ source }) => source.join(''))
    .join('\n')
    .replace(/\s*\n\s*/g, ' ');
  for (const language of LANGUAGES.filter((one) => one !== SOURCE)) {
    const words = new URL(`../../web/lab/notebook/${language}.json`, import.meta.url);
    for (const phrase of Object.keys(JSON.parse(readFileSync(words, 'utf8'))))
      assert.ok(joined.includes(phrase), `nowhere in the notebook: “${phrase}”`);
  }
});
