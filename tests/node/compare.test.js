/** One bill held against another, through the module: other KV heads, longer prompts, passes, units. */
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

const card = { memory_bytes: 80e9, bandwidth_bytes_s: 3.35e12, flops_s: 989.4e12 };

for (const variant of variants) {
  const bills = await load('bill', { variant });
  const decode = await load('decode', { variant });
  const llama = bills.publishedModels().find(({ id }) => id === 'llama-3-70b').model;

  test(`${variant}: KV heads change the cache, its projections and the whole model`, () => {
    const model = bills.withKvHeads({ model: llama, n_kv_heads: 64 });
    // 56 heads more, a key and a value of 128 each, from 8,192 numbers, in 80 layers.
    assert.equal(model.parameters - llama.parameters, 80 * 8192 * 56 * 256);
    const bill = bills.bill({ model, tokens: 4096, ...card });
    assert.equal(bill.mha_times, 1);
    assert.equal(bill.key_value_parameters, 80 * 8192 * 64 * 256);
    assert.equal(bills.bill({ model: llama, tokens: 1, ...card }).mha_times, 8);
    refused(
      () => bills.withKvHeads({ model: llama, n_kv_heads: 3 }),
      'shape_mismatch',
      'n_kv_heads',
    );
    refused(
      () => bills.withKvHeads({ model: llama, n_kv_heads: 1.5 }),
      'out_of_range',
      'n_kv_heads',
    );
    refused(() => bills.withKvHeads({ model: llama }), 'bad_argument', 'n_kv_heads');
  });

  test(`${variant}: twice a prompt, in the bill and asked alone`, () => {
    const { prefill_growth, doubled_tokens, prefill, prefill_doubled } = bills.bill({
      model: llama,
      tokens: 5000,
      ...card,
    });
    assert.equal(doubled_tokens, 10_000);
    assert.equal(prefill_growth.total, prefill_doubled.roof.flops / prefill.roof.flops);
    assert.deepEqual(
      bills.promptGrowth({ model: llama, tokens: 10_000, against: 5000 }),
      prefill_growth,
    );
    refused(
      () => bills.promptGrowth({ model: llama, tokens: 1, against: 0 }),
      'out_of_range',
      'against',
    );
    refused(
      () => bills.promptGrowth({ model: llama, tokens: 1, against: NaN }),
      'not_finite',
      'against',
    );
  });

  test(`${variant}: token passes are those that a run counts`, () => {
    const run = decode.decodeRun({ n: 20 });
    for (let step = 0; step < 20; step += 1) {
      run.stepWith();
      run.stepWithout();
    }
    const { passes_with, passes_without, same_tokens } = run.state();
    run.close();
    assert.equal(same_tokens, true);
    assert.deepEqual(decode.tokenPasses({ n: 20 }), {
      with_cache: passes_with,
      without_cache: passes_without,
      ratio: 10.5,
    });
    refused(() => decode.tokenPasses({ n: 0 }), 'out_of_range', 'n');
    refused(() => decode.tokenPasses({ n: 2 ** 40 }), 'too_large', 'n');
  });

  test(`${variant}: bytes in units`, () => {
    const { GiB, GB } = bills.byteUnits({ bytes: 17_179_869_184 });
    assert.deepEqual([GiB, GB], [16, 17.179869184]);
    assert.equal(bills.byteUnits({ bytes: 0 }).kB, 0);
    refused(() => bills.byteUnits({ bytes: -1 }), 'out_of_range', 'bytes');
  });
}
