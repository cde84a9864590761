/** How far a gradient reaches, through the module: shapes, ends, errors by name. */
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

for (const variant of variants) {
  const experiments = await load('experiments', { variant });

  test(`${variant}: every path starts at 1 and its ends are those of runs of their own`, () => {
    const reach = experiments.gradientReach({ n: 64, lengths: [8, 64, 256], seeds: 20 });
    for (const name of ['plain', 'lower', 'median', 'upper', 'cell_path', 'lstm']) {
      assert.ok(Math.abs(reach[name][0] - 1) < 1e-15, name);
      assert.equal(reach[`${name}_ends`][1], reach[name].at(-1), name);
      assert.equal(reach[`${name}_ends`].length, 3);
    }
    assert.equal(reach.plain.length, 64);
    assert.equal(reach.cell_path.length, 65, 'from c_64 to c_0');
    assert.ok(reach.attention.every((norm) => Math.abs(norm * 64 - 1) < 1e-13));
    const alone = experiments.gradientReach({ n: 8, lengths: [], seeds: 20 });
    assert.equal(alone.plain_ends.length, 0);
    for (const name of ['plain', 'median', 'lstm', 'attention'])
      assert.equal(alone[name].at(-1), reach[`${name}_ends`][0], name);
  });

  test(`${variant}: the spread is over the seeds asked for, and none may be`, () => {
    const one = experiments.gradientReach({ n: 32, lengths: [], seed: 1, seeds: 1 });
    assert.deepEqual(one.median, one.plain);
    assert.deepEqual(one.lower, one.upper);
    assert.equal(experiments.gradientReach({ n: 32, lengths: [], seeds: 0 }).median.length, 0);
  });

  test(`${variant}: smaller weights vanish sooner, an open forget gate carries further`, () => {
    const left = (more) => experiments.gradientReach({ n: 1, lengths: [256], seeds: 100, ...more });
    const medians = [0.9, 1, 1.1, 2].map((scale) => left({ scale }).median_ends[0]);
    assert.deepEqual(
      medians,
      medians.toSorted((a, b) => a - b),
    );
    assert.ok(medians[0] < 1e-20 && medians[3] > 1);
    const open = [1, 2, 3, 4, 5].map((forget_bias) => left({ forget_bias }).lstm_ends[0]);
    assert.deepEqual(
      open,
      open.toSorted((a, b) => a - b),
    );
  });

  test(`${variant}: what makes no sense is refused by name`, () => {
    const ask = (more) => () => experiments.gradientReach({ n: 8, lengths: [], ...more });
    refused(ask({ n: 0 }), 'out_of_range', 'n');
    refused(ask({ n: 4097 }), 'too_large', 'n');
    refused(ask({ lengths: [8, 0] }), 'out_of_range', 'lengths[1]');
    refused(ask({ lengths: undefined }), 'bad_argument', 'lengths');
    refused(ask({ scale: -1 }), 'out_of_range', 'scale');
    refused(ask({ scale: Number.NaN }), 'not_finite', 'scale');
    refused(ask({ seeds: 1001 }), 'too_large', 'seeds');
    refused(ask({ seed: 1.5 }), 'out_of_range', 'seed');
    refused(ask({ forget_gate: 1.01 }), 'out_of_range', 'forget_gate');
    refused(ask({ forget_bias: 21 }), 'out_of_range', 'forget_bias');
  });
}
