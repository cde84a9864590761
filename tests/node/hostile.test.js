import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { coreErrorCodes } from '../../web/runtime/errors.js';
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
for (const module of Object.values(modules)) {
  module.addEventListener('restart', () => assert.fail('bad input must not stop the module'));
}
const { core } = modules;

/** Nobody may get anything but our error, and the module must compute as before afterwards. */
function refuses(call, expected = {}) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionDeckError, `${error.stack}`);
    assert.ok(coreErrorCodes.includes(error.code), `${error.code}: ${error.message}`);
    assert.match(error.message, /^\S.*\.$/s, 'a sentence');
    const wanted = typeof expected === 'function' ? expected(error) : expected;
    for (const [key, value] of Object.entries(wanted))
      assert.equal(error[key], value, error.message);
    return true;
  });
}

const thrower = () => {
  throw new Error('touched');
};
const hostileObject = new Proxy(
  {},
  { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower },
);
const wrongValues = [
  NaN,
  Infinity,
  -Infinity,
  -1,
  0.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
  '',
  '3',
  'x'.repeat(1e6),
  true,
  10n,
  Symbol('n'),
  () => 3,
  {},
  [],
  [3],
  new Date(0),
  hostileObject,
  { valueOf: thrower, toString: thrower, [Symbol.toPrimitive]: thrower },
];

/** Arrays that hold as many numbers as the caller likes. */
const ofAnyLength = new Set([
  'gradientReach.lengths',
  'trainAttention.ids',
  'positionSchemes.ids',
  'quantiles.values',
  'quantiles.shares',
  'attentionMap.words',
  'drawValues.words',
  'recall.pairs',
  'answerCurves.lengths',
]);
for (const name of [
  'billSeries.at',
  'readModel.file',
  'readVocabulary.file',
  'writeVocabulary.file',
  'readRecording.file',
])
  ofAnyLength.add(name);
/** Options within an option: what is missing in them is told by its own name. */
const isGroup = (value) => value?.constructor === Object;
const isPartOf = (group, name, field) =>
  Object.hasOwn(group, field) || field.startsWith(`${name}.`);
/** Arrays of whole numbers, in which no NaN can stand. */
const isWhole = (array) => array instanceof Int32Array || array instanceof Uint8Array;
/** What is said of NaN and its like in an array. */
const codeOfBroken = (path, array) => {
  if (path === 'billSeries.at') return 'out_of_range';
  return isWhole(array) ? 'bad_argument' : 'not_finite';
};

for (const [owner, name, example] of allExamples()) {
  const call = (options) => modules[owner][name](options);
  const sound = structuredClone(call(example()));
  const works = () => assert.deepEqual(call(example()), sound);

  test(`${name} refuses options that are not an object`, () => {
    for (const options of [undefined, null, 3, 'Q', true, [], () => {}, 10n, hostileObject]) {
      refuses(() => call(options), { code: 'bad_argument' });
    }
    works();
  });

  test(`${name} names an option that does not exist`, () => {
    refuses(() => call({ ...example(), casual: true }), {
      code: 'bad_argument',
      field: 'casual',
    });
    works();
  });

  for (const field of Object.keys(example())) {
    test(`${name} refuses every wrong ${field}, or answers; nothing else happens`, () => {
      const isArray = ArrayBuffer.isView(example()[field]);
      for (const value of wrongValues) {
        const options = { ...example(), [field]: value };
        // A number may be in range and yet odd (a seed, a count), as may an array of any length: then an answer is
        // right as well.
        const mayBeRight = ofAnyLength.has(`${name}.${field}`)
          ? Array.isArray(value)
          : !isArray && typeof value === 'number';
        if (mayBeRight && answers(() => call(options))) continue;
        // Of sizes whose product is too large, any one is a right one to name.
        refuses(
          () => call(options),
          (error) =>
            error.code === 'too_large' ||
            error.field?.startsWith(`${field}[`) ||
            (isGroup(example()[field]) && isPartOf(example()[field], field, error.field)) || {
              field,
            },
        );
      }
      works();
    });

    if (isGroup(example()[field])) {
      test(`${name} refuses every wrong part of its ${field}, or answers`, () => {
        for (const part of [...Object.keys(example()[field]), 'casual']) {
          for (const value of wrongValues)
            answers(() => call({ ...example(), [field]: { ...example()[field], [part]: value } }));
        }
        works();
      });
    }

    test(`${name} refuses a ${field} whose getter throws`, () => {
      const options = { ...example() };
      Object.defineProperty(options, field, { get: thrower, enumerable: true });
      refuses(() => call(options), { code: 'bad_argument', field });
      works();
    });

    if (!ArrayBuffer.isView(example()[field])) continue;

    test(`${name} refuses a ${field} of another length or with broken elements`, () => {
      const right = example()[field];
      if (!ofAnyLength.has(`${name}.${field}`)) {
        const detached = right.slice();
        structuredClone(detached, { transfer: [detached.buffer] });
        const longer = new Float64Array(right.length + 1);
        for (const wrong of [longer, right.subarray(1), detached]) {
          refuses(() => call({ ...example(), [field]: wrong }), {
            code: 'shape_mismatch',
            field,
          });
        }
      }
      for (const element of ['1', null, undefined, 1n, {}, [2], hostileObject]) {
        refuses(() => call({ ...example(), [field]: [...right].fill(element) }), {
          code: 'bad_argument',
          field,
        });
      }
      for (const element of [NaN, Infinity, -Infinity]) {
        // Minus infinity among the scores is how a mask is added to them.
        if (/softmax$/i.test(name) && element === -Infinity) continue;
        const broken = Float64Array.from(right).fill(element);
        const code = codeOfBroken(`${name}.${field}`, right);
        refuses(
          () =>
            call({
              ...example(),
              [field]: isWhole(right) ? [...broken] : broken,
            }),
          { code, field },
        );
      }
      refuses(() => call({ ...example(), [field]: new BigInt64Array(right.length) }), {
        field,
      });
      refuses(() => call({ ...example(), [field]: new DataView(new ArrayBuffer(8)) }), {
        field,
      });
      refuses(() => call({ ...example(), [field]: new Array(2 ** 32 - 1) }), {
        code: 'too_large',
        field,
      });
      works();
    });

    test(`${name} says that ${field} is missing`, () => {
      const { [field]: _, ...rest } = example();
      refuses(() => call(rest), { code: 'bad_argument', field });
      works();
    });
  }

  for (const field of Object.keys(example())) {
    if (typeof example()[field] !== 'number') continue;
    test(`${name} refuses a huge ${field} before anything is allocated`, () => {
      const started = performance.now();
      for (const huge of [2 ** 31 - 1, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
        answers(() => call({ ...example(), [field]: huge }));
      }
      assert.ok(performance.now() - started < 1000);
      works();
    });
  }
}

/** Whether it answers; if it does not, it must refuse as all do. */
function answers(call) {
  try {
    call();
    return true;
  } catch (error) {
    refuses(() => {
      throw error;
    });
    return false;
  }
}

test('out_of_range and too_large: a number of tokens, and every other size, has its limits', () => {
  const q = (n_q) => () => core.attention({ ...attention(), n_q });
  refuses(q(0), { code: 'out_of_range', field: 'n_q' });
  refuses(q(-3), { code: 'out_of_range', field: 'n_q' });
  refuses(q(1.5), { code: 'out_of_range', field: 'n_q' });
  refuses(q(NaN), { code: 'not_finite', field: 'n_q' });
  refuses(q(1e6), { code: 'too_large', field: 'n_q' });
  refuses(() => core.attention({ ...attention(), d_k: 1e6 }), { code: 'too_large', field: 'd_k' });
  refuses(() => core.attentionByHand({ ...attention(), decimals: 17 }), { field: 'decimals' });
  refuses(() => core.attention({ ...attention(), divisor_d_k: 0 }), {
    code: 'out_of_range',
    field: 'divisor_d_k',
  });
});

test('a pencil has one precision', () => {
  refuses(() => core.attentionByHand({ ...attention(), dtype: 'float32' }), {
    code: 'bad_argument',
    field: 'dtype',
  });
});

test('N2: what a mask hides may hold NaN; what it does not hide may not', () => {
  const masked = (rest) =>
    core.attention({ ...attention(), mask: { key_valid: [1, 1, 0] }, ...rest });
  const sound = masked({});
  const K = Float64Array.of(1, 0, 1, 1, NaN, Infinity);
  const V = Float64Array.of(1, 0, 0.5, 0.5, NaN, -Infinity);
  assert.deepEqual(masked({ K, V }).output, sound.output);
  assert.deepEqual(masked({ K, V }).weights, sound.weights);
  refuses(() => core.attention({ ...attention(), K }), { code: 'not_finite', field: 'K' });
  const loose = core.attention({ ...attention(), K, require_finite: false });
  assert.ok(loose.output.some(Number.isNaN), 'asked for, it propagates');
});

test('N1: all keys masked gives zeros, forward and backward', () => {
  const mask = { key_valid: [0, 0, 0] };
  const forward = core.attention({ ...attention(), mask });
  for (const field of ['weights', 'output', 'sums', 'largest']) {
    assert.ok(
      forward[field].every((value) => value === 0),
      field,
    );
  }
  const back = core.attentionBackward({ ...attention(), dO: [1, 1, 1, 1], mask });
  for (const [field, gradient] of Object.entries(back)) {
    assert.ok(
      gradient.every((value) => value === 0),
      field,
    );
  }
});

test('W7: text that crosses is compared whole, never cut at a NUL or a lone surrogate', () => {
  for (const dtype of ['float32\0', 'float64\0x', 'float64\ud800', 'float32 ', 'FLOAT32', '']) {
    refuses(() => core.attention({ ...attention(), dtype }), {
      code: 'bad_argument',
      field: 'dtype',
    });
  }
  const field = 'a\0b\ud800c';
  refuses(() => core.attention({ ...attention(), [field]: 1 }), { code: 'bad_argument', field });
});

test('sizes whose product overflows are refused', () => {
  for (const n of [65_536, 100_000, 4_294_967]) {
    refuses(() => core.attention({ ...attention(), n_q: n, n_k: n }));
  }
});

test('a mask that does not fit is named by its part', () => {
  const part = (mask) => () => core.attention({ ...attention(), mask });
  refuses(part(3), { field: 'mask' });
  refuses(part([]), { field: 'mask' });
  refuses(part(hostileObject), { code: 'bad_argument' });
  refuses(part({ casual: true }), { code: 'bad_argument', field: 'mask.casual' });
  refuses(part({ causal: 'yes' }), { code: 'bad_argument', field: 'mask.causal' });
  for (const window of [0, -1, 1.5, NaN, '4']) refuses(part({ window }), { field: 'mask.window' });
  refuses(part({ key_valid: [1, 1] }), { code: 'shape_mismatch', field: 'mask.key_valid' });
  refuses(part({ key_valid: [1, 1, 256] }), { code: 'bad_argument', field: 'mask.key_valid' });
  refuses(part({ query_document: [0, 0], key_document: [0] }), {
    code: 'shape_mismatch',
    field: 'mask.key_document',
  });
  refuses(part({ query_document: [0, 0] }), { field: 'mask.key_document' });
  refuses(part({ key_document: [0, 0, 0] }), { field: 'mask.query_document' });
  refuses(part({ query_document: [0.5, 0], key_document: [0, 0, 0] }), {
    field: 'mask.query_document',
  });
  const masked = core.attention({
    ...attention(),
    mask: { causal: true, key_valid: [true, true, false], window: null },
  });
  assert.deepEqual([...masked.allowed], [1, 1, 0, 1, 1, 0]);
});

test('what other code does to the prototypes of options is not read', () => {
  const inherited = Object.create({ casual: true });
  assert.ok(core.attention(Object.assign(inherited, attention())).weights);
});
