/** The experiments with scores, their softmax and its gradient, through the module: answers, limits, errors by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { model as saturation } from '../../web/simulators/saturation/saturation.model.js';
import { model as sqrtDk } from '../../web/simulators/sqrt-dk/sqrt-dk.model.js';
import { variants } from './support.js';

const refused = (call, code, field) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionDeckError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.field, field);
    return true;
  });

for (const variant of variants) {
  const experiments = await load('experiments', { variant });
  const core = await load('core', { variant });

  test(`${variant}: the gradient is that of the scores which enter the softmax`, () => {
    const [rows, keys, d_k, seed] = [6, 4, 5, 11];
    const run = experiments.scalingExperiment({ d_k, keys, rows, seed });
    assert.equal(run.rows, rows);
    assert.deepEqual([...run.divisors], [1, Math.sqrt(5), 5]);
    const numbers = core.randomNormals({ seed, count: rows * (d_k + keys * d_k + keys) });
    const dAs = numbers.subarray(rows * d_k * (1 + keys));
    for (let i = 0; i < rows; i += 1) {
      const from = rows * d_k + i * keys * d_k;
      const { weights } = core.attention({
        Q: numbers.slice(i * d_k, (i + 1) * d_k),
        K: numbers.slice(from, from + keys * d_k),
        V: new Float64Array(keys),
        n_q: 1,
        n_k: keys,
        d_k,
        d_v: 1,
      });
      const dA = dAs.slice(i * keys, (i + 1) * keys);
      const { dS } = core.softmaxBackward({ A: weights, dA, n: 1, m: keys });
      const at = rows + i;
      assert.ok(Math.abs(run.row_largest_weights[at] / Math.max(...weights) - 1) < 1e-12);
      assert.ok(Math.abs(run.row_gradient_norms[at] / Math.hypot(...dS) - 1) < 1e-10);
    }
  });

  test(`${variant}: any seed lies where the seeds of the notes lie`, () => {
    // 95 % intervals over seeds 1 to 200, figures.md, made wider by half: one seed in a hundred may lie outside the former.
    const [largest, gradient, dead] = [
      [0.88, 0.97],
      [0.02, 0.11],
      [7, 24],
    ];
    for (const seed of [1, 2, 3, 1000, 123456]) {
      const run = experiments.scalingExperiment({ d_k: 64, seed });
      const inside = ([low, high], value) => assert.ok(value > low && value < high, `${value}`);
      inside(largest, run.largest_weights[0]);
      inside(gradient, run.gradient_norms[0]);
      inside(dead, run.dead_percents[0]);
      assert.ok(run.dead_percents[1] === 0 && run.dead_percents[2] === 0);
    }
  });

  test(`${variant}: while a slider moves fewer rows are run, and the numbers say so`, () => {
    const state = { ...sqrtDk.defaults, d_k: 1024, seed: 952 };
    const [moving, still] = [true, false].map((flag) =>
      sqrtDk.compute(experiments, state, { moving: flag }),
    );
    assert.equal(still.rows, 200);
    assert.ok(moving.rows > 10 && moving.rows < 60);
    assert.match(sqrtDk.sentence(moving), /, \d\d rows of 200, while the slider moves:/);
    assert.doesNotMatch(sqrtDk.sentence(still), /while/);
    assert.equal(sqrtDk.compute(experiments, sqrtDk.defaults, { moving: true }).rows, 200);
  });

  test(`${variant}: the way back of a known row`, () => {
    // Hard case N5, step by step and by the call of the core.
    const [S, dA] = [Float64Array.of(1, 2, 3), Float64Array.of(1, 0, 0)];
    const back = experiments.softmaxWayBack({ S, dA, n: 1, m: 3 });
    const { dS } = core.softmaxBackward({ A: back.A, dA, n: 1, m: 3 });
    assert.deepEqual(back.dS, dS);
    const right = [0.081925, -0.022033, -0.059892];
    assert.ok(right.every((value, j) => Math.abs(dS[j] - value) < 5e-7));
    assert.ok(Math.abs(back.sums[0]) < 1e-16);
  });

  test(`${variant}: the scores of the simulator are those drawn, to four places`, () => {
    const places = (values) => [...values].map((value) => Number(value.toFixed(4)));
    for (const [id, factor] of [
      ['once', 1],
      ['hundred', 100],
    ]) {
      const drawn = experiments.drawnScores({ seed: 53914569, n: 5, d_k: 8, factor });
      const { state } = saturation.cases.find((item) => item.id === id);
      assert.deepEqual(state.S.flat(), places(drawn.S));
      assert.deepEqual(state.dA.flat(), places(drawn.dA));
    }
  });

  test(`${variant}: what makes no sense is refused by name`, () => {
    const run = (more) => () => experiments.scalingExperiment({ d_k: 4, ...more });
    refused(run({ d_k: 0 }), 'out_of_range', 'd_k');
    refused(run({ d_k: 4097 }), 'too_large', 'd_k');
    refused(run({ keys: 257 }), 'too_large', 'keys');
    refused(run({ rows: 2001 }), 'too_large', 'rows');
    refused(run({ d_k: 4096, keys: 256, rows: 2000 }), 'too_large', 'rows');
    refused(run({ seed: -1 }), 'out_of_range', 'seed');
    refused(run({ bins: 0 }), 'out_of_range', 'bins');
    const known = (more) => () => experiments.scoreStatistics({ d_k: 4, keys: 2, gap: 1, ...more });
    refused(known({ gap: -1 }), 'out_of_range', 'gap');
    refused(known({ gap: undefined }), 'bad_argument', 'gap');
    const quantiles = (more) => () =>
      experiments.quantiles({ values: [1, 2], shares: [0.5], ...more });
    refused(quantiles({ values: [] }), 'out_of_range', 'values');
    refused(quantiles({ shares: [2] }), 'out_of_range', 'shares[0]');
    refused(quantiles({ values: undefined }), 'bad_argument', 'values');
    const drawn = (more) => () =>
      experiments.drawnScores({ seed: 1, n: 2, d_k: 2, factor: 1, ...more });
    refused(drawn({ n: 65 }), 'too_large', 'n');
    refused(drawn({ factor: 1e5 }), 'out_of_range', 'factor');
  });
}
