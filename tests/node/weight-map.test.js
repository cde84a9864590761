/** A head over a text and all its weights, through the module: its steps, its masks, what is refused by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { variants } from './support.js';

const refused = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionDeckError, String(error));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    return true;
  });

const WIDTH = 1024;
const CAT = [0, 1, 2, 3, 0, 4];
const near = (one, other, off = 1e-9) => Math.abs(one - other) <= off;

for (const variant of variants) {
  const experiments = await load('experiments', { variant });
  const drawn = (head, n, seed = 1, width = WIDTH) =>
    experiments.drawVectors({ head, n, width, seed }).vectors;
  const mapOf = (more = {}) => {
    const options = { words: CAT, head: 'content', d_k: 8, width: WIDTH, ...more };
    return experiments.attentionMap({
      ...options,
      vectors: options.vectors ?? drawn(options.head, options.words.length),
    });
  };

  test(`${variant}: as many vectors as a head needs, and longer draws begin with the shorter`, () => {
    const counts = { content: 5, previous: 6, distance: 1, untrained: 10 };
    for (const [head, count] of Object.entries(counts))
      assert.equal(drawn(head, 5, 3, 7).length, 7 * count, head);
    const [few, many] = [drawn('content', 2, 9, 3), drawn('content', 64, 9, 100)];
    assert.deepEqual(few.subarray(3), many.subarray(100, 103));
  });

  test(`${variant}: every step leads to the next`, () => {
    for (const head of ['content', 'previous', 'distance', 'untrained']) {
      for (const divide of [true, false]) {
        const map = mapOf({ head, divide, mask: { causal: true } });
        const n = CAT.length;
        assert.equal(map.divisor, divide ? Math.sqrt(8) : 1);
        for (let i = 0; i < n; i += 1) {
          let sum = 0;
          for (let j = 0; j < n; j += 1) {
            const k = i * n + j;
            assert.equal(map.scaled[k], map.scores[k] / map.divisor);
            const wanted = j > i ? 0 : Math.exp(map.scaled[k] - map.shift[i]);
            assert.ok(near(map.exponentials[k], wanted, 1e-12 * (1 + wanted)));
            assert.ok(near(map.weights[k], map.exponentials[k] / map.sums[i]));
            assert.equal(map.hidden_by[k], j > i ? 1 : 0);
            sum += map.weights[k];
          }
          assert.ok(near(sum, 1) && near(map.weight_sums[i], 1));
          assert.equal(map.seen[i], i + 1);
        }
      }
    }
  });

  test(`${variant}: with few components the parts that are shown make the score`, () => {
    const map = mapOf({ d_k: 3 });
    assert.equal(map.query_parts.length, 18);
    for (let i = 0; i < 6; i += 1) {
      for (let j = 0; j < 6; j += 1) {
        let score = 0;
        for (let c = 0; c < 3; c += 1)
          score += map.query_parts[3 * i + c] * map.key_parts[3 * j + c];
        assert.ok(near(map.scores[6 * i + j], score, 1e-5));
      }
    }
    assert.equal(mapOf({ d_k: 64 }).key_parts.length, 24);
  });

  test(`${variant}: a wider head is drawn and not multiplied`, () => {
    const [narrow, wide] = [mapOf({ d_k: 8 }), mapOf({ d_k: 1024 })];
    const ratios = [...wide.scores].map((score, k) => score / narrow.scores[k]);
    assert.ok(Math.max(...ratios) - Math.min(...ratios) > 10);
    const untrained = (d_k, divide) => mapOf({ head: 'untrained', d_k, divide }).mean_largest;
    assert.ok(untrained(1024, false) > 0.9);
    assert.ok(untrained(1024, true) < 0.6);
  });

  test(`${variant}: typed scores are taken as they are, and divided`, () => {
    const scores = Float64Array.from({ length: 64 }, (_, k) => k / 7);
    const map = experiments.attentionMap({ words: [0, 1, 2], head: 'typed', d_k: 4, scores });
    assert.deepEqual(
      [...map.scores],
      [0, 1, 2, 8, 9, 10, 16, 17, 18].map((k) => k / 7),
    );
    assert.equal(map.scaled[8], 18 / 7 / 2);
    assert.equal(map.query_parts.length, 0);
  });

  test(`${variant}: each row sums the values by its weights`, () => {
    const { values } = experiments.drawValues({ words: CAT, d_v: 2, seed: 1 });
    assert.equal(values.length, 12);
    assert.deepEqual(values.subarray(0, 2), values.subarray(8, 10), 'equal words, equal values');
    for (const value of values) assert.equal(value, Math.round(10 * value) / 10);
    const map = mapOf({ values, d_v: 2, mask: { causal: true } });
    for (let i = 0; i < 6; i += 1) {
      for (let c = 0; c < 2; c += 1) {
        let sum = 0;
        for (let j = 0; j < 6; j += 1) sum += map.weights[6 * i + j] * values[2 * j + c];
        assert.ok(near(map.outputs[2 * i + c], sum));
      }
    }
    assert.deepEqual(map.outputs.subarray(0, 2), values.subarray(0, 2), 'the first sees itself');
    assert.equal(mapOf().outputs.length, 0);
  });

  test(`${variant}: the masks together, and a row that sees nothing`, () => {
    const documents = [0, 0, 0, 1, 1, 1];
    const map = mapOf({
      mask: {
        causal: true,
        window: 2,
        key_valid: [true, true, true, true, true, false],
        query_document: documents,
        key_document: documents,
      },
    });
    assert.equal(map.hidden_by[5], 15);
    assert.equal(map.hidden_by[3 * 6 + 2], 8);
    assert.equal(map.hidden_by[2 * 6], 4);
    assert.equal(map.hidden_by[5 * 6 + 5], 2);
    const none = mapOf({ mask: { key_valid: CAT.map(() => false) } });
    assert.ok(none.weights.every((weight) => weight === 0));
    assert.ok(none.hidden_weight.every((weight) => near(weight, 1)));
    assert.equal(none.mean_largest, 0);
  });

  test(`${variant}: what cannot be drawn is refused by name`, () => {
    refused(() => mapOf({ words: [], vectors: new Float32Array(WIDTH) }), 'out_of_range', 'words');
    const many = new Array(257).fill(0);
    refused(() => mapOf({ words: many, vectors: new Float32Array(WIDTH) }), 'too_large', 'words');
    refused(() => mapOf({ words: [0, 7] }), 'out_of_range', 'words');
    refused(() => mapOf({ d_k: 0 }), 'out_of_range', 'd_k');
    refused(() => mapOf({ d_k: 1025 }), 'too_large', 'd_k');
    refused(() => mapOf({ head: 'induction', vectors: [] }), 'bad_argument', 'head');
    const short = new Float32Array(WIDTH);
    refused(() => mapOf({ vectors: short }), 'shape_mismatch', 'vectors');
    refused(() => mapOf({ vectors: new Float32Array(WIDTH + 1) }), 'shape_mismatch', 'vectors');
    refused(() => mapOf({ mask: { window: 0 } }), 'out_of_range', 'mask.window');
    refused(() => mapOf({ mask: { key_valid: [true] } }), 'shape_mismatch', 'mask.key_valid');
    const typed = (words, scores) => () =>
      experiments.attentionMap({ words, head: 'typed', d_k: 4, scores });
    refused(typed([0, 1], new Float64Array(4)), 'shape_mismatch', 'scores');
    refused(typed(new Array(9).fill(0), new Float64Array(64)), 'too_large', 'words');
    refused(typed([0], new Float64Array(64).fill(NaN)), 'not_finite', 'scores');
    refused(() => drawn('typed', 3), 'bad_argument', 'head');
    refused(() => drawn('content', 257), 'too_large', 'n');
    refused(() => drawn('content', 3, 1, 1025), 'too_large', 'width');
    refused(() => drawn('content', 3, -1), 'out_of_range', 'seed');
    const short2 = new Float64Array(11);
    refused(() => mapOf({ values: short2, d_v: 2 }), 'shape_mismatch', 'values');
    refused(() => mapOf({ d_v: 2 }), 'bad_argument', 'values');
    refused(() => mapOf({ values: short2, d_v: 9 }), 'too_large', 'd_v');
    const valuesOf = (more) => () =>
      experiments.drawValues({ words: CAT, d_v: 2, seed: 1, ...more });
    refused(valuesOf({ words: [0, 9] }), 'out_of_range', 'words');
    refused(valuesOf({ d_v: 0 }), 'out_of_range', 'd_v');
    refused(valuesOf({ seed: -1 }), 'out_of_range', 'seed');
  });
}
