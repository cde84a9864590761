/**
 * The WebGPU kernels on Dawn: values against the plain kernel, limits, and each promise rejected once. Run by
 * webgpu.test.js in a process of its own, because the driver has to be named before a process starts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { create } from 'webgpu';
import { load } from '../../../web/runtime/index.js';
import { createKernels } from '../../../web/runtime/kernels.js';
import { rawModule } from '../support.js';
import { changedGpu, losing, replace } from './faults.js';

const dawn = create([]);
const kernels = await load('kernels', { variant: 'simd' });
const PASSES = ['fused', 'three'];

/** The same numbers in every run. */
function numbers(length, seed) {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function problem(sizes, seed = 1) {
  const shape = { n_heads: 1, d_k: 8, d_v: 8, ...sizes };
  shape.n_kv_heads ??= shape.n_heads;
  shape.n_k ??= shape.n_q;
  const rows = shape.capacity ?? shape.n_k;
  return {
    ...shape,
    Q: numbers(shape.n_heads * shape.n_q * shape.d_k, seed),
    K: numbers(shape.n_kv_heads * rows * shape.d_k, seed + 1),
    V: numbers(shape.n_kv_heads * rows * shape.d_v, seed + 2),
  };
}

/**
 * With u = 2^-24 and σ the largest Σ|scale q k|: a score is off by at most (d_k + 8) u σ, its exponential by that and
 * by 2 σ u more for exp2's argument (WGSL promises 3 + 2|x| units), the quotient of sums by n_k + 32 units more. The
 * weights sum to 1, so the output is off by no more than |V| times all that.
 */
function bound({ Q, K, V, d_k, n_k, scale = 1 / Math.sqrt(d_k) }) {
  const largest = (values) =>
    values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  const sigma = Math.abs(scale) * d_k * largest(Q) * largest(K);
  return 2 ** -24 * largest(V) * (2 * (d_k + 8) * sigma + 4 * sigma + n_k + 32);
}

/** A GPU like Dawn's whose objects are changed by `faults` as they are made. */
const changed = (faults) => changedGpu(dawn, faults);

const plain = await kernels.webgpu({ gpu: changed({ without: ['subgroups', 'timestamp-query'] }) });
const gpu = await kernels.webgpu({ gpu: dawn });
/** Both forms of the fused kernel. */
const forms = { plain, subgroups: gpu };

test('the adapter says what it is', (t) => {
  const { adapter } = gpu;
  t.diagnostic(`adapter: ${adapter.kind}, ${adapter.description || adapter.device}`);
  assert.equal(adapter.is_software, adapter.kind === 'software adapter');
  if (/swiftshader|llvmpipe/i.test(adapter.architecture + adapter.description)) {
    assert.equal(adapter.kind, 'software adapter');
  }
  assert.equal(plain.adapter.has_subgroups, false);
  assert.equal(plain.adapter.has_timestamps, false);
});

async function agrees(options, what) {
  const { output } = kernels.attention({ ...options, backend: 'scalar' });
  const most = bound(options);
  let units = 0;
  for (const [form, opened] of Object.entries(forms)) {
    for (const passes of PASSES) {
      if (form === 'plain' && passes === 'three') continue;
      const found = await opened.attention({ ...options, passes });
      const name = `${what}: ${form}, ${passes}`;
      assert.equal(found.backend, 'webgpu', `${name}: ${found.notice}`);
      assert.equal(found.passes, passes);
      assert.equal(found.notice, undefined);
      assert.equal(found.output.length, output.length);
      found.output.forEach((value, i) => {
        const right = output[i];
        const off = Math.abs(value - right);
        assert.ok(
          Number.isNaN(right) ? Number.isNaN(value) : value === right || off <= most,
          `${name}: number ${i} is ${value}, right is ${right}, bound ${most}`,
        );
        if (off > 0) units = Math.max(units, off * 2 ** 24);
      });
    }
  }
  return units;
}

const masks = (n_q, n_k) => [
  {},
  { causal: true },
  { window: 1 + (n_k % 7) },
  { key_valid: Uint8Array.from({ length: n_k }, (_, j) => Number(j % 3 !== n_k % 3)) },
  {
    causal: true,
    query_document: Int32Array.from({ length: n_q }, (_, i) => Math.floor(i / 5)),
    key_document: Int32Array.from({ length: n_k }, (_, j) => Math.floor(j / 5)),
  },
];

test('n = 1 to 70, every mask in turn, groups, odd widths', async (t) => {
  let most = 0;
  for (let n = 1; n <= 70; n += 1) {
    const n_heads = [1, 2, 4, 6][n % 4];
    const n_kv_heads = [1, n_heads, Math.ceil(n_heads / 2)][n % 3];
    const options = problem(
      { n_q: n, n_k: n, n_heads, n_kv_heads, d_k: 1 + ((n * 5) % 23), d_v: 1 + ((n * 7) % 19) },
      n,
    );
    const mask = masks(n, n)[n % 5];
    most = Math.max(most, await agrees({ ...options, mask }, `n = ${n}`));
  }
  t.diagnostic(`measured: the largest difference is ${most.toFixed(1)} units of rounding of 1`);
});

for (const [what, sizes, mask] of [
  ['larger', { n_q: 200, n_heads: 2, d_k: 64, d_v: 64 }, {}],
  ['larger, causal', { n_q: 300, n_heads: 4, n_kv_heads: 2, d_k: 64, d_v: 64 }, { causal: true }],
  ['larger, window', { n_q: 257, d_k: 32, d_v: 40 }, { window: 33 }],
  ['G3: head_dim above 256', { n_q: 33, d_k: 320, d_v: 300 }, { causal: true }],
  ['a width of one', { n_q: 90, d_k: 1, d_v: 1 }, {}],
  ['many queries of few keys', { n_q: 130, n_k: 3 }, { causal: true }],
  ['N6: 2 queries of 5 keys', { n_q: 2, n_k: 5 }, { causal: true }],
  [
    'one query of a cache with room',
    { n_q: 1, n_k: 100, capacity: 128, n_heads: 9, n_kv_heads: 3 },
    {},
  ],
  ['N7: a window that reaches past the first key', { n_q: 20 }, { window: 1000 }],
]) {
  test(`${what}: right values`, async () => {
    await agrees({ ...problem(sizes), mask }, what);
  });
}

test('N6, N7: which keys count is seen in the output', async () => {
  // Equal keys: each query gets the mean of what it may see, and the value of key j is j.
  const seen = async (n_q, n_k, mask) => {
    const sizes = { n_q, n_k, d_k: 4, d_v: 1 };
    const options = { ...sizes, Q: numbers(n_q * 4, 3), K: new Float32Array(n_k * 4).fill(1) };
    options.V = Float32Array.from({ length: n_k }, (_, j) => j);
    const rows = await Promise.all(
      PASSES.map((passes) => gpu.attention({ ...options, mask, passes })),
    );
    return rows.map(({ output }) => [...output].map((x) => Math.round(x * 1e4) / 1e4));
  };
  for (const row of await seen(2, 5, { causal: true })) assert.deepEqual(row, [1.5, 2]);
  for (const row of await seen(11, 11, { window: 4 })) assert.equal(row[10], 8.5);
});

test('N1, G4: a row with nothing to attend to is 0, and the others are right', async () => {
  const options = problem({ n_q: 20, n_k: 6, n_heads: 2 });
  // Of 20 queries of 6 keys the first 14 come before the first key.
  await agrees({ ...options, mask: { causal: true } }, 'before the first key');
  await agrees({ ...options, mask: { key_valid: new Uint8Array(6) } }, 'nothing valid');
  for (const passes of PASSES) {
    const { output } = await gpu.attention({
      ...options,
      passes,
      mask: { key_valid: new Uint8Array(6) },
    });
    assert.ok(output.every((value) => value === 0));
  }
});

test('N2: NaN and infinity behind a mask reach nothing', async () => {
  for (const poison of [NaN, Infinity, -Infinity]) {
    const options = problem({ n_q: 40, n_heads: 2, d_k: 7, d_v: 9 });
    const poisoned = { ...options, K: options.K.slice(), V: options.V.slice() };
    for (const head of [0, 1]) {
      for (const j of [3, 20, 39]) {
        poisoned.K.fill(poison, (head * 40 + j) * 7, (head * 40 + j + 1) * 7);
        poisoned.V.fill(poison, (head * 40 + j) * 9, (head * 40 + j + 1) * 9);
      }
    }
    const key_valid = Uint8Array.from({ length: 40 }, (_, j) => Number(![3, 20, 39].includes(j)));
    for (const mask of [{ key_valid }, { key_valid, causal: true }, { key_valid, window: 9 }]) {
      for (const opened of Object.values(forms)) {
        for (const passes of PASSES) {
          const clean = await opened.attention({ ...options, mask, passes });
          const { output } = await opened.attention({ ...poisoned, mask, passes });
          assert.ok(output.every(Number.isFinite));
          assert.deepEqual(output, clean.output);
        }
      }
    }
  }
});

test('N2: what lies ahead reaches nothing, whatever it holds, and what lies behind does', async () => {
  const options = problem({ n_q: 70, d_k: 5, d_v: 6 });
  options.V.fill(NaN, 30 * 6, 31 * 6);
  options.V[50 * 6 + 2] = Infinity;
  await agrees({ ...options, mask: { causal: true } }, 'values');
  options.K.fill(NaN, 30 * 5, 31 * 5);
  await agrees({ ...options, mask: { causal: true } }, 'keys');
});

test('G4: an allowed score of NaN or infinity makes its row NaN, and no other', async () => {
  const options = problem({ n_q: 40, n_heads: 2, d_k: 6 });
  options.Q[5 * 6] = NaN;
  options.Q.fill(Infinity, 50 * 6, 51 * 6);
  await agrees(options, 'not finite');
  for (const passes of PASSES) {
    const { output } = await gpu.attention({ ...options, passes });
    const broken = (row) => output.slice(row * 8, row * 8 + 8).every(Number.isNaN);
    assert.deepEqual(Array.from({ length: 80 }, (_, row) => row).filter(broken), [5, 50]);
  }
});

test('G4: an allowed score of minus infinity weighs nothing', async () => {
  const options = problem({ n_q: 9, d_k: 4 });
  options.Q.fill(1);
  options.K.fill(-Infinity, 4, 8);
  await agrees(options, 'one key');
  options.K.fill(-Infinity);
  await agrees(options, 'every key');
});

test('N4: scores of a thousand neither overflow nor vanish', async () => {
  const sizes = { n_q: 1, d_k: 1, d_v: 2, V: [1, 0, 0, 1], scale: 1, Q: [1], n_k: 2 };
  for (const passes of PASSES) {
    for (const opened of Object.values(forms)) {
      const equal = await opened.attention({ ...sizes, K: [1000, 1000], passes });
      assert.deepEqual([...equal.output], [0.5, 0.5]);
      const apart = await opened.attention({ ...sizes, K: [378.1, -249.9], passes });
      assert.equal(apart.output[0], 1);
      assert.ok(apart.output[1] < 1e-30);
    }
  }
});

test('N8: a document does not hear another', async () => {
  const query_document = Int32Array.from({ length: 24 }, (_, i) => Number(i >= 10));
  const mask = { causal: true, query_document, key_document: query_document };
  const options = problem({ n_q: 24 });
  for (const passes of PASSES) {
    const before = await gpu.attention({ ...options, mask, passes });
    const changedKeys = { ...options, K: options.K.slice(), V: options.V.slice() };
    changedKeys.K.fill(9, 0, 80);
    changedKeys.V.fill(NaN, 0, 80);
    const after = await gpu.attention({ ...changedKeys, mask, passes });
    assert.deepEqual(after.output.slice(80), before.output.slice(80));
  }
});

test('a batch of products: every size of tail, shared or not', async () => {
  for (const [n_batches, n_rows, n_inner, n_columns] of [
    [1, 1, 1, 1],
    [2, 3, 5, 7],
    [3, 33, 65, 130],
    [8, 17, 12, 16],
  ]) {
    for (const shares_A of [false, true]) {
      for (const shares_B of [false, true]) {
        const options = { n_batches, n_rows, n_inner, n_columns, shares_A, shares_B };
        const A = numbers((shares_A ? 1 : n_batches) * n_rows * n_inner, 5);
        const B = numbers((shares_B ? 1 : n_batches) * n_inner * n_columns, 6);
        const { backend, C, largest_difference } = await gpu.matmul({
          ...options,
          A,
          B,
          compare: true,
        });
        assert.equal(backend, 'webgpu');
        assert.equal(C.length, n_batches * n_rows * n_columns);
        // Each sum of n_inner products of numbers below 1, rounded at every step.
        assert.ok(
          largest_difference <= 2 ** -24 * n_inner * (n_inner + 1),
          `${largest_difference}`,
        );
      }
    }
  }
});

test('NaN in a product stays in its row or column', async () => {
  const sizes = { n_rows: 6, n_inner: 5, n_columns: 6 };
  const A = numbers(30, 1);
  const B = numbers(30, 2);
  B[4 * 6 + 1] = NaN;
  A[2 * 5] = Infinity;
  const { C } = await gpu.matmul({ ...sizes, A, B });
  C.forEach((value, i) => {
    const isBroken = i % 6 === 1 || Math.floor(i / 6) === 2;
    assert.equal(Number.isFinite(value), !isBroken, `number ${i} is ${value}`);
  });
});

test('G1: what does not fit one binding goes in parts, and a head that does not fit goes to the processor', async () => {
  const tight = await kernels.webgpu({
    gpu: changed({ limits: { maxStorageBufferBindingSize: 4096, maxBufferSize: 8192 } }),
  });
  assert.equal(tight.adapter.max_bytes, 4096);
  const cases = [
    // Some heads at a time; a head at a time; some queries at a time; S in parts; a padded width.
    [{ n_q: 16, n_heads: 8, n_kv_heads: 4 }, { causal: true }],
    [{ n_q: 100, n_heads: 4, n_kv_heads: 2 }, { causal: true }],
    [{ n_q: 300, n_k: 40, n_heads: 2, d_k: 16 }, { causal: true }],
    [{ n_q: 300, n_k: 40, n_heads: 2, d_k: 15, d_v: 13 }, { window: 7 }],
    [{ n_q: 90, n_k: 33, d_k: 9 }, masks(90, 33)[4]],
  ];
  for (const [sizes, mask] of cases) {
    const options = { ...problem(sizes), mask };
    for (const passes of PASSES) {
      const found = await tight.attention({ ...options, passes, compare: true });
      assert.equal(found.backend, 'webgpu', JSON.stringify(sizes));
      assert.ok(found.largest_difference <= bound(options), JSON.stringify(sizes));
    }
  }
  const large = problem({ n_q: 4, n_k: 300 });
  const onProcessor = await tight.attention({ ...large, compare: true });
  assert.notEqual(onProcessor.backend, 'webgpu');
  assert.match(onProcessor.notice, /9600 bytes.*binds 4096.*processor computed/);
  assert.deepEqual(onProcessor.output, kernels.attention(large).output);
  const batch = { n_batches: 9, n_rows: 20, n_inner: 20, n_columns: 18 };
  const product = await tight.matmul({
    ...batch,
    A: numbers(3600, 1),
    B: numbers(3240, 2),
    compare: true,
  });
  assert.equal(product.backend, 'webgpu');
  assert.ok(product.largest_difference < 1e-5);
  const wide = await tight.matmul({
    n_rows: 1,
    n_inner: 1,
    n_columns: 2000,
    A: [2],
    B: numbers(2000, 2),
  });
  assert.equal(wide.backend, 'scalar');
  assert.match(wide.notice, /processor computed/);
  await tight.close();
});

/** Opens a GPU whose first device is changed; a device made after a loss is as it should be. */
async function withFault(change, { always = false } = {}) {
  let devices = 0;
  return kernels.webgpu({
    gpu: changed({
      // The self test of the subgroups would meet the fault, and take it for theirs.
      without: ['subgroups'],
      device: (device) => {
        devices += 1;
        if (always || devices === 1) change(device);
      },
    }),
  });
}

const small = problem({ n_q: 5 });
const right = kernels.attention({ ...small, backend: 'scalar' }).output;
const isRight = ({ output }) =>
  output.forEach((value, i) => assert.ok(Math.abs(value - right[i]) <= bound(small)));

const rejections = {
  'a kernel that does not compile': (device) =>
    replace(device, 'createShaderModule', (original) => original({ code: 'fn main( {' })),
  'createComputePipelineAsync rejects': (device) =>
    replace(device, 'createComputePipelineAsync', () => Promise.reject(new Error('no pipeline'))),
  'createComputePipelineAsync throws': (device) =>
    replace(device, 'createComputePipelineAsync', () => {
      throw new Error('no pipeline');
    }),
  'mapAsync rejects': (device) =>
    replace(device, 'createBuffer', (original, descriptor) => {
      const spoil = (made, { usage }) => {
        if (usage & 1) made.mapAsync = () => Promise.reject(new Error('not mapped'));
        else replace(device, 'createBuffer', (next, other) => spoil(next(other), other));
        return made;
      };
      return spoil(original(descriptor), descriptor);
    }),
  'getMappedRange throws': (device) =>
    replace(device, 'createBuffer', (original, descriptor) => {
      const spoil = (made, { usage }) => {
        if (usage & 1) {
          made.getMappedRange = () => {
            throw new Error('no range');
          };
        } else replace(device, 'createBuffer', (next, other) => spoil(next(other), other));
        return made;
      };
      return spoil(original(descriptor), descriptor);
    }),
  'popErrorScope rejects': (device) =>
    replace(device, 'popErrorScope', async (original) => {
      await original();
      throw new Error('no scope');
    }),
  'the device finds a fault': (device) =>
    replace(device, 'popErrorScope', async (original) => {
      await original();
      return { message: 'a buffer is too small' };
    }),
  'createBuffer throws': (device) =>
    replace(device, 'createBuffer', () => {
      throw new RangeError('no buffer');
    }),
  'submit throws': (device) =>
    replace(device.queue, 'submit', () => {
      throw new Error('no queue');
    }),
};
for (const [what, change] of Object.entries(rejections)) {
  test(`${what}: a typed error, and the next call works`, async () => {
    const opened = await withFault(change);
    // The three passes compile sooner than the fused kernel, and meet the same promises.
    const options = { ...small, passes: 'three' };
    await assert.rejects(opened.attention(options), {
      name: 'AttentionDeckError',
      code: 'webgpu_failed',
      field: 'gpu',
    });
    const again = await opened.attention(options);
    assert.equal(again.backend, 'webgpu');
    isRight(again);
    await opened.close();
  });
}

test('the device has no memory left: the processor computes, and says so', async () => {
  let scopes = 0;
  const opened = await withFault((device) => {
    replace(
      device,
      'popErrorScope',
      async (original) => {
        await original();
        scopes += 1;
        return scopes === 2 ? { message: 'out of memory' } : null;
      },
      { once: false },
    );
  });
  const options = { ...small, passes: 'three' };
  const found = await opened.attention(options);
  assert.notEqual(found.backend, 'webgpu');
  assert.match(found.notice, /out of memory.*processor computed/);
  isRight(found);
  assert.equal((await opened.attention(options)).backend, 'webgpu');
  await opened.close();
});

test('G5: a device that is lost mid-run is replaced once, and the notice says so', async () => {
  const opened = await withFault(losing);
  const options = { ...small, passes: 'three' };
  const found = await opened.attention(options);
  assert.equal(found.backend, 'webgpu');
  assert.match(found.notice, /was lost.*fresh device/);
  isRight(found);
  const next = await opened.attention(options);
  assert.equal(next.notice, undefined);
  await opened.close();
});

test('G5: lost twice over, the processor computes, and the next call tries again', async () => {
  const opened = await withFault(losing, { always: true });
  const options = { ...small, passes: 'three' };
  const found = await opened.attention(options);
  assert.notEqual(found.backend, 'webgpu');
  assert.match(found.notice, /was lost.*processor computed/);
  isRight(found);
  const product = await opened.matmul({
    n_rows: 1,
    n_inner: 2,
    n_columns: 1,
    A: [1, 2],
    B: [3, 4],
  });
  assert.equal(product.C[0], 11);
  assert.equal(product.backend, 'scalar');
  isRight(await opened.attention(options));
  await opened.close();
});

test('G5: lost while nothing runs, the next call has a fresh one; destroyed by ourselves is no failure', async () => {
  const devices = [];
  const opened = await kernels.webgpu({
    gpu: changed({ device: (device) => devices.push(device) }),
  });
  devices[0].destroy();
  await devices[0].lost;
  const found = await opened.attention(small);
  assert.equal(found.backend, 'webgpu');
  isRight(found);
  assert.equal(devices.length, 2);
  const last = opened.attention(small);
  await opened.close();
  isRight(await last);
  assert.equal((await devices[1].lost).reason, 'destroyed');
  assert.equal(devices.length, 2);
});

test('calls at the same time do not mix their buffers', async () => {
  const problems = Array.from({ length: 6 }, (_, i) => problem({ n_q: 3 + 20 * (i % 3) }, i + 1));
  const results = await Promise.all(
    problems.map((options, i) =>
      gpu.attention({ ...options, passes: PASSES[i % 2], compare: true }),
    ),
  );
  results.forEach(({ largest_difference }, i) =>
    assert.ok(largest_difference <= bound(problems[i]), `${i}: ${largest_difference}`),
  );
});

test('tensors go in and out, and one that is closed meanwhile harms nothing', async () => {
  const options = problem({ n_q: 30 });
  const [Q, K, V] = [options.Q, options.K, options.V].map((data) => kernels.tensor(data));
  const output = kernels.tensor(240);
  const wanted = kernels.attention(options).output;
  const found = await gpu.attention({ ...options, Q, K, V, output });
  assert.equal(found.output, undefined);
  output.read().forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-5));
  const waiting = gpu.attention({ ...options, Q, K, V });
  for (const tensor of [Q, K, V]) tensor.close();
  (await waiting).output.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-5));
  const late = gpu.attention({ ...options, output });
  output.close();
  await assert.rejects(late, { code: 'bad_argument', field: 'output' });
  const out = {};
  await gpu.attention({ ...options, out });
  const kept = out.output;
  await gpu.attention({ ...options, out });
  assert.equal(out.output, kept);
});

test('W2: calls leave nothing behind in the module', async () => {
  const raw = await rawModule('simd', { name: 'kernels' });
  const mine = createKernels({ raw, variant: 'simd' }, () => assert.fail('it stopped'));
  const opened = await mine.webgpu({ gpu: dawn });
  const call = async (times) => {
    for (let i = 0; i < times; i += 1) {
      await opened.attention({ ...small, passes: PASSES[i % 2] });
      await opened.matmul({ n_rows: 1, n_inner: 1, n_columns: 1, A: [1], B: [2] });
    }
  };
  await call(10);
  const before = raw.count_emval_handles();
  await call(100);
  assert.equal(raw.count_emval_handles(), before);
  await opened.close();
});

test.after(async () => {
  await plain.close();
  await gpu.close();
});

test('anywhere: the device is asked by name, and its measured cost decides from then on', async () => {
  const options = problem({ n_q: 40, d_k: 16 }, 9);
  const forced = await kernels.attentionAnywhere({ ...options, backend: 'webgpu', gpu: dawn });
  assert.equal(forced.backend, 'webgpu');
  const chosen = await kernels.attentionAnywhere({ ...options, gpu: dawn });
  const costs = kernels.backendCosts();
  assert.deepEqual(
    costs.map(({ name }) => name),
    [...kernels.backends(), 'webgpu'],
  );
  assert.ok(costs.at(-1).start_ms > 0 || costs.at(-1).ms_per_flop > 0);
  assert.ok([...kernels.backends(), 'webgpu'].includes(chosen.backend));
  const right = kernels.attention({ ...options, backend: 'scalar' }).output;
  for (const { output } of [forced, chosen]) {
    assert.ok(output.every((value, i) => Math.abs(value - right[i]) <= bound(options)));
  }
});
