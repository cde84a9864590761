import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { allExamples, attention } from './examples.js';

const modules = {
  core: await load('core'),
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
const { core } = modules;
const isArray = ArrayBuffer.isView;
const arraysOf = (answer) => Object.entries(answer).filter(([, value]) => isArray(value));

/** What answers with shapes, with single numbers or with one array has nothing to write into. */
const reusable = allExamples().filter(
  ([owner, name]) =>
    ![
      ...['attentionCosts', 'attentionShapes', 'gpt2EmbeddingSizes', 'multiHeadShapes'],
      ...['randomNormals', 'readRecording'],
    ].includes(name) &&
    (!['bill', 'files', 'cache', 'decode', 'model'].includes(owner) ||
      ['billSeries', 'storedRows'].includes(name)),
);

for (const [owner, name, example] of reusable) {
  const call = (options) => modules[owner][name](options);
  test(`${name}: out receives the result, and the next call writes into its arrays`, () => {
    const expected = call(example());
    const out = {};
    assert.equal(call({ ...example(), out }), out);
    assert.deepEqual(out, expected);
    const arrays = arraysOf(out);
    for (const [, array] of arrays) array.fill(7);
    call({ ...example(), out });
    assert.deepEqual(out, expected);
    for (const [key, array] of arrays) assert.equal(out[key], array, key);
  });
}

test('an array of another length or type is replaced, never written past its end', () => {
  const expected = core.attention(attention());
  const shared = new Float64Array(20).fill(42);
  const out = {
    weights: shared.subarray(0, 5),
    scores: new Float32Array(6),
    output: new Float64Array(4),
  };
  const { weights, scores, output } = out;
  core.attention({ ...attention(), out });
  assert.deepEqual(out, expected);
  assert.notEqual(out.weights, weights);
  assert.notEqual(out.scores, scores);
  assert.equal(out.output, output);
  assert.ok(shared.every((value) => value === 42));
});

test('a view into a larger buffer is written in its place alone', () => {
  const shared = new Float64Array(20).fill(42);
  const out = { weights: shared.subarray(4, 10) };
  core.attention({ ...attention(), out });
  assert.equal(out.weights.buffer, shared.buffer);
  assert.deepEqual([...shared.subarray(0, 4)], [42, 42, 42, 42]);
  assert.ok(shared.subarray(10).every((value) => value === 42));
  assert.deepEqual(out.weights, core.attention(attention()).weights);
});

test('out may hold the very arrays of the input', () => {
  const expected = core.attention(attention());
  const options = attention();
  const out = { output: options.Q };
  core.attention({ ...options, out });
  assert.equal(out.output, options.Q);
  assert.deepEqual(out.output, expected.output);
});

test('arrays that lie about their length, or bring their own set, are left alone', () => {
  const lying = new Float64Array(2);
  Object.defineProperty(lying, 'length', { value: 6 });
  const trapped = new Float64Array(4);
  trapped.set = () => {
    throw new Error('ran');
  };
  const out = { weights: lying, output: trapped };
  core.attention({ ...attention(), out });
  assert.notEqual(out.weights, lying);
  assert.notEqual(out.output, trapped);
  assert.deepEqual(out, core.attention(attention()));
});

test('an out that cannot be written is named', () => {
  for (const out of [Object.freeze({}), 3, 'out', [], () => {}]) {
    assert.throws(() => core.attention({ ...attention(), out }), {
      name: 'AttentionDeckError',
      code: 'bad_argument',
      field: 'out',
    });
  }
  assert.ok(core.attention({ ...attention(), out: null }).weights);
});

test('plain arrays, other number types and views give what typed arrays give', () => {
  const expected = core.attention(attention());
  const as = (convert) => {
    const options = attention();
    for (const key of ['Q', 'K', 'V']) options[key] = convert(options[key]);
    return core.attention(options);
  };
  assert.deepEqual(
    as((array) => [...array]),
    expected,
  );
  assert.deepEqual(
    as((array) => Float32Array.from(array)),
    expected,
    'all are exact in float32',
  );
  const inside = (array) => {
    const larger = new Float64Array(array.length + 3).fill(NaN);
    larger.set(array, 2);
    return larger.subarray(2, 2 + array.length);
  };
  assert.deepEqual(as(inside), expected);
  class Sub extends Float64Array {}
  assert.deepEqual(
    as((array) => Sub.from(array)),
    expected,
  );
  const lying = (array) => Object.defineProperty(array, 'length', { value: 1e9 });
  assert.deepEqual(as(lying), expected);
});

test('float32 answers in float32, near to float64', () => {
  const exact = core.attention(attention());
  const single = core.attention({ ...attention(), dtype: 'float32' });
  assert.ok(single.weights instanceof Float32Array);
  assert.ok(single.weights.every((w, i) => Math.abs(w - exact.weights[i]) < 1e-6));
});
