/** The recording of a real model, and what is read off it and off live maps. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { checkReading } from '../../web/runtime/check-reading.js';
import { load } from '../../web/runtime/index.js';
import { recordings } from '../../web/runtime/recordings.js';
import { model } from '../../web/simulators/real-model/real-model.model.js';

const readings = await load('reading');
const recording = await readings.recording('smollm2');
const file = await readFile(recordings.smollm2());

const mapsOf = ({ weights, tokens, model: { n_layers, n_heads } }) => ({
  n_layers,
  n_heads,
  n: tokens.length,
  parts: weights,
});

test('the recording is of the model that it names, and small', () => {
  assert.ok(file.length < 300_000, `${file.length} bytes`);
  assert.deepEqual(recording.model, {
    name: 'SmolLM2-135M-Instruct',
    n_layers: 30,
    n_heads: 9,
    n_kv_heads: 3,
    head_dim: 64,
    d_model: 576,
  });
  assert.equal(recording.token_bytes, 46_080);
  assert.equal(recording.same_tokens, true);
  assert.match(recording.date, /^\d{4}-\d\d-\d\d$/);
  assert.ok(recording.machine.length > 0);
  assert.equal(recording.cached_ms.length, recording.uncached_ms.length);
  assert.ok([...recording.cached_ms, ...recording.uncached_ms].every((ms) => ms > 0));
  assert.equal(recording.long_previous.length, 270);
  assert.equal(recording.long_first.length, 30);
});

for (const reading of recording.readings) {
  test(`“${reading.text}” is recorded whole: rows sum to one, nothing looks ahead`, () => {
    const { tokens, weights, value_lengths: lengths, losses, candidates } = reading;
    const n = tokens.length;
    assert.equal(tokens.map(({ text }) => text).join(''), reading.text);
    assert.equal(weights.length, 270 * n * n);
    for (let row = 0; row < 270 * n; row += 1) {
      const parts = weights.subarray(row * n, (row + 1) * n);
      assert.equal(
        parts.reduce((sum, part) => sum + part),
        255,
      );
      assert.ok(parts.subarray((row % n) + 1).every((part) => part === 0));
    }
    assert.equal(lengths.length, 90 * n);
    assert.ok(lengths.every((length) => length > 0));
    assert.equal(losses.length, n - 1);
    assert.ok(candidates.every(({ probability }) => probability > 0 && probability < 1));
  });
}

test('a row of “it” is the same whatever adjective follows', () => {
  const [small, large] = ['small', 'large'].map((id) =>
    recording.readings.find((reading) => reading.id === id),
  );
  const n = small.tokens.length;
  const differs = small.tokens.findIndex(({ id }, i) => id !== large.tokens[i].id);
  for (let head = 0; head < 270; head += 1) {
    const rows = ({ weights }) => weights.slice(head * n * n, (head * n + differs) * n);
    assert.deepEqual(rows(small), rows(large));
  }
});

test('a recording that was cut or changed is refused, and nothing of it is kept', () => {
  const refused = { code: 'bad_argument', field: 'file' };
  for (const length of [0, 7, 8, 15, 16, 100, 5000, file.length - 1])
    assert.throws(() => readings.readRecording({ file: file.subarray(0, length) }), refused);
  for (const at of [0, 9, 13, 40, 700, 90_000, file.length - 1]) {
    const changed = Uint8Array.from(file);
    changed[at] ^= 1;
    assert.throws(() => readings.readRecording({ file: changed }), refused);
  }
  assert.equal(readings.readRecording({ file }).readings.length, recording.readings.length);
});

test('a recording comes once, and one that there is not is named', async () => {
  assert.equal(await readings.recording('smollm2'), recording);
  assert.equal(readings.opened('smollm2'), recording);
  await assert.rejects(readings.recording('gpt5'), { code: 'bad_argument', field: 'name' });
});

test('bytes and numbers say the same', () => {
  const [reading] = recording.readings;
  const { parts, ...sizes } = mapsOf(reading);
  const weights = Float32Array.from(parts, (part) => part / 255);
  const ids = reading.tokens.map(({ id }) => id);
  assert.deepEqual(
    readings.findPatterns({ ...sizes, weights, ids }),
    readings.findPatterns({ ...sizes, parts, ids }),
  );
  assert.deepEqual(
    readings.firstTokenShare({ ...sizes, weights, first_row: 3 }),
    readings.firstTokenShare({ ...sizes, parts, first_row: 3 }),
  );
});

test('the view takes a live reading of another model, and shows what is near where it was', () => {
  const n = 3;
  const live = {
    model: { name: 'tiny', n_layers: 2, n_heads: 2, n_kv_heads: 1, head_dim: 4, d_model: 8 },
    tokens: [
      { id: 5, text: 'a' },
      { id: 6, text: ' b' },
      { id: 5, text: ' a' },
    ],
    weights: Float32Array.from({ length: 4 * n * n }, (_, at) => {
      const [i, j] = [Math.floor(at / n) % n, at % n];
      return j === Math.max(0, i - 1) ? 1 : 0;
    }),
    value_lengths: Float32Array.from({ length: 2 * n }, (_, at) => at + 1),
  };
  const numbers = model.compute(readings, { ...model.defaults }, { reading: live });
  assert.deepEqual(
    { layer: numbers.state.layer, head: numbers.state.head, row: numbers.state.row },
    { layer: 1, head: 0, row: 2 },
  );
  assert.equal(numbers.live, true);
  assert.equal(numbers.score, 1);
  assert.equal(numbers.row.heaviest, 1);
  assert.match(model.sentence(numbers), /Layer 1, head 0/);
});

test('what is no reading is refused by the field at fault', () => {
  const n = 2;
  const good = {
    model: { name: 'tiny', n_layers: 2, n_heads: 2, n_kv_heads: 1 },
    tokens: [
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ],
    weights: new Uint8Array(2 * 2 * n * n),
    value_lengths: new Float32Array(2 * n),
  };
  assert.equal(checkReading(good), good);
  for (const [changed, field] of [
    [5, 'reading'],
    [{}, 'reading.model.n_layers'],
    [{ ...good, model: { ...good.model, n_heads: 1.5 } }, 'reading.model.n_heads'],
    [{ ...good, tokens: [] }, 'reading.tokens'],
    [{ ...good, tokens: [{ id: 1 }, { id: 2 }] }, 'reading.tokens'],
    [{ ...good, weights: [...good.weights] }, 'reading.weights'],
    [{ ...good, weights: new Float32Array(3) }, 'reading.weights'],
    [{ ...good, value_lengths: [1, 2, 3, 4] }, 'reading.value_lengths'],
  ]) {
    assert.throws(
      () => checkReading(changed),
      (error) => error.field === field && error.message.startsWith(field),
      field,
    );
  }
});

test('maps come in one form, not in both', async () => {
  const readings = await load('reading');
  const maps = {
    n_layers: 1,
    n_heads: 1,
    n: 2,
    weights: [1, 0, 0.5, 0.5],
    parts: [255, 0, 128, 127],
  };
  assert.throws(
    () => readings.findPairs({ ...maps, pairs: [1, 0] }),
    (error) => error.code === 'bad_argument' && error.field === 'parts',
  );
});
