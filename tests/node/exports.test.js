import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { Answers } from '../../web/runtime/answers.js';
import { Bills } from '../../web/runtime/bill.js';
import { Cache } from '../../web/runtime/cache.js';
import { Core } from '../../web/runtime/core.js';
import { Decode } from '../../web/runtime/decode.js';
import { Facade } from '../../web/runtime/facade.js';
import { Files } from '../../web/runtime/files.js';
import { Experiments } from '../../web/runtime/experiments.js';
import { Layer } from '../../web/runtime/layer.js';
import { Models } from '../../web/runtime/model.js';
import { Readings } from '../../web/runtime/reading.js';
import {
  allExamples,
  answersExamples,
  billConstants,
  billExamples,
  cacheExamples,
  cacheHandles,
  decodeExamples,
  decodeHandles,
  modelExamples,
  modelHandles,
  constants,
  examples,
  experimentExamples,
  fileExamples,
  layerExamples,
  readingExamples,
  readingHandles,
} from './examples.js';
import { boundNames, rawModule } from './support.js';

const own = ['constructor'];
const modules = {
  core: { Face: Core, names: [...Object.keys(examples), ...Object.keys(constants)] },
  experiments: { Face: Experiments, names: Object.keys(experimentExamples) },
  layer: { Face: Layer, names: Object.keys(layerExamples) },
  bill: { Face: Bills, names: [...Object.keys(billExamples), ...Object.keys(billConstants)] },
  files: { Face: Files, names: Object.keys(fileExamples) },
  cache: { Face: Cache, names: Object.keys(cacheExamples), handles: cacheHandles },
  answers: { Face: Answers, names: Object.keys(answersExamples) },
  decode: { Face: Decode, names: Object.keys(decodeExamples), handles: decodeHandles },
  model: { Face: Models, names: Object.keys(modelExamples), handles: modelHandles },
  reading: { Face: Readings, names: Object.keys(readingExamples), handles: readingHandles },
};

for (const [name, { Face, names, handles = {} }] of Object.entries(modules)) {
  test(`every function of the facade of ${name} has an example, and every example a function`, () => {
    const methods = Object.getOwnPropertyNames(Face.prototype).filter((n) => !own.includes(n));
    assert.deepEqual(methods.sort(), [...names, ...Object.keys(handles)].sort());
  });

  test(`every function that the raw module ${name} exports is reached by the facade`, async () => {
    const raw = await rawModule('scalar', { name });
    assert.deepEqual(boundNames(raw), [...names, ...Object.values(handles).flat()].sort());
  });
}

const core = await load('core');
const facades = {
  core,
  experiments: await load('experiments'),
  layer: await load('layer'),
  bill: await load('bill'),
  files: await load('files'),
  cache: await load('cache'),
  decode: await load('decode'),
  model: await load('model'),
  answers: await load('answers'),
  reading: await load('reading'),
};

/** Every number in an answer, however deep. */
function numbersIn(value) {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return (ArrayBuffer.isView(value) ? [...value] : Object.values(value)).flatMap(numbersIn);
}

for (const [module, name, example] of allExamples()) {
  test(`${name} answers its example with numbers`, () => {
    const answer = facades[module][name](example());
    const numbers = numbersIn(answer);
    assert.ok(numbers.length > 0);
    // −∞ is a number here: the largest score before any was seen.
    assert.ok(numbers.every((number) => Number.isFinite(number) || number === -Infinity));
  });
}

for (const [module, list] of Object.entries({ core: constants, bill: billConstants })) {
  for (const [name, values] of Object.entries(list)) {
    test(`${name} answers`, () => {
      assert.ok(facades[module][name](...values).length > 0);
    });
  }
}

test('of the module itself nothing can be had but through checked calls', async () => {
  const cache = await load('cache');
  const decode = await load('decode');
  const kernels = await load('kernels');
  const tokens = await load('tokens');
  const opened = cache.open({ d_k: 4, layout: 'paged' });
  const sequence = opened.sequence();
  const run = decode.decodeRun({ n: 2 });
  const loading = facades.model.gguf({ file_bytes: 100 });
  const tensor = kernels.tensor(4);
  const trainer = tokens.train({ documents: ['aab aab'] });
  const tokenizer = trainer.tokenizer();
  const all = {
    core,
    cache,
    decode,
    kernels,
    tokens,
    model: facades.model,
    opened,
    sequence,
    run,
    loading,
    tensor,
    trainer,
    tokenizer,
  };
  for (const [name, thing] of Object.entries(all)) {
    const seen = [];
    for (let at = thing; at !== EventTarget.prototype && at !== Object.prototype;) {
      seen.push(...Reflect.ownKeys(at));
      at = Object.getPrototypeOf(at);
    }
    for (const key of ['instance', 'raw', 'number', 'life'])
      if (name !== 'tokens' || key !== 'life') assert.ok(!seen.includes(key), `${name}.${key}`);
    if (!(thing instanceof Facade)) assert.ok(!seen.includes('ask'), `${name}.ask`);
  }
  // The one call that all methods go through has no other than theirs.
  for (const facade of [core, cache, decode, kernels, tokens, facades.model]) {
    for (const name of ['closeCache', 'openTensor', 'errorCodes', 'toString', '__proto__'])
      assert.throws(() => facade.ask(name, {}), { code: 'bad_argument' }, name);
  }
  for (const handle of [opened, run, loading, tensor, trainer, tokenizer]) handle.close();
});
