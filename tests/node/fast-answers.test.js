/** The answers to n² as the module `kernels` computes them, in every build and on every back end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { variants } from './support.js';

/** Numbers in [-1, 1] that depend on the place alone. */
const wave = (length, pace) =>
  Float32Array.from({ length }, (_, i) => Math.sin((i + 1) * pace) * Math.cos(i * 0.37));
const positive = (numbers) => numbers.map((x) => Math.abs(x));

const farthest = (values, right) => {
  assert.equal(values.length, right.length);
  return values.reduce((most, value, i) => Math.max(most, Math.abs(value - right[i])), 0);
};

const failsWith = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.equal(error.name, 'AttentionDeckError', String(error));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    return true;
  });

const linear = (changes = {}) => {
  const sizes = { n_heads: 2, n: 70, d_k: 5, d_v: 3, ...changes };
  const { n_heads, n, d_k, d_v } = sizes;
  return {
    Q: wave(n_heads * n * d_k, 0.7),
    K: wave(n_heads * n * d_k, 1.3),
    V: wave(n_heads * n * d_v, 2.1),
    gates: positive(wave(n_heads * n, 0.9)),
    ...sizes,
  };
};

const FEATURES = {
  elu_plus_one: (x) => (x < 0 ? Math.exp(x) : x + 1),
  relu: (x) => Math.max(x, 0),
  identity: (x) => x,
};

/** Pair by pair, as the definition says. */
function linearByPairs({ Q, K, V, gates, n_heads, n, d_k, d_v, feature_map, normalize }) {
  const phi = FEATURES[feature_map ?? 'elu_plus_one'];
  const output = [];
  for (let head = 0; head < n_heads; head += 1) {
    for (let i = 0; i < n; i += 1) {
      const sums = new Array(d_v).fill(0);
      let [total, left] = [0, 1];
      for (let j = i; j >= 0; j -= 1) {
        let weight = left;
        let dot = 0;
        for (let c = 0; c < d_k; c += 1) {
          dot += phi(Q[(head * n + i) * d_k + c]) * phi(K[(head * n + j) * d_k + c]);
        }
        weight *= dot;
        total += weight;
        for (let c = 0; c < d_v; c += 1) sums[c] += weight * V[(head * n + j) * d_v + c];
        left *= gates ? gates[head * n + j] : 1;
      }
      const divisor = normalize === false || feature_map === 'identity' ? 1 : total;
      output.push(...sums.map((sum) => (divisor === 0 ? 0 : sum / divisor)));
    }
  }
  return output;
}

const scan = (changes = {}) => {
  const sizes = { n: 70, channels: 6, state_size: 5, ...changes };
  const { n, channels, state_size } = sizes;
  return {
    x: wave(n * channels, 0.7),
    delta: positive(wave(n * channels, 1.1)),
    A: positive(wave(channels * state_size, 0.4)).map((x) => -3 * x),
    B: wave(n * state_size, 1.7),
    C: wave(n * state_size, 2.3),
    skip: wave(channels, 0.6),
    ...sizes,
  };
};

function scanInOrder({ x, delta, A, B, C, skip, n, channels, state_size }) {
  const output = new Float64Array(n * channels);
  for (let channel = 0; channel < channels; channel += 1) {
    const held = new Float64Array(state_size);
    for (let t = 0; t < n; t += 1) {
      const [here, step] = [x[t * channels + channel], delta[t * channels + channel]];
      let sum = skip ? skip[channel] * here : 0;
      for (let k = 0; k < state_size; k += 1) {
        held[k] *= Math.exp(step * A[channel * state_size + k]);
        held[k] += step * here * B[t * state_size + k];
        sum += C[t * state_size + k] * held[k];
      }
      output[t * channels + channel] = sum;
    }
  }
  return output;
}

const sparse = (changes = {}) => {
  const sizes = {
    n_heads: 2,
    n_kv_heads: 1,
    n: 70,
    d_k: 5,
    d_v: 3,
    block: 8,
    top_k: 3,
    ...changes,
  };
  return {
    Q: wave(sizes.n_heads * sizes.n * sizes.d_k, 0.7),
    K: wave(sizes.n_kv_heads * sizes.n * sizes.d_k, 1.3),
    V: wave(sizes.n_kv_heads * sizes.n * sizes.d_v, 2.1),
    ...sizes,
  };
};

for (const variant of variants) {
  test(`${variant}: linear attention is the sum over its pairs`, async () => {
    const kernels = await load('kernels', { variant });
    for (const backend of kernels.backends()) {
      for (const changes of [
        {},
        { gates: undefined },
        { feature_map: 'relu', d_k: 8 },
        { feature_map: 'identity', n: 1 },
        { normalize: false, d_v: 9 },
      ]) {
        const options = { ...linear(changes), backend };
        const result = kernels.linearAttention(options);
        assert.equal(result.backend, backend);
        assert.ok(result.flops > 0);
        assert.ok(farthest(result.output, linearByPairs(options)) < 2e-5, JSON.stringify(changes));
      }
    }
  });

  test(`${variant}: the scan is its recurrence`, async () => {
    const kernels = await load('kernels', { variant });
    for (const backend of kernels.backends()) {
      for (const changes of [{}, { skip: undefined, channels: 17 }, { n: 1, state_size: 16 }]) {
        const options = { ...scan(changes), backend };
        const result = kernels.selectiveScan(options);
        assert.equal(result.backend, backend);
        assert.equal(result.flops, 22 * options.n * options.channels * options.state_size);
        assert.ok(farthest(result.output, scanInOrder(options)) < 1e-5, JSON.stringify(changes));
      }
    }
  });

  test(`${variant}: two pieces with the state between them are the whole text`, async () => {
    const kernels = await load('kernels', { variant });
    const part = (options, name, width, first, last) =>
      options[name].slice(first * width, last * width);
    for (const backend of kernels.backends()) {
      const whole = { ...linear({ n_heads: 1 }), backend };
      const kept = { state: kernels.tensor(15), sums: kernels.tensor(5) };
      const output = [];
      for (const [first, last] of [
        [0, 33],
        [33, 70],
      ]) {
        const piece = {
          ...whole,
          ...kept,
          n: last - first,
          Q: part(whole, 'Q', 5, first, last),
          K: part(whole, 'K', 5, first, last),
          V: part(whole, 'V', 3, first, last),
          gates: part(whole, 'gates', 1, first, last),
        };
        output.push(...kernels.linearAttention(piece).output);
      }
      assert.ok(farthest(output, linearByPairs(whole)) < 2e-5);
      const all = { ...scan(), backend };
      const state = kernels.tensor(30);
      const outputs = [];
      for (const [first, last] of [
        [0, 1],
        [1, 70],
      ]) {
        const piece = { ...all, state, n: last - first };
        for (const [name, width] of Object.entries({ x: 6, delta: 6, B: 5, C: 5 })) {
          piece[name] = part(all, name, width, first, last);
        }
        outputs.push(...kernels.selectiveScan(piece).output);
      }
      assert.ok(farthest(outputs, scanInOrder(all)) < 1e-5);
      for (const tensor of [kept.state, kept.sums, state]) tensor.close();
    }
  });

  test(`${variant}: with all of its blocks sparse attention is attention`, async () => {
    const kernels = await load('kernels', { variant });
    for (const backend of kernels.backends()) {
      const options = sparse();
      const { n } = options;
      const { output: right } = kernels.attention({
        ...{ Q: options.Q, K: options.K, V: options.V, n_heads: 2, n_kv_heads: 1 },
        ...{ n_q: n, n_k: n, d_k: 5, d_v: 3, mask: { causal: true }, backend },
      });
      for (const all of [{ top_k: 9 }, { window: n, top_k: 1 }, { first_blocks: 8, top_k: 1 }]) {
        const { output, pairs } = kernels.blockSparse({ ...options, ...all, backend });
        assert.equal(pairs, n * (n + 1));
        assert.ok(farthest(output, right) < 1e-5);
      }
      const few = kernels.blockSparse({ ...options, backend });
      assert.equal(few.backend, backend);
      assert.ok(few.pairs < (n * (n + 1)) / 2);
      const core = await load('kernels', { variant: 'scalar' });
      assert.ok(farthest(few.output, core.blockSparse(options).output) < 1e-5);
    }
  });
}

test('what the answers cannot take is refused by the name that the caller used', async () => {
  const kernels = await load('kernels');
  const ask = (call, options, changes) => () => kernels[call]({ ...options, ...changes });
  const cases = [
    ['linearAttention', linear(), { n: 0 }, 'out_of_range', 'n'],
    ['linearAttention', linear(), { n: 2 ** 21 }, 'too_large', 'n'],
    ['linearAttention', linear(), { d_k: 5000 }, 'too_large', 'd_k'],
    ['linearAttention', linear(), { n_heads: 1024, n: 2 ** 20, d_k: 4096 }, 'too_large', 'Q'],
    ['linearAttention', linear(), { K: [1] }, 'shape_mismatch', 'K'],
    ['linearAttention', linear(), { V: undefined }, 'bad_argument', 'V'],
    ['linearAttention', linear(), { gates: [0.5] }, 'shape_mismatch', 'gates'],
    [
      'linearAttention',
      linear(),
      { gates: new Float32Array(140).fill(1.5) },
      'out_of_range',
      'gates',
    ],
    [
      'linearAttention',
      linear(),
      { gates: new Float32Array(140).fill(NaN) },
      'out_of_range',
      'gates',
    ],
    ['linearAttention', linear(), { feature_map: 'exp' }, 'bad_argument', 'feature_map'],
    [
      'linearAttention',
      linear(),
      { feature_map: 'identity', normalize: true },
      'bad_argument',
      'normalize',
    ],
    ['linearAttention', linear(), { backend: 'gpu' }, 'bad_argument', 'backend'],
    ['linearAttention', linear(), { repeat: 0 }, 'out_of_range', 'repeat'],
    ['linearAttention', linear(), { state: [1] }, 'bad_argument', 'state'],
    ['linearAttention', linear(), { state: kernels.tensor(30) }, 'bad_argument', 'sums'],
    [
      'linearAttention',
      linear(),
      { state: kernels.tensor(3), sums: kernels.tensor(10) },
      'shape_mismatch',
      'state',
    ],
    ['linearAttention', linear(), { output: kernels.tensor(3) }, 'shape_mismatch', 'output'],
    ['selectiveScan', scan(), { n: 0 }, 'out_of_range', 'n'],
    ['selectiveScan', scan(), { channels: 2 ** 20 }, 'too_large', 'channels'],
    ['selectiveScan', scan(), { state_size: 2000 }, 'too_large', 'state_size'],
    ['selectiveScan', scan(), { n: 2 ** 20, channels: 65536 }, 'too_large', 'x'],
    ['selectiveScan', scan(), { delta: new Float32Array(420).fill(-1) }, 'out_of_range', 'delta'],
    ['selectiveScan', scan(), { A: new Float32Array(30).fill(1) }, 'out_of_range', 'A'],
    ['selectiveScan', scan(), { B: 'x' }, 'bad_argument', 'B'],
    ['selectiveScan', scan(), { C: undefined }, 'bad_argument', 'C'],
    ['selectiveScan', scan(), { skip: [1] }, 'shape_mismatch', 'skip'],
    ['selectiveScan', scan(), { state: new Float32Array(30) }, 'bad_argument', 'state'],
    ['selectiveScan', scan(), { gates: [1] }, 'bad_argument', 'gates'],
    ['blockSparse', sparse(), { block: 0 }, 'out_of_range', 'block'],
    ['blockSparse', sparse(), { top_k: 0 }, 'out_of_range', 'top_k'],
    ['blockSparse', sparse(), { window: -1 }, 'out_of_range', 'window'],
    ['blockSparse', sparse(), { n_heads: 3, n_kv_heads: 2 }, 'shape_mismatch', 'n_kv_heads'],
    ['blockSparse', sparse(), { Q: [1] }, 'shape_mismatch', 'Q'],
    ['blockSparse', sparse(), { n: 2 ** 20, n_heads: 1024 }, 'too_large', 'Q'],
  ];
  for (const [call, options, changes, code, field] of cases) {
    failsWith(ask(call, options, changes), code, field);
  }
  // Working memory is asked for before it is taken.
  const n = 2 ** 20;
  const long = { Q: new Float32Array(n), K: new Float32Array(n), V: new Float32Array(n) };
  const simd = kernels.backends().at(-1);
  failsWith(
    () => kernels.blockSparse({ ...long, n, d_k: 1, d_v: 1, block: 1, top_k: n, backend: simd }),
    'too_large',
    'top_k',
  );
});

test('what is not finite goes forward, and never back', async () => {
  const kernels = await load('kernels');
  const isClean = (output, width, at) =>
    output.subarray(0, at * width).every(Number.isFinite) &&
    !output.subarray(at * width, (at + 1) * width).every(Number.isFinite);
  for (const backend of kernels.backends()) {
    const attention = { ...linear({ n_heads: 1 }), backend };
    attention.V[40 * 3] = NaN;
    assert.ok(isClean(kernels.linearAttention(attention).output, 3, 40), backend);
    const layer = { ...scan(), backend };
    layer.x[40 * 6] = Infinity;
    assert.ok(isClean(kernels.selectiveScan(layer).output, 6, 40), backend);
    const blocks = { ...sparse({ n_heads: 1 }), backend };
    blocks.V[40 * 3] = NaN;
    assert.ok(isClean(kernels.blockSparse(blocks).output, 3, 40), backend);
  }
});

test('a result does not go into a tensor that the call reads', async () => {
  const kernels = await load('kernels');
  const n = 6;
  const [t, sums] = [kernels.tensor(wave(n * n, 0.7)), kernels.tensor(n)];
  const other = wave(n * n, 1.3);
  const square = { n, d_k: n, d_v: n };
  const heads = { n_heads: 1, n_q: n, n_k: n, d_k: n, d_v: n };
  for (const name of ['Q', 'K', 'V']) {
    const input = { Q: other, K: other, V: other, [name]: t, output: t };
    failsWith(() => kernels.attention({ ...input, ...heads }), 'bad_argument', 'output');
    failsWith(() => kernels.attentionNaive({ ...input, ...heads }), 'bad_argument', 'output');
    failsWith(() => kernels.linearAttention({ ...input, ...square }), 'bad_argument', 'output');
    failsWith(() => kernels.blockSparse({ ...input, ...square }), 'bad_argument', 'output');
  }
  const channels = {
    x: t,
    delta: positive(other),
    A: positive(other).map((x) => -x),
    B: other,
    C: other,
  };
  const sizes = { n, channels: n, state_size: n };
  failsWith(
    () => kernels.selectiveScan({ ...channels, ...sizes, output: t }),
    'bad_argument',
    'output',
  );
  const narrow = { Q: other, K: other, V: wave(n, 2.1), n, d_k: n, d_v: 1 };
  failsWith(
    () => kernels.linearAttention({ ...narrow, state: sums, sums }),
    'bad_argument',
    'state',
  );
  failsWith(() => kernels.linearAttention({ ...narrow, state: sums }), 'bad_argument', 'sums');
});
