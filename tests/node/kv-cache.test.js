/** The cache that stays in the module, and the model that writes with and without one, through the runtime. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { variants } from './support.js';

const refused = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionDeckError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.field, field);
    return true;
  });

/** Numbers that are the same in each run. */
function numbers(length, seed = 1) {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647 - 0.5;
  });
}

const apart = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** One head after the other, in double; token t of K and V is row t. */
function attention({ q, K, V, heads, kvHeads, width, seen }) {
  const output = [];
  for (let head = 0; head < heads; head += 1) {
    const kv = Math.floor((head * kvHeads) / heads);
    const row = (from, t) =>
      from.subarray((t * kvHeads + kv) * width, (t * kvHeads + kv + 1) * width);
    const query = q.subarray(head * width, (head + 1) * width);
    const weights = seen.map((t) =>
      Math.exp(row(K, t).reduce((sum, k, c) => sum + k * query[c], 0) / Math.sqrt(width)),
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let c = 0; c < width; c += 1) {
      output.push(seen.reduce((sum, t, i) => sum + (weights[i] / total) * row(V, t)[c], 0));
    }
  }
  return output;
}

const shape = { n_heads: 4, n_kv_heads: 2, d_k: 8 };

for (const variant of variants) {
  test(`${variant}: any layout attends to what it shows`, async () => {
    const module = await load('cache', { variant });
    const K = numbers(40 * 16, 2);
    const V = numbers(40 * 16, 3);
    const q = numbers(32, 4);
    const all = Array.from({ length: 40 }, (_, t) => t);
    const late = all.filter((t) => t < 2 || t >= 30);
    for (const [options, seen] of [
      [{ layout: 'contiguous', capacity: 40 }, all],
      [{ layout: 'paged' }, all],
      [{ layout: 'paged', page_tokens: 3, window: 10, sinks: 2 }, late],
      [{ layout: 'contiguous', window: 10, sinks: 2 }, late],
    ]) {
      const cache = module.open({ ...shape, ...options });
      const sequence = cache.sequence();
      const stats = sequence.append({ count: 40, K, V });
      assert.equal(stats.length, 40);
      assert.equal(stats.visible_tokens, seen.length);
      const { output, backend } = sequence.attend({ q });
      assert.equal(backend, variant === 'scalar' ? 'scalar' : 'simd');
      const expected = attention({ q, K, V, heads: 4, kvHeads: 2, width: 8, seen });
      assert.ok(apart(expected, output) < 1e-6);
      assert.deepEqual(
        sequence.read().K,
        Float32Array.from(seen.flatMap((t) => [...K.subarray(t * 16, (t + 1) * 16)])),
      );
      assert.equal(cache.stats().needed_bytes, seen.length * 128);
      cache.close();
      refused(() => cache.stats(), 'bad_argument', 'cache');
    }
  });

  test(`${variant}: a fork shares pages until somebody writes, and all memory goes back`, async () => {
    const module = await load('cache', { variant });
    const cache = module.open({ ...shape, layout: 'paged' });
    const first = cache.sequence();
    first.append({ count: 20, K: numbers(320, 5), V: numbers(320, 6) });
    const second = first.fork();
    assert.deepEqual([...second.stats().references], [2, 2]);
    assert.equal(cache.stats().allocated_bytes, 2 * 16 * 128);
    assert.equal(cache.stats().needed_bytes, 2 * 20 * 128);
    const q = numbers(32, 7);
    const before = first.attend({ q }).output;
    second.append({ K: numbers(16, 8), V: numbers(16, 9) });
    assert.deepEqual(first.attend({ q }).output, before);
    assert.equal(cache.stats().blocks, 3);
    second.rollBack(20);
    // Both at once, as a step of a batch asks.
    const both = cache.attend([first, second], { q: Float32Array.from([...q, ...q]) });
    assert.deepEqual(both.output.subarray(0, 32), before);
    assert.deepEqual(both.output.subarray(32), before);
    const out = cache.attend([first], { q, out: both });
    assert.equal(out, both);
    assert.deepEqual([...first.evict(3).pages], [0, first.stats().pages[1]]);
    refused(() => first.rollBack(10), 'out_of_range', 'length');
    refused(() => first.fork({ length: 99 }), 'out_of_range', 'length');
    first.close();
    refused(() => first.attend({ q }), 'bad_argument', 'sequence');
    second.close();
    assert.equal(cache.stats().allocated_bytes, 0);
    cache.close();
  });

  test(`${variant}: fewer bits take fewer bytes and stay within their bound`, async () => {
    const module = await load('cache', { variant });
    const rows = numbers(64 * 40, 10);
    const bytes = { f32: 160, f16: 80, q8_0: 44, q4_0: 24 };
    for (const format of ['f32', 'f16', 'q8_0', 'q4_0']) {
      const stored = module.storedRows({ format, width: 40, rows });
      assert.equal(stored.bytes, 64 * bytes[format]);
      assert.ok(stored.largest_error <= stored.bound);
      assert.equal(stored.largest_error, apart(stored.rows, rows));
      const cache = module.open({ n_heads: 2, d_k: 40, layout: 'paged', format });
      assert.equal(cache.token_bytes, 4 * bytes[format]);
      const sequence = cache.sequence();
      sequence.append({ count: 32, K: rows, V: rows });
      assert.deepEqual(sequence.read().K, stored.rows);
      cache.close();
    }
    refused(() => module.storedRows({ format: 'f32', width: 7, rows }), 'shape_mismatch', 'rows');
    const nan = Float32Array.of(NaN);
    refused(() => module.storedRows({ format: 'f32', width: 1, rows: nan }), 'not_finite', 'rows');
  });

  test(`${variant}: a latent is one row for all heads`, async () => {
    const module = await load('cache', { variant });
    const options = { n_heads: 8, d_k: 24, latent_rank: 16, rope_width: 8, layout: 'paged' };
    const cache = module.open(options);
    assert.deepEqual([cache.key_width, cache.value_width, cache.kept_heads], [24, 16, 1]);
    assert.equal(cache.token_bytes, 96);
    const sequence = cache.sequence();
    const K = numbers(30 * 24, 11);
    sequence.append({ count: 30, K });
    const q = numbers(8 * 24, 12);
    const V = Float32Array.from({ length: 30 * 24 }, (_, i) => (i % 24 < 16 ? K[i] : 0));
    const seen = Array.from({ length: 30 }, (_, t) => t);
    const whole = attention({ q, K, V, heads: 8, kvHeads: 1, width: 24, seen });
    const expected = whole.filter((_, i) => i % 24 < 16);
    assert.ok(apart(expected, sequence.attend({ q }).output) < 1e-6);
    refused(() => sequence.append({ K: K.subarray(0, 24), V }), 'bad_argument', 'V');
    refused(() => module.open({ ...options, n_kv_heads: 2 }), 'bad_argument', 'n_kv_heads');
    cache.close();
  });

  test(`${variant}: the same tokens with a cache and without, 80 passes against 3,240`, async () => {
    const module = await load('decode', { variant });
    const run = module.decodeRun({ n: 80 });
    assert.equal(run.model.parameters, 77_824);
    for (let t = 1; t <= 80; t += 1) {
      const kept = run.stepWith({ repeat: 2 });
      const anew = run.stepWithout();
      assert.equal(kept.token, anew.token);
      assert.deepEqual([kept.passes, anew.passes, kept.tokens, anew.tokens], [1, t, t, t]);
      assert.ok(kept.compute_ms >= 0 && anew.compute_ms >= 0);
      assert.ok(t === 1 ? kept.flops === anew.flops : kept.flops < anew.flops);
    }
    const state = run.state();
    assert.equal(state.passes_with, 80);
    assert.equal(state.passes_without, 3240);
    assert.equal(state.same_tokens, true);
    assert.ok(state.largest_difference < 1e-5);
    assert.equal(state.needed_bytes, 80 * 512);
    assert.deepEqual(state.tokens_with, state.tokens_without);
    refused(() => run.stepWith(), 'out_of_range', 'n');
    refused(() => module.decodeRun({ n: 1e6 }), 'too_large', 'n');
    run.close();
    refused(() => run.state(), 'bad_argument', 'run');
  });

  test(`${variant}: what a cache refuses names the option`, async () => {
    const module = await load('cache', { variant });
    const open = (options) => () => module.open({ ...shape, layout: 'paged', ...options });
    refused(open({ n_kv_heads: 3 }), 'shape_mismatch', 'n_kv_heads');
    refused(open({ d_k: 0 }), 'out_of_range', 'd_k');
    refused(open({ d_k: 1.5 }), 'out_of_range', 'd_k');
    refused(open({ d_k: '8' }), 'bad_argument', 'd_k');
    refused(open({ d_k: 1e9 }), 'too_large', 'd_k');
    refused(open({ format: 'q3' }), 'bad_argument', 'format');
    refused(open({ layout: 'heap' }), 'bad_argument', 'layout');
    refused(open({ page_tokens: 2 ** 24, n_layers: 1024 }), 'too_large', 'page_tokens');
    refused(open({ window: -1 }), 'out_of_range', 'window');
    refused(open({ nothing: 1 }), 'bad_argument', 'nothing');
    const cache = module.open({ ...shape, layout: 'contiguous', capacity: 4 });
    const sequence = cache.sequence();
    const rows = { K: numbers(16, 13), V: numbers(16, 14) };
    for (let t = 0; t < 4; t += 1) sequence.append(rows);
    refused(() => sequence.append(rows), 'too_large', 'capacity');
    refused(() => sequence.append({ ...rows, count: 2 }), 'shape_mismatch', 'K');
    refused(() => sequence.append({ K: rows.K }), 'bad_argument', 'V');
    refused(() => sequence.attend({ q: rows.K }), 'shape_mismatch', 'q');
    refused(() => sequence.attend({ q: numbers(32), layer: 1 }), 'out_of_range', 'layer');
    assert.equal(sequence.stats().length, 4);
    const other = module.open({ ...shape, layout: 'paged' });
    for (const wrong of [sequence, 1, null]) {
      refused(() => other.attend([wrong], { q: numbers(32) }), 'bad_argument', 'sequences');
    }
    other.close();
    cache.close();
  });
}
