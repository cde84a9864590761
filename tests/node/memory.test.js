import assert from 'node:assert/strict';
import { test } from 'node:test';

import { modules } from '../../web/runtime/loader.js';
import { allExamples, attention } from './examples.js';
import { bytesOf, rawModule, watchedEngine } from './support.js';
import { withMemory } from './wasm-bytes.js';

/**
 * The module with the least memory that it starts in, so that a leak of a few bytes a call cannot
 * hide in the slack of the first 16 MB.
 */
async function start({ name = 'core', maximum } = {}) {
  const bytes = await bytesOf('scalar', name);
  for (let initial = 2; ; initial += 1) {
    const watched = watchedEngine();
    try {
      const raw = await rawModule('scalar', {
        name,
        bytes: withMemory(bytes, { initial, maximum }),
        webAssembly: watched.webAssembly,
      });
      const { create } = await modules[name].face();
      const facade = create({ raw, variant: 'scalar' }, () => assert.fail('it stopped'));
      return {
        facade,
        heapBytes: watched.heapBytes,
        handles: () => raw.count_emval_handles(),
        watched,
      };
    } catch (error) {
      assert.ok(initial < 256 && error instanceof WebAssembly.RuntimeError, error);
    }
  }
}

function leavesNothing({ heapBytes, handles }, call) {
  for (let i = 0; i < 100; i += 1) call();
  const before = [heapBytes(), handles()];
  for (let i = 0; i < 10_000; i += 1) call();
  assert.deepEqual([heapBytes(), handles()], before);
}

for (const [module, name, example] of allExamples()) {
  test(`W2: 10,000 calls of ${name} leave nothing behind`, async () => {
    const running = await start({ name: module });
    const options = example();
    leavesNothing(running, () => running.facade[name](options));
  });

  test(`W2: 10,000 refusals of ${name} leave nothing behind`, async () => {
    const running = await start({ name: module });
    const options = example();
    const last = Object.keys(options).at(-1);
    if (options[last] instanceof Float64Array) options[last] = options[last].map(() => NaN);
    else options[last] = ArrayBuffer.isView(options[last]) ? options[last].subarray(1) : -1;
    leavesNothing(running, () =>
      assert.throws(() => running.facade[name](options), { name: 'AttentionDeckError' }),
    );
  });
}

test('out_of_memory: refused by name before it is tried, and the module goes on', async () => {
  const { facade: core } = await start({ maximum: 256 });
  const n = 512;
  const big = (trace) => ({
    Q: new Float64Array(n * 4),
    K: new Float64Array(n * 4),
    V: new Float64Array(n * 4).fill(2),
    n_q: n,
    n_k: n,
    d_k: 4,
    d_v: 4,
    trace,
  });
  assert.throws(() => core.attention(big(true)), {
    name: 'AttentionDeckError',
    code: 'out_of_memory',
  });
  assert.ok(core.attention(big(false)).output.every((value) => Math.abs(value - 2) < 1e-12));
  assert.equal(core.attention(attention()).weights.length, 6);
});

test('W1: results and kept arrays stay valid when memory grows', async () => {
  const { facade: core, watched } = await start();
  const kept = core.attention(attention());
  const out = {};
  core.attention({ ...attention(), out });
  const copies = structuredClone([kept, out]);
  const before = watched.heapBytes();

  const n = 600;
  const big = core.attention({
    Q: new Float64Array(n * 8).fill(0.5),
    K: new Float64Array(n * 8).fill(0.25),
    V: new Float64Array(n * 8).fill(1),
    n_q: n,
    n_k: n,
    d_k: 8,
    d_v: 8,
    trace: false,
  });
  assert.ok(watched.heapBytes() > before, 'memory has grown');
  assert.deepEqual([kept, out], copies);
  assert.ok(big.output.every((value) => Math.abs(value - 1) < 1e-12));

  const reused = out.weights;
  core.attention({ ...attention(), Q: Float64Array.of(0, 0, 0, 0), out });
  assert.equal(out.weights, reused);
  assert.ok(out.weights.every((weight) => Math.abs(weight - 1 / 3) < 1e-15));
});

test('W1: no array of a result is a view of the heap', async () => {
  const arrays = (value) =>
    ArrayBuffer.isView(value)
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(arrays)
        : [];
  for (const [module, name, example] of allExamples()) {
    const { facade, watched } = await start({ name: module });
    const answer = facade[name](example());
    const heap = Object.values(watched.instances.at(-1).exports).find(
      (value) => value instanceof WebAssembly.Memory,
    ).buffer;
    for (const array of arrays(answer)) {
      assert.notEqual(array.buffer, heap, name);
      assert.equal(array.buffer.byteLength, array.byteLength, `${name}: its own buffer`);
    }
  }
});
