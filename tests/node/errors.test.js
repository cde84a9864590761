import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { AttentionDeckError, errorCodes, load } from '../../web/runtime/index.js';
import { coreErrorCodes, describe, runtimeErrorCodes } from '../../web/runtime/errors.js';

test('the list of codes is the list of the C++', async () => {
  const core = await load('core');
  assert.deepEqual(core.errorCodes(), [...coreErrorCodes]);
  assert.deepEqual([...errorCodes], [...coreErrorCodes, ...runtimeErrorCodes]);
  assert.equal(new Set(errorCodes).size, errorCodes.length);
});

test('an error carries its code, its field, its sentence and its cause', () => {
  const cause = new Error('below');
  const error = new AttentionDeckError('aborted', 'It stopped.', { field: 'Q', cause });
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'AttentionDeckError');
  assert.equal(error.code, 'aborted');
  assert.equal(error.field, 'Q');
  assert.equal(error.message, 'It stopped.');
  assert.equal(error.cause, cause);
  assert.ok(!('cause' in new AttentionDeckError('aborted', 'It stopped.')));
});

test('a value in a sentence is short, and nothing of it runs', () => {
  const hostile = {
    toString() {
      throw new Error('ran');
    },
  };
  assert.equal(describe(hostile), 'an object');
  assert.equal(describe([hostile]), 'an array');
  assert.equal(describe('x'.repeat(1e6)).length, 43);
  assert.equal(describe(Symbol('s')), 'a symbol');
  assert.equal(describe(10n), 'a bigint');
  assert.equal(
    describe(() => hostile),
    'a function',
  );
  assert.equal(describe(null), 'null');
  assert.equal(describe(NaN), 'NaN');
});

test('every code is met by a test, with the input or the failure that leads to it', async () => {
  const files = (await readdir(new URL('.', import.meta.url))).filter(
    (name) => name.endsWith('.test.js') && !import.meta.url.endsWith(name),
  );
  const sources = await Promise.all(
    files.map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
  );
  const asserted = (code) =>
    sources.some((source) => new RegExp(`(code: |isError\\()'${code}'`).test(source));
  assert.deepEqual(
    errorCodes.filter((code) => !asserted(code)),
    [],
  );
});
