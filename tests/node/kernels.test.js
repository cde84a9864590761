import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { createKernels } from '../../web/runtime/kernels.js';
import { boundNames, bytesOf, rawModule, variants, watchedEngine } from './support.js';
import { withMemory } from './wasm-bytes.js';
import { fakeGpu } from './webgpu/fake-gpu.js';

/** Numbers in [-1, 1] that depend on the place alone. */
const wave = (length, pace) =>
  Float32Array.from({ length }, (_, i) => Math.sin((i + 1) * pace) * Math.cos(i * 0.37));

const shape = { n_heads: 6, n_kv_heads: 2, n_q: 7, n_k: 9, d_k: 5, d_v: 3 };

/** @param {Partial<typeof shape> & { capacity?: number }} [changes] */
function batch(changes = {}) {
  const sizes = { ...shape, ...changes };
  const { n_heads, n_kv_heads, n_q, d_k, d_v } = sizes;
  const capacity = sizes.capacity ?? sizes.n_k;
  return {
    ...sizes,
    Q: wave(n_heads * n_q * d_k, 0.7),
    K: wave(n_kv_heads * capacity * d_k, 1.3),
    V: wave(n_kv_heads * capacity * d_v, 2.1),
  };
}

const failsWith = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.equal(error.name, 'AttentionDeckError', String(error));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    return true;
  });

/** The same batch head by head through the core, in float64, which is tested by the lecture's figures. */
async function expected(options) {
  const core = await load('core');
  const { n_heads, n_kv_heads, n_q, n_k, d_k, d_v, mask } = options;
  const capacity = options.capacity ?? n_k;
  const output = [];
  for (let head = 0; head < n_heads; head += 1) {
    const kv = Math.floor((head * n_kv_heads) / n_heads);
    const rows = (array, begin, count) => Float64Array.from(array.subarray(begin, begin + count));
    output.push(
      ...core.attention({
        Q: rows(options.Q, head * n_q * d_k, n_q * d_k),
        K: rows(options.K, kv * capacity * d_k, n_k * d_k),
        V: rows(options.V, kv * capacity * d_v, n_k * d_v),
        ...{ n_q, n_k, d_k, d_v, mask },
        require_finite: false,
      }).output,
    );
  }
  return output;
}

const farthest = (values, right) => {
  assert.equal(values.length, right.length);
  return values.reduce((most, value, i) => Math.max(most, Math.abs(value - right[i])), 0);
};

for (const variant of variants) {
  test(`${variant}: each back end gives the attention of each head`, async () => {
    const kernels = await load('kernels', { variant });
    for (const backend of [...kernels.backends(), 'auto']) {
      for (const mask of [
        undefined,
        { causal: true },
        { window: 3 },
        { key_valid: Uint8Array.from({ length: shape.n_k }, (_, j) => (j === 4 ? 0 : 1)) },
      ]) {
        const options = { ...batch(), mask };
        const result = kernels.attention({ ...options, backend });
        assert.ok(farthest(result.output, await expected(options)) < 4e-6);
        assert.ok(kernels.backends().includes(result.backend));
        if (backend !== 'auto') assert.equal(result.backend, backend);
      }
    }
  });

  test(`${variant}: a cache has room beyond its tokens, and what lies there is not read`, async () => {
    const kernels = await load('kernels', { variant });
    const options = batch({ n_q: 1, capacity: 16 });
    for (let head = 0; head < shape.n_kv_heads; head += 1) {
      options.K.fill(NaN, (head * 16 + shape.n_k) * shape.d_k, (head + 1) * 16 * shape.d_k);
      options.V.fill(NaN, (head * 16 + shape.n_k) * shape.d_v, (head + 1) * 16 * shape.d_v);
    }
    for (const backend of kernels.backends()) {
      const { output } = kernels.attention({ ...options, backend });
      assert.ok(farthest(output, await expected(options)) < 4e-6, backend);
    }
  });
}

test('tensors are written, used, read in part and closed', async () => {
  const kernels = await load('kernels');
  const options = batch();
  const [Q, K, V] = [options.Q, options.K, options.V].map((data) => kernels.tensor(data));
  const output = kernels.tensor(shape.n_heads * shape.n_q * shape.d_v);
  assert.deepEqual(output.read(), new Float32Array(output.length));
  const kept = kernels.attention({ ...options, Q, K, V, output });
  assert.equal('output' in kept, false);
  const { output: copied } = kernels.attention(options);
  assert.deepEqual(output.read(), copied);
  assert.deepEqual(output.read({ begin: 2, end: 5 }), copied.slice(2, 5));
  assert.equal(output.read({ begin: 5, end: 5 }).length, 0);
  const out = { data: new Float32Array(3) };
  assert.equal(output.read({ begin: 1, end: 4, out }), out.data);
  assert.deepEqual(out.data, copied.slice(1, 4));
  Q.write([9, 8], { begin: 1 });
  assert.deepEqual([...Q.read({ end: 3 })].slice(1), [9, 8]);
  for (const tensor of [Q, K, V, output]) tensor.close();
  failsWith(() => Q.read(), 'bad_argument', 'tensor');
  failsWith(() => kernels.attention({ ...options, K }), 'bad_argument', 'K');
});

test('an earlier result takes the next one', async () => {
  const kernels = await load('kernels');
  const first = kernels.attention({ ...batch(), log_sum_exp: true });
  const { output, log_sum_exp: sums } = first;
  const before = output.slice();
  const again = kernels.attention({
    ...batch(),
    mask: { causal: true },
    log_sum_exp: true,
    out: first,
  });
  assert.equal(again.output, output);
  assert.equal(again.log_sum_exp, sums);
  assert.notDeepEqual(output, before);
});

test('gradients come back as arrays or into tensors, and a step along them changes the sum as they say', async () => {
  const kernels = await load('kernels');
  const options = batch();
  const dO = wave(shape.n_heads * shape.n_q * shape.d_v, 3.3);
  for (const backend of kernels.backends()) {
    const { dQ, dK, dV, backend: ran } = kernels.attentionBackward({ ...options, dO, backend });
    assert.equal(ran, backend);
    const sum = (changes) =>
      kernels
        .attention({ ...options, ...changes, backend: 'scalar' })
        .output.reduce((total, value, i) => total + value * dO[i], 0);
    for (const [name, gradient] of Object.entries({ Q: dQ, K: dK, V: dV })) {
      const at = 11;
      const step = 1 / 64;
      const moved = (by) => options[name].map((value, i) => (i === at ? value + by : value));
      const slope = (sum({ [name]: moved(step) }) - sum({ [name]: moved(-step) })) / (2 * step);
      assert.ok(
        Math.abs(slope - gradient[at]) < 1e-3,
        `${backend} d${name}: ${slope} ${gradient[at]}`,
      );
    }
    const kept = kernels.tensor(dV.length);
    const result = kernels.attentionBackward({ ...options, dO, backend, dV: kept });
    assert.equal('dV' in result, false);
    assert.deepEqual(kept.read(), dV);
    kept.close();
  }
  failsWith(() => kernels.attentionBackward(options), 'bad_argument', 'dO');
});

test('what does not fit is refused by the name that the caller used', async () => {
  const kernels = await load('kernels');
  const options = batch();
  failsWith(() => kernels.attention({ ...options, n_heads: 0 }), 'out_of_range', 'n_heads');
  failsWith(() => kernels.attention({ ...options, n_kv_heads: 4 }), 'shape_mismatch', 'n_kv_heads');
  failsWith(() => kernels.attention({ ...options, n_q: 2.5 }), 'out_of_range', 'n_q');
  failsWith(() => kernels.attention({ ...options, n_k: 10 }), 'shape_mismatch', 'K');
  failsWith(() => kernels.attention({ ...options, capacity: 8 }), 'shape_mismatch', 'capacity');
  failsWith(() => kernels.attention({ ...options, backend: 'gpu' }), 'bad_argument', 'backend');
  failsWith(() => kernels.attention({ ...options, Q: undefined }), 'bad_argument', 'Q');
  failsWith(() => kernels.attention({ ...options, Q: 'x' }), 'bad_argument', 'Q');
  failsWith(() => kernels.attention({ ...options, scale: NaN }), 'not_finite', 'scale');
  failsWith(
    () => kernels.attention({ ...options, n_heads: 1024, n_q: 2 ** 20, d_k: 65536 }),
    'too_large',
    'Q',
  );
  failsWith(() => kernels.attention({ ...options, repeat: 0 }), 'out_of_range', 'repeat');
  const short = kernels.tensor(3);
  failsWith(() => kernels.attention({ ...options, V: short }), 'shape_mismatch', 'V');
  failsWith(() => kernels.attention({ ...options, output: short }), 'shape_mismatch', 'output');
  failsWith(() => short.write([1, 2, 3, 4]), 'shape_mismatch', 'data');
  failsWith(() => short.write([1], { begin: 3 }), 'shape_mismatch', 'data');
  failsWith(() => short.read({ begin: 4 }), 'too_large', 'begin');
  failsWith(() => short.read({ begin: 2, end: 1 }), 'out_of_range', 'end');
  short.close();
  failsWith(() => kernels.tensor(0), 'out_of_range', 'length');
  failsWith(() => kernels.tensor(2 ** 40), 'too_large', 'length');
});

test('memory that is not there is refused with the bytes, and the module goes on', async () => {
  const engine = watchedEngine();
  const bytes = withMemory(await bytesOf('scalar', 'kernels'), { maximum: 512 });
  const kernels = await load('kernels', {
    variant: 'scalar',
    webAssembly: engine.webAssembly,
    baseUrl: 'http://127.0.0.1/',
    fetch: async () =>
      new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } }),
  });
  assert.throws(
    () => kernels.tensor(2 ** 24),
    (error) => error.code === 'out_of_memory' && /67108864 bytes/.test(error.message),
  );
  const small = kernels.tensor(2 ** 10);
  assert.equal(small.read().length, 2 ** 10);
  small.close();
  assert.ok(kernels.attention(batch()).output.every(Number.isFinite));
});

test('closing gives the memory back', async () => {
  const engine = watchedEngine();
  const kernels = await load('kernels', { variant: 'scalar', webAssembly: engine.webAssembly });
  const turn = () => {
    const tensor = kernels.tensor(2 ** 18);
    tensor.close();
  };
  turn();
  const before = engine.heapBytes();
  for (let i = 0; i < 200; i += 1) turn();
  assert.equal(engine.heapBytes(), before);
});

test('a module that started anew knows that earlier tensors are gone', async () => {
  const engine = watchedEngine();
  const kernels = await load('kernels', { variant: 'scalar', webAssembly: engine.webAssembly });
  const tensor = kernels.tensor(Float32Array.of(1, 2));
  engine.armed = true;
  failsWith(() => kernels.attention(batch()), 'aborted', '');
  await kernels.whenReady();
  failsWith(() => tensor.read(), 'bad_argument', 'tensor');
  tensor.close();
  const another = kernels.tensor(Float32Array.of(3, 4));
  assert.deepEqual([...another.read()], [3, 4]);
});

test('costs are measured, and say from where on each back end is the quickest', async () => {
  const kernels = await load('kernels');
  const costs = kernels.backendCosts();
  assert.deepEqual(
    costs.map(({ name }) => name),
    kernels.backends(),
  );
  for (const { start_ms: start, ms_per_flop: slope, from_flops: from } of costs) {
    assert.ok(start >= 0 && slope > 0 && slope < 1e-4);
    assert.ok(from >= 0);
  }
  assert.equal(costs[0].from_flops, 0);
});

test('the quickest back end follows what was measured, a GPU included', async () => {
  const raw = await rawModule('scalar', { name: 'kernels' });
  const value = ({ ok, value: got, message }) => (assert.ok(ok, message), got);
  const quickest = (n, mask) =>
    value(raw.quickestBackend({ n_q: n, n_k: n, d_k: 64, d_v: 64, mask })).backend;
  assert.notEqual(quickest(65536), 'webgpu', 'nobody has measured one yet');
  // A GPU that takes 2 ms whatever is asked.
  value(raw.noteWebgpuCost({ small_n: 64, small_ms: 2, large_n: 1024, large_ms: 2 }));
  assert.equal(quickest(4), 'scalar');
  assert.equal(quickest(65536), 'webgpu');
  assert.equal(quickest(2048), 'webgpu');
  assert.equal(quickest(2048, { window: 1 }), 'scalar');
  const { costs } = value(raw.backendCosts({}));
  const [scalar, webgpu] = costs;
  assert.deepEqual([scalar.name, webgpu.name], ['scalar', 'webgpu']);
  assert.ok(webgpu.from_flops > 0 && webgpu.start_ms === 2 && webgpu.ms_per_flop === 0);
  assert.equal(raw.noteWebgpuCost({ small_n: 0, small_ms: 2 }).field, 'small_n');
});

test('anywhere: the processor answers where there is no WebGPU, and one asked for by name is missed', async () => {
  const kernels = await load('kernels');
  const result = await kernels.attentionAnywhere(batch());
  assert.deepEqual(result.output, kernels.attention(batch()).output);
  assert.ok(kernels.backends().includes(result.backend));
  for (const backend of kernels.backends()) {
    assert.equal((await kernels.attentionAnywhere({ ...batch(), backend })).backend, backend);
  }
  await assert.rejects(kernels.attentionAnywhere({ ...batch(), backend: 'webgpu' }), {
    code: 'webgpu_unavailable',
  });
  await assert.rejects(kernels.attentionAnywhere({ ...batch(), n_heads: 0 }), {
    code: 'out_of_range',
    field: 'n_heads',
  });
});

test('repeating gives the same numbers and a time', async () => {
  const kernels = await load('kernels');
  const once = kernels.attention(batch());
  const often = kernels.attention({ ...batch(), repeat: 50 });
  assert.deepEqual(often.output, once.output);
  assert.ok(often.compute_ms >= 0);
});

test('every function that the raw module exports is asked by the runtime', async () => {
  const raw = await rawModule('scalar', { name: 'kernels' });
  const asked = new Set();
  const watched = Object.fromEntries(
    boundNames(raw).map((name) => [
      name,
      (...values) => {
        asked.add(name);
        return raw[name](...values);
      },
    ]),
  );
  const kernels = createKernels({ raw: watched, variant: 'scalar' }, assert.fail);
  kernels.backends();
  kernels.backendCosts();
  const tensor = kernels.tensor(Float32Array.of(1));
  tensor.read();
  tensor.close();
  const one = { Q: [1], K: [1], V: [2], n_q: 1, n_k: 1, d_k: 1, d_v: 1 };
  kernels.attention(one);
  kernels.attentionNaive(one);
  kernels.attentionBackward({ ...one, dO: [1] });
  kernels.linearAttention({ Q: [1], K: [1], V: [2], n: 1, d_k: 1, d_v: 1 });
  kernels.blockSparse({ Q: [1], K: [1], V: [2], n: 1, d_k: 1, d_v: 1 });
  kernels.selectiveScan({
    x: [1],
    delta: [1],
    A: [-1],
    B: [1],
    C: [1],
    n: 1,
    channels: 1,
    state_size: 1,
  });
  failsWith(() => kernels.peak(), 'bad_argument', '');
  const gpu = await kernels.webgpu({ gpu: fakeGpu() });
  await gpu.attention(one).catch(() => {});
  await gpu.matmul({ A: [1], B: [1], n_rows: 1, n_inner: 1, n_columns: 1 }).catch(() => {});
  await gpu.close();
  await kernels.attentionAnywhere(one);
  // Asked by attentionAnywhere alone, after a GPU has answered: tested where there is one.
  asked.add('noteWebgpuCost');
  for (const name of boundNames(raw)) assert.ok(asked.has(name), `${name} is never asked`);
});
