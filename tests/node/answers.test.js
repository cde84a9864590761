/** The answers to n², through the module: patterns, counts and recall. */
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

const LAYERS = ['full', 'window', 'block_sparse', 'linear', 'gated_linear', 'selective_state'];
const FULL = 0;
const GATED = 4;
const HYBRID = 6;

for (const variant of variants) {
  test(`${variant}: who sees whom`, async () => {
    const answers = await load('answers', { variant });
    for (const answer of LAYERS) {
      const n = 20;
      const { left, seen, pairs } = answers.answerPattern({ answer, n, window: 5, sinks: 1 });
      for (let i = 0; i < n; i += 1) {
        assert.equal(left[i * n + i], 1, answer);
        assert.ok(
          left.subarray(i * n + i + 1, (i + 1) * n).every((value) => value === 0),
          answer,
        );
      }
      assert.equal(
        seen.reduce((sum, count) => sum + count, 0),
        pairs,
      );
      // 5 in the window and the pinned first.
      if (answer === 'window') assert.equal(seen[n - 1], 6);
    }
  });

  test(`${variant}: the bytes of full attention are the KV cache’s, and a state’s are 64 tokens of it`, async () => {
    const answers = await load('answers', { variant });
    const lengths = [1000, 1000000];
    const { state_bytes, state_tokens, full_layers } = answers.answerCurves({
      lengths,
      n_layers: 32,
      n_heads: 32,
      n_kv_heads: 8,
      d_k: 128,
      d_v: 128,
    });
    lengths.forEach((n, k) => {
      assert.equal(state_bytes[FULL * lengths.length + k], 131072 * n);
      assert.equal(state_bytes[GATED * lengths.length + k], 131072 * 64);
    });
    assert.equal(state_tokens[GATED], 64);
    assert.equal(full_layers, 8);
    assert.ok(state_tokens[HYBRID] > 250000 && state_tokens[HYBRID] < 251000);
  });

  test(`${variant}: what is recalled`, async () => {
    const answers = await load('answers', { variant });
    const accuracy = (answer, options) => [
      ...answers.recall({ answer, n: 64, pairs: [4, 64], ...options }).accuracy,
    ];
    for (const answer of ['full', 'hybrid']) {
      assert.ok(
        accuracy(answer).every((share) => share > 0.99),
        answer,
      );
    }
    for (const answer of ['linear', 'gated_linear', 'selective_state']) {
      const [few, many] = accuracy(answer);
      assert.ok(few > 0.95 && many < 0.75, `${answer}: ${few} and ${many}`);
      assert.ok(accuracy(answer, { state: 8 })[1] < many, answer);
      assert.ok(accuracy(answer, { state: 32 })[1] > many, answer);
    }
    const { bin_accuracy } = answers.recall({
      answer: 'window',
      n: 64,
      window: 16,
      bins: 4,
      texts: 64,
      pairs: [16],
    });
    assert.equal(bin_accuracy[0], 1);
    assert.ok(bin_accuracy.subarray(1).every((share) => share < 0.15));
  });
}

test('what cannot be answered is refused by its name', async () => {
  const answers = await load('answers');
  refused(() => answers.recall({ pairs: [1], answer: 'more' }), 'bad_argument', 'answer');
  refused(() => answers.recall({ pairs: [] }), 'out_of_range', 'pairs');
  refused(() => answers.recall({ pairs: [65] }), 'too_large', 'pairs[0]');
  refused(
    () => answers.recall({ pairs: [1], answer: 'linear', state: 9 }),
    'out_of_range',
    'state',
  );
  refused(() => answers.recall({ pairs: [1], n: 2000 }), 'too_large', 'n');
  refused(() => answers.answerPattern({ answer: 'hybrid' }), 'bad_argument', 'answer');
  refused(() => answers.answerPattern({ n: 513 }), 'too_large', 'n');
  refused(() => answers.answerPattern({ gate: 2 }), 'out_of_range', 'gate');
  refused(() => answers.answerCurves({ lengths: [0] }), 'out_of_range', 'lengths[0]');
  refused(
    () => answers.answerCurves({ lengths: [1], n_heads: 3, n_kv_heads: 2 }),
    'out_of_range',
    'n_kv_heads',
  );
});
