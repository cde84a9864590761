import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { Core } from '../../web/runtime/core.js';
import { Experiments } from '../../web/runtime/experiments.js';
import { allExamples, constants, examples, experimentExamples } from './examples.js';
import { boundNames, rawModule } from './support.js';

const own = ['constructor'];
const modules = {
  core: { Facade: Core, names: [...Object.keys(examples), ...Object.keys(constants)] },
  experiments: { Facade: Experiments, names: Object.keys(experimentExamples) },
};

for (const [name, { Facade, names }] of Object.entries(modules)) {
  test(`every function of the facade of ${name} has an example, and every example a function`, () => {
    const methods = Object.getOwnPropertyNames(Facade.prototype).filter((n) => !own.includes(n));
    assert.deepEqual(methods.sort(), [...names].sort());
  });

  test(`every function that the raw module ${name} exports is reached by the facade`, async () => {
    const raw = await rawModule('scalar', { name });
    assert.deepEqual(boundNames(raw), [...names].sort());
  });
}

const core = await load('core');
const facades = { core, experiments: await load('experiments') };
for (const [module, name, example] of allExamples()) {
  test(`${name} answers its example with numbers`, () => {
    const answer = facades[module][name](example());
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
