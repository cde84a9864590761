/** Masks through the modules: what each hides, to the last bit (hard cases N1, N2, N6 to N9), and training without one. */
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

const words = (text) => {
  const list = text.split(' ');
  const vocabulary = [...new Set(list)];
  return { ids: list.map((word) => vocabulary.indexOf(word)), vocab_size: vocabulary.length };
};

const STORY =
  'the cat climbed the roof . the dog saw the cat . the bird left the roof . the cat saw the bird . the dog climbed the hill . the bird saw the dog . the cat left the hill . the dog left the roof .';
const training = (more) => ({
  ...words(STORY),
  n: 8,
  d_model: 16,
  d_k: 8,
  rounds: 24,
  steps: 8,
  ...more,
});

for (const variant of variants) {
  const layer = await load('layer', { variant });
  const core = await load('core', { variant });
  const effect = (more) => layer.maskEffect({ tokens: 5, ...more });

  test(`${variant}: the softmax of the layer is the core's`, () => {
    const options = { x: [2.1, 0.3, 1.7, 0.9], n: 2, m: 2, mask: { causal: true } };
    assert.deepEqual(layer.maskedSoftmax(options), core.softmax(options));
    assert.deepEqual([...layer.maskedSoftmax(options).weights.slice(0, 2)], [1, 0]);
  });

  test(`${variant}: under the causal mask exactly the changed row and those after it move`, () => {
    for (const changed of [1, 2, 3, 4, 5]) {
      const { open_moved_rows, masked_moved, first_is_its_value } = effect({
        causal: true,
        changed,
      });
      assert.equal(open_moved_rows, 5);
      assert.deepEqual(
        [...masked_moved],
        [1, 2, 3, 4, 5].map((row) => (row >= changed ? 1 : 0)),
      );
      assert.equal(first_is_its_value, true);
    }
  });

  test(`${variant}: N1, rows that see nothing give zeros`, () => {
    const left = { pads: 2, pads_left: true, causal: true, hides_padding: true };
    const { seen, masked_weights, masked_output } = effect(left);
    assert.deepEqual([...seen], [0, 0, 1, 2, 3, 4, 5]);
    assert.ok(masked_weights.slice(0, 14).every((weight) => weight === 0));
    assert.ok(masked_output.slice(0, 8).every((number) => number === 0));
    assert.ok(masked_output.every(Number.isFinite));
  });

  test(`${variant}: N2, NaN in a hidden row moves no output but its own`, () => {
    const { open_moved_rows, masked_moved } = effect({
      pads: 1,
      hides_padding: true,
      changed: 6,
      to_nan: true,
    });
    assert.equal(open_moved_rows, 6);
    assert.deepEqual([...masked_moved], [0, 0, 0, 0, 0, 1]);
  });

  test(`${variant}: N6, fewer queries than keys are aligned bottom-right`, () => {
    const { n_q, n, allowed } = effect({ asks: 2, causal: true });
    assert.deepEqual([n_q, n], [2, 5]);
    assert.equal(allowed.join(''), '1111011111');
    const { allowed: same } = core.attention({
      Q: new Float64Array(2),
      K: new Float64Array(5),
      V: new Float64Array(5),
      n_q: 2,
      n_k: 5,
      d_k: 1,
      d_v: 1,
      mask: { causal: true },
    });
    assert.deepEqual(same, allowed);
  });

  test(`${variant}: N7, a window counts the token itself`, () => {
    const { allowed, seen } = effect({ tokens: 11, causal: true, window: 4 });
    assert.equal(allowed.slice(110).join(''), '00000001111');
    assert.equal(seen[10], 4);
  });

  test(`${variant}: N8, packed documents do not touch each other, and new positions alone do not part them`, () => {
    const packed = { tokens: 8, first_document: 5, causal: true, changed: 2 };
    const { masked_moved, masked_moved_by } = effect({ ...packed, parts_documents: true });
    assert.deepEqual([...masked_moved], [0, 1, 1, 1, 1, 0, 0, 0]);
    assert.ok(masked_moved_by.slice(5).every((by) => by === 0));
    assert.equal(effect({ ...packed, positions: 'real' }).masked_moved_rows, 7);
  });

  test(`${variant}: N9, a row padded on the left is the row alone, where positions count the real tokens`, () => {
    const left = { pads: 3, pads_left: true, causal: true, hides_padding: true };
    const { position, masked_padded_most } = effect({ ...left, positions: 'real' });
    assert.deepEqual([...position], [0, 0, 0, 0, 1, 2, 3, 4]);
    assert.equal(masked_padded_most, 0);
    assert.ok(effect({ ...left, positions: 'row' }).masked_padded_most > 0.1);
  });

  test(`${variant}: without the causal mask the loss collapses, and writing stays bad`, () => {
    for (const seed of [1, 2, 3]) {
      const good = layer.trainAttention(training({ seed }));
      const bad = layer.trainAttention(training({ seed, causal: false }));
      assert.deepEqual(good.losses, good.past_losses);
      assert.equal(bad.losses.length, 25);
      assert.ok(bad.losses[24] < 0.5 * good.losses[24], 'it reads its answer');
      assert.ok(
        bad.past_losses[24] > 3 * good.past_losses[24],
        'which is not there when it writes',
      );
      const last = bad.weights.subarray(24 * 64);
      const ahead = [0, 1, 2, 3, 4, 5, 6].filter((i) => last[i * 8 + i + 1] > 0.5);
      assert.ok(ahead.length >= 4, 'it looks one place to the right of itself');
      assert.deepEqual(layer.trainAttention(training({ seed })), good);
    }
  });

  test(`${variant}: what makes no sense is refused by name`, () => {
    const scene = (more) => () => effect(more);
    refused(scene({ tokens: 65 }), 'too_large', 'tokens');
    refused(scene({ tokens: 0 }), 'out_of_range', 'tokens');
    refused(scene({ window: 0 }), 'out_of_range', 'window');
    refused(scene({ asks: 9 }), 'too_large', 'asks');
    refused(scene({ changed: 6 }), 'too_large', 'changed');
    refused(scene({ positions: 'learned' }), 'bad_argument', 'positions');
    refused(scene({ causal: 1 }), 'bad_argument', 'causal');
    const run = (more) => () => layer.trainAttention(training(more));
    refused(run({ ids: [0, 1] }), 'out_of_range', 'ids');
    refused(run({ ids: words(STORY).ids.with(3, 10) }), 'out_of_range', 'ids[3]');
    refused(run({ targets: [1, 2] }), 'shape_mismatch', 'targets');
    refused(run({ rate: 2 }), 'out_of_range', 'rate');
    refused(run({ rounds: 1000, steps: 1000, batch: 64 }), 'too_large', 'rounds');
    refused(run({ d_model: 65 }), 'too_large', 'd_model');
  });
}
