import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { Core } from '../../web/runtime/core.js';
import { constants, examples } from './examples.js';
import { boundNames, rawModule } from './support.js';

const own = ['constructor', 'variant', 'whenReady'];

test('every function of the facade has an example, and every example a function', () => {
  const methods = Object.getOwnPropertyNames(Core.prototype).filter((name) => !own.includes(name));
  assert.deepEqual(methods.sort(), [...Object.keys(examples), ...Object.keys(constants)].sort());
});

test('every function that the raw module exports is reached by the facade', async () => {
  const raw = await rawModule('scalar');
  assert.deepEqual(boundNames(raw), [...Object.keys(examples), ...Object.keys(constants)].sort());
});

const core = await load('core');
for (const [name, example] of Object.entries(examples)) {
  test(`${name} answers its example with numbers`, () => {
    const answer = core[name](example());
    const fields = ArrayBuffer.isView(answer) ? [answer] : Object.values(answer);
    const numbers = fields.flatMap((value) =>
      ArrayBuffer.isView(value) ? [...value] : typeof value === 'number' ? [value] : [],
    );
    const nested = fields.filter(Array.isArray);
    assert.ok(numbers.length > 0 || nested.length > 0);
    assert.ok(numbers.every(Number.isFinite));
  });
}

for (const [name, values] of Object.entries(constants)) {
  test(`${name} answers`, () => {
    assert.ok(core[name](...values).length > 0);
  });
}
