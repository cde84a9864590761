/** Attention made affordable, through the module: steps of tiles, costs, and the three passes that build S. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { variants } from './support.js';

const near = (values, wanted, tolerance) => {
  assert.equal(values.length, wanted.length);
  for (const [i, value] of values.entries()) {
    assert.ok(Math.abs(value - wanted[i]) <= tolerance, `${i}: ${value}, not ${wanted[i]}`);
  }
};

const refused = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionDeckError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.field, field);
    return true;
  });

const bank = {
  Q: [1, 2],
  K: [1, 0, 1, 1, 0, 2],
  V: [1, 0, 0.5, 0.5, 1, 0],
  n_q: 1,
  n_k: 3,
  d_k: 2,
  d_v: 2,
};

/** Scores as they stand, as queries over the identity. */
const ofScores = (S, V, more) => {
  const n_k = S[0].length;
  return {
    Q: S.flat(),
    K: Array.from({ length: n_k * n_k }, (_, at) => Number(at % (n_k + 1) === 0)),
    V,
    n_q: S.length,
    n_k,
    d_k: n_k,
    d_v: 1,
    divide: false,
    ...more,
  };
};

for (const variant of variants) {
  test(`${variant}: a row in two tiles, each step by hand`, async () => {
    const experiments = await load('experiments', { variant });
    const steps = experiments.onlineSoftmax(
      ofScores([[0, Math.LN2, 2 * Math.LN2, 0]], [8, 4, 2, 16], { tile_q: 1, tile_k: 2 }),
    );
    assert.deepEqual([steps.query_blocks, steps.key_blocks, steps.divisor], [1, 2, 1]);
    assert.deepEqual([...steps.largest_before], [-Infinity, Math.LN2]);
    assert.deepEqual([...steps.largest_after], [Math.LN2, 2 * Math.LN2]);
    near(steps.factors, [0, 0.5], 1e-15);
    assert.deepEqual([...steps.rescaled], [0, 1]);
    near(steps.exponentials, [0.5, 1, 1, 0.25], 1e-15);
    near(steps.sums_before, [0, 1.5], 1e-15);
    near(steps.sums_after, [1.5, 2], 1e-15);
    near(steps.outputs_before, [0, 8], 1e-14);
    near(steps.outputs_rescaled, [0, 4], 1e-14);
    near(steps.outputs_after, [8, 10], 1e-14);
    near(steps.output, [5], 1e-14);
    near(steps.whole, [5], 1e-14);
    assert.ok(steps.largest_difference < 1e-14);
    assert.deepEqual([...steps.times_rescaled], [1]);
    assert.equal(steps.times_rescaled.constructor, Int32Array);
  });

  test(`${variant}: tiles give what whole rows give; a causal mask skips tiles`, async () => {
    const experiments = await load('experiments', { variant });
    const core = await load('core', { variant });
    const { output } = core.attention(bank);
    for (const tile_k of [1, 2, 3, 9]) {
      near(experiments.onlineSoftmax({ ...bank, tile_k }).output, [...output], 1e-15);
    }
    const S = Array.from({ length: 4 }, (_, i) => Array.from({ length: 4 }, (__, j) => i - j));
    const { skipped, allowed, scores } = experiments.onlineSoftmax(
      ofScores(S, [1, 2, 3, 4], { tile_q: 2, tile_k: 2, mask: { causal: true } }),
    );
    assert.deepEqual([...skipped], [0, 1, 0, 0]);
    assert.deepEqual([...allowed.subarray(0, 4)], [1, 0, 0, 0]);
    assert.equal(scores[1], -Infinity);
  });

  test(`${variant}: costs counted, the lecture's among them`, async () => {
    const experiments = await load('experiments', { variant });
    assert.equal(experiments.attentionCosts({ n: 4096, n_heads: 8 }).score_mebibytes, 512);
    assert.equal(experiments.attentionCosts({ n: 8192 }).entries, 67_108_864);
    const small = { n: 4, d: 2, bytes_per_number: 1, tile_q: 2, tile_k: 2, fast_bytes: 23 };
    assert.deepEqual(experiments.attentionCosts(small), {
      entries: 16,
      entries_millions: 16e-6,
      score_bytes: 16,
      score_mebibytes: 16 / 2 ** 20,
      entries_doubled: 64,
      growth: 4,
      product_flops: 128,
      naive_softmax_flops: 96,
      fused_softmax_flops: 128,
      softmax_percent: 75,
      score_pass_read: 16,
      score_pass_written: 16,
      softmax_pass_read: 16,
      softmax_pass_written: 16,
      value_pass_read: 24,
      value_pass_written: 8,
      naive_bytes: 96,
      fused_read: 40,
      fused_written: 8,
      fused_bytes: 48,
      query_blocks: 2,
      bytes_ratio: 2,
      tile_numbers: 24,
      tile_bytes: 24,
      fits: false,
    });
    refused(() => experiments.attentionCosts({ n: 2 ** 40 }), 'too_large', 'n');
    refused(() => experiments.attentionCosts({ n: 0 }), 'out_of_range', 'n');
    refused(() => experiments.attentionCosts({ n: 8, tile_k: 0.5 }), 'out_of_range', 'tile_k');
    refused(() => experiments.attentionCosts({}), 'bad_argument', 'n');
  });

  test(`${variant}: three passes give the fused output, and the weights when they are asked for`, async () => {
    const kernels = await load('kernels', { variant });
    const core = await load('core', { variant });
    for (const backend of kernels.backends()) {
      const naive = kernels.attentionNaive({ ...bank, backend });
      assert.equal(naive.backend, backend);
      assert.equal(naive.weights, undefined);
      assert.ok(naive.compute_ms >= 0);
      near(naive.output, [...kernels.attention({ ...bank, backend }).output], 1e-6);
      const { weights } = kernels.attentionNaive({ ...bank, backend, weights: true });
      assert.equal(weights.constructor, Float32Array);
      near(weights, [...core.attention(bank).weights], 1e-6);
      const output = kernels.tensor(2);
      const kept = kernels.attentionNaive({ ...bank, backend, output });
      assert.equal(kept.output, undefined);
      near(output.read(), [...naive.output], 0);
      output.close();
    }
  });

  test(`${variant}: more memory than there is, and wrong options, are told and leave the module usable`, async () => {
    const kernels = await load('kernels', { variant });
    const experiments = await load('experiments', { variant });
    const n = 65_536;
    const many = new Float32Array(n);
    const large = { Q: many, K: many, V: many, n_q: n, n_k: n, d_k: 1, d_v: 1 };
    refused(() => kernels.attentionNaive(large), 'too_large', 'n_k');
    refused(() => kernels.attentionNaive({ ...large, weights: true }), 'too_large', 'n_k');
    refused(
      () => kernels.attentionNaive({ ...bank, backend: 'abacus' }),
      'bad_argument',
      'backend',
    );
    refused(() => kernels.attentionNaive({ ...bank, V: [1] }), 'shape_mismatch', 'V');
    refused(() => experiments.onlineSoftmax({ ...bank, tile_q: 0 }), 'out_of_range', 'tile_q');
    refused(() => experiments.onlineSoftmax({ ...bank, tile_k: 5000 }), 'too_large', 'tile_k');
    refused(
      () => experiments.onlineSoftmax({ ...bank, K: [NaN, 0, 1, 1, 0, 2] }),
      'not_finite',
      'K',
    );
    refused(() => experiments.onlineSoftmax(), 'bad_argument', '');
    near(experiments.onlineSoftmax(bank).output, [0.8471524, 0.1528476], 1e-6);
  });
}
