/** The bill of a KV cache, through the module: the lecture's numbers, published faults, bad input. */
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

const llama = {
  n_layers: 32,
  n_heads: 32,
  d_model: 4096,
  full_layers: 32,
  n_kv_heads: 8,
  d_k: 128,
  d_v: 128,
  parameters: 8e9,
  active_parameters: 8e9,
};

const gemma = {
  n_layers: 62,
  n_heads: 32,
  full_layers: 10,
  n_kv_heads: 16,
  d_k: 128,
  d_v: 128,
  local_layers: 52,
  window: 1024,
  local_n_kv_heads: 16,
  local_d_k: 128,
  local_d_v: 128,
  parameters: 27e9,
  active_parameters: 27e9,
};

const card = { memory_bytes: 80e9, bandwidth_bytes_s: 2e12, flops_s: 300e12 };
const opening = { model: llama, tokens: 32_768, sequences: 8, ...card };

for (const variant of variants) {
  test(`${variant}: the lecture's cache on one accelerator, to the byte`, async () => {
    const bills = await load('bill', { variant });
    assert.equal(bills.variant, variant);
    const bill = bills.bill(opening);
    assert.equal(bill.token_bytes, 2 * 32 * 8 * 128 * 2);
    assert.equal(bill.needed_bytes, 34_359_738_368);
    assert.equal(bill.allocated_bytes, 34_359_738_368);
    assert.equal(bill.full.pages, 2048);
    assert.deepEqual(bill.memory, {
      weight_bytes: 16_000_000_000,
      memory_bytes: 80_000_000_000,
      total_bytes: 50_359_738_368,
      free_bytes: 29_640_261_632,
      missing_bytes: 0,
      fits: true,
    });
    // (80 - 16) GB hold 14 caches of 4.29 GB, and 8 of 61,024 tokens.
    assert.deepEqual(bill.room, {
      most_sequences: 14,
      most_tokens: 61_024,
      tokens_unbounded: false,
    });
    assert.equal(bill.decode.roof.seconds, 50_359_738_368 / 2e12);
    assert.equal(bill.decode.roof.bound_by, 'bandwidth');
    assert.equal(bill.prefill.roof.bound_by, 'arithmetic');
    assert.equal(bill.crossing_tokens, 61_035);
    assert.equal(bill.prefill_doubled.linear_flops, 2 * bill.prefill.linear_flops);
    const of = (scheme, more = {}) => bills.bill({ ...opening, scheme, ...more });
    assert.equal(of('mha').needed_bytes, 137_438_953_472);
    assert.equal(of('mha').memory.fits, false);
    assert.equal(of('gqa', { tokens: 131_072 }).needed_bytes, 137_438_953_472);
    assert.equal(of('mqa').token_bytes, 16_384);
    assert.equal(of('mla').token_bytes, 36_864);
    assert.equal(of('sliding').late_token_bytes, 0);
    assert.equal(of('hybrid').model.local_layers, 27);
    assert.equal(of('own', { cache_format: 'q8_0' }).token_bytes, 32 * 2 * 8 * 4 * 34);
    assert.equal(of('own', { weight_format: 'q4_0' }).memory.weight_bytes, 4_500_000_000);
    assert.equal(of('own', { accelerators: 2 }).memory.memory_bytes, 160e9);
  });

  test(`${variant}: needed and allocated of windows are told apart`, async () => {
    const bills = await load('bill', { variant });
    const bill = bills.bill({ model: gemma, tokens: 131_072, ...card });
    assert.equal(bill.needed_bytes, 11_173_625_856);
    assert.equal(bill.allocated_bytes, 11_173_625_856);
    const whole = bills.bill({ model: gemma, tokens: 131_072, keeps_whole_windows: true, ...card });
    assert.equal(whole.needed_bytes, 11_173_625_856);
    assert.equal(whole.allocated_bytes, 62 * 2 ** 30);
    assert.equal(whole.unused_bytes, whole.allocated_bytes - whole.needed_bytes);
    const reserved = { ...opening, allocation: 'reserved', reserved_tokens: 65_536 };
    assert.equal(bills.bill(reserved).allocated_bytes, 2 * 34_359_738_368);
  });
}

test('a series holds what single bills say', async () => {
  const bills = await load('bill');
  const at = [1, 100, 4096, 1_000_000];
  for (const along of ['tokens', 'sequences']) {
    const series = bills.billSeries({ ...opening, along, at });
    for (const [i, place] of at.entries()) {
      const bill = bills.bill({ ...opening, [along]: place });
      assert.equal(series.needed_bytes[i], bill.needed_bytes);
      assert.equal(series.allocated_bytes[i], bill.allocated_bytes);
      assert.equal(series.total_bytes[i], bill.memory.total_bytes);
      assert.equal(series.step_seconds[i], bill.decode.roof.seconds);
      assert.equal(series.tokens_per_s[i], bill.decode.tokens_per_s);
      assert.equal(series.decode_intensity[i], bill.decode.roof.intensity);
      assert.equal(series.decode_flops_s[i], bill.decode.roof.attained_flops_s);
      assert.equal(series.prefill_intensity[i], bill.prefill.roof.intensity);
      assert.equal(series.prefill_flops_s[i], bill.prefill.roof.attained_flops_s);
      assert.equal(series.prefill_seconds[i], bill.prefill.roof.seconds);
      assert.equal(series.linear_flops[i], bill.prefill.linear_flops);
      assert.equal(series.attention_flops[i], bill.prefill.attention_flops);
    }
    const again = bills.billSeries({ ...opening, along, at, out: series });
    assert.equal(again, series);
  }
  refused(() => bills.billSeries({ ...opening, at: [] }), 'bad_argument', 'at');
  refused(() => bills.billSeries({ ...opening, at: [1.5] }), 'out_of_range', 'at');
  refused(() => bills.billSeries({ ...opening, at: [Number.NaN] }), 'out_of_range', 'at');
  refused(() => bills.billSeries({ ...opening, at: [2 ** 52] }), 'too_large', 'tokens');
});

test('all schemes at once are each one’s bill', async () => {
  const bills = await load('bill');
  for (const asked of [opening, { ...opening, model: gemma, scheme: 'mla' }]) {
    const schemes = bills.schemeBills(asked);
    assert.deepEqual(Object.keys(schemes), [
      'own',
      'mha',
      'gqa',
      'mqa',
      'mla',
      'sliding',
      'hybrid',
    ]);
    for (const [scheme, told] of Object.entries(schemes)) {
      const { token_bytes, needed_bytes, allocated_bytes, memory } = bills.bill({
        ...asked,
        scheme,
      });
      assert.deepEqual(told, { token_bytes, needed_bytes, allocated_bytes, memory });
    }
  }
  // 2^36 tokens of GQA are 2^53 bytes, and of MHA too many to be counted.
  const most = bills.schemeBills({ ...opening, sequences: 1, tokens: 2 ** 35 });
  assert.match(most.mha.problem, /2\^53/);
  assert.equal(most.gqa.needed_bytes, 2 ** 52);
  refused(() => bills.schemeBills({ ...opening, tokens: 0 }), 'out_of_range', 'tokens');
});

test('formats and schemes', async () => {
  const bills = await load('bill');
  const formats = bills.numberFormats();
  assert.deepEqual(
    formats.map(({ name }) => name),
    ['f32', 'f16', 'bf16', 'f8', 'q8_0', 'q4_0', 'q4_1'],
  );
  assert.deepEqual(formats[4], { name: 'q8_0', bits: 8, block: 32, block_bytes: 2 });
  const latent = bills.withScheme({ model: llama, scheme: 'mla' });
  assert.equal(latent.latent_rank, 512);
  assert.equal(latent.rope_width, 64);
  assert.deepEqual(bills.withScheme({ model: latent, scheme: 'own' }), latent);
});

test('weights that are not known are left out', async () => {
  const bills = await load('bill');
  const model = { ...llama, parameters: 0, active_parameters: 0 };
  const { memory, decode, crossing_tokens } = bills.bill({ ...opening, model });
  assert.equal(memory.weight_bytes, 0);
  assert.equal(memory.total_bytes, 34_359_738_368);
  assert.equal(decode.roof.bytes, 34_359_738_368);
  assert.equal(crossing_tokens, 0);
});

test('bad input is told by its field, and no number comes back', async () => {
  const bills = await load('bill');
  const bad = (changes, code, field) =>
    refused(() => bills.bill({ ...opening, ...changes }), code, field);
  const badModel = (changes, code, field) => bad({ model: { ...llama, ...changes } }, code, field);
  for (const value of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const code = Number.isFinite(value) ? 'out_of_range' : 'not_finite';
    bad({ tokens: value }, code, 'tokens');
    bad({ sequences: value }, code, 'sequences');
    bad({ memory_bytes: value }, code, 'memory_bytes');
    bad({ page_tokens: value }, code, 'page_tokens');
    if (value !== 0) badModel({ n_kv_heads: value }, code, 'model.n_kv_heads');
  }
  bad({ tokens: 2 ** 60 }, 'too_large', 'tokens');
  bad({ tokens: '32' }, 'bad_argument', 'tokens');
  bad({ scheme: 'abacus' }, 'bad_argument', 'scheme');
  bad({ cache_format: 'f7' }, 'bad_argument', 'cache_format');
  bad({ allocation: 'thin air' }, 'bad_argument', 'allocation');
  bad({ model: undefined }, 'out_of_range', 'n_layers');
  bad({ model: 'Llama' }, 'bad_argument', 'model');
  bad({ tokens: 2 ** 40 }, 'too_large', 'tokens');
  badModel({ n_kv_heads: 0 }, 'out_of_range', 'n_kv_heads');
  badModel({ n_kv_heads: 7 }, 'shape_mismatch', 'n_kv_heads');
  badModel({ n_kv_heads: '8' }, 'bad_argument', 'model.n_kv_heads');
  badModel({ hidden_size: 4096 }, 'bad_argument', 'model.hidden_size');
  badModel({ parameters: 0 }, 'shape_mismatch', 'active_parameters');
  badModel({ window: 16 }, 'shape_mismatch', 'local_layers');
});

test('a file is told by its first bytes, and one that is cut is said to be', async () => {
  const files = await load('files');
  const bytes = (text) => new TextEncoder().encode(text);
  const config =
    '{"num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 2, "vocab_size": 4}';
  const told = files.readModel({ file: bytes(config) });
  assert.equal(told.model.n_layers, 2);
  assert.equal(told.needs_bytes, 0);
  assert.deepEqual(files.readModel({ file: bytes(`\uFEFF ${config}`) }), told);
  for (const other of ['', '   ', 'GGML', '<html>', '[1]']) {
    refused(() => files.readModel({ file: bytes(other) }), 'bad_argument', 'file');
  }
  refused(() => files.readModel({ file: bytes(config), size: 2 ** 27 }), 'too_large', 'file');
  // A header that says there are keys, and ends: read on while there is more, else refused.
  const header = new Uint8Array(24);
  header.set(bytes('GGUF'));
  header[4] = 3;
  header[16] = 1;
  const more = files.readModel({ file: header, size: 1000 });
  assert.ok(more.needs_bytes > header.length);
  assert.equal(more.model, undefined);
  refused(() => files.readModel({ file: header }), 'bad_argument', 'file');
});

test('how a cache fills, in one call, is what a cache says that is filled by many', async () => {
  const bills = await load('bill');
  const cache = await load('cache');
  const shape = { d_k: 4, layout: 'paged', page_tokens: 3, window: 7, sinks: 2, format: 'f16' };
  const rows = { K: new Float32Array(4), V: new Float32Array(4) };
  for (const [tokens, shared_tokens] of [
    [0, 0],
    [5, 9],
    [12, 5],
    [20, 0],
  ]) {
    const kept = cache.open(shape);
    const sequences = [kept.sequence()];
    const before = [sequences[0].stats().pages];
    for (let t = 0; t <= tokens; t += 1) {
      if (t === shared_tokens && (t < tokens || t === 0)) sequences.push(sequences[0].fork());
      if (t === tokens) break;
      for (const [i, sequence] of sequences.entries()) {
        before[i] = sequence.stats().pages;
        sequence.append(rows);
      }
    }
    const { requests, ...stats } = bills.fillCache({ ...shape, tokens, shared_tokens });
    assert.deepEqual(stats, kept.stats());
    assert.equal(requests.length, sequences.length);
    for (const [i, { pages_before, begins, ...told }] of requests.entries()) {
      const { sequence, ...expected } = sequences[i].stats();
      assert.ok(sequence > 0);
      assert.deepEqual(told, expected);
      if (tokens > 0) assert.deepEqual(pages_before, before[i]);
      assert.equal(begins, i === 1 && tokens === shared_tokens + 1);
    }
    kept.close();
  }
  refused(
    () => bills.fillCache({ ...shape, tokens: 5000, shared_tokens: 0 }),
    'too_large',
    'tokens',
  );
  refused(
    () => bills.fillCache({ ...shape, tokens: 1, shared_tokens: -1 }),
    'out_of_range',
    'shared_tokens',
  );
  refused(() => bills.fillCache({ tokens: 1, shared_tokens: 1 }), 'bad_argument', 'd_k');
});
