/** Positions through the module: the cases that others reported, invariants, errors by name. */
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

const near = (a, b, tolerance = 1e-12) =>
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${a}, not ${b}`);

const q = [-1.5, 0, -2, 0, -3.5, 1, -3.5, -0.5];
const k = [0.5, 0.5, -2, -1.5, 1.5, 1.5, 0.5, -3];

for (const variant of variants) {
  const layer = await load('layer', { variant });
  const clocks = (more) => layer.rotaryClocks({ q, k, m: 3, n: 1, ...more });

  test(`${variant}: sinusoidal positions of an odd width have one sine more than cosines`, () => {
    const { P } = layer.sinusoidalPositions({ n: 3, d_model: 5 });
    assert.deepEqual([...P.subarray(0, 5)], [0, 1, 0, 1, 0]);
    const angles = [1, 10000 ** -0.4, 10000 ** -0.8];
    [0, 1, 2].forEach((i) => near(P[5 + 2 * i], Math.sin(angles[i])));
    [0, 1].forEach((i) => near(P[6 + 2 * i], Math.cos(angles[i])));
    refused(() => layer.sinusoidalPositions({ n: 0, d_model: 4 }), 'out_of_range', 'n');
    refused(() => layer.sinusoidalPositions({ n: 4, d_model: 4, base: 1 }), 'out_of_range', 'base');
    refused(() => layer.sinusoidalPositions({ n: 4096, d_model: 65536 }), 'too_large', 'n');
  });

  test(`${variant}: ALiBi’s slopes for 8 heads, and for counts that are no power of two`, () => {
    const slopes = (n_heads) => [...layer.alibiSlopes({ n_heads }).slopes];
    assert.deepEqual(
      slopes(8),
      [1, 2, 3, 4, 5, 6, 7, 8].map((h) => 2 ** -h),
    );
    const twelve = slopes(12);
    assert.deepEqual(twelve.slice(0, 8), slopes(8));
    // Every other one of 16, from the first: as in the paper's code.
    twelve.slice(8).forEach((slope, i) => near(slope, slopes(16)[2 * i]));
    assert.ok(
      Array.from({ length: 40 }, (_, i) => slopes(i + 1))
        .flat()
        .every((s) => s < 1),
    );
    refused(() => slopes(0), 'out_of_range', 'n_heads');
  });

  test(`${variant}: the score depends on the offset alone in each convention, and mixed fails`, () => {
    for (const pairing of ['interleaved', 'half-split']) {
      for (const scaling of ['none', 'linear', 'ntk', 'yarn']) {
        const { change, difference } = clocks({ pairing, scaling, factor: 4, shift: 997 });
        assert.equal(change, 0);
        assert.ok(Math.abs(difference) < 1e-10, `${pairing}, ${scaling}: ${difference}`);
      }
    }
    const mixed = clocks({ pairing: 'mixed', shift: 7 });
    assert.equal(mixed.change, -1);
    near(mixed.score, -6.889444069809631, 1e-11);
  });

  test(`${variant}: dynamic NTK turns slower once the text is longer than in training`, () => {
    const at = (shift) => clocks({ scaling: 'dynamic-ntk', factor: 2, original_length: 64, shift });
    assert.equal(at(60).base, 10000);
    assert.equal(at(60).change, 0);
    near(at(124).base, 10000 * 3 ** (8 / 6));
    assert.notEqual(at(124).change, 0);
    // Positions are divided by interpolation alone: the fastest pair keeps its speed.
    assert.equal(at(124).frequencies[0], 1);
    assert.equal(clocks({ scaling: 'linear', factor: 4 }).frequencies[0], 0.25);
  });

  test(`${variant}: YaRN’s factor on cosine and sine, or its square on the softmax`, () => {
    const t = 0.1 * Math.log(40) + 1;
    const yarn = (more) => clocks({ scaling: 'yarn', factor: 40, ...more });
    const paper = yarn({});
    const equal = yarn({ mscale: 1, mscale_all_dim: 1 });
    near(paper.rotary_factor, t);
    assert.equal(paper.softmax_factor, 1);
    assert.equal(equal.rotary_factor, 1);
    near(equal.softmax_factor, t * t);
    near(paper.score, equal.score);
  });

  test(`${variant}: a sentence without positions is blind to its order, with a causal mask not`, () => {
    const seen = (more) => layer.positionSchemes({ ids: [0, 1, 2], arrangement: 5, ...more });
    assert.deepEqual([...seen().order], [2, 1, 0]);
    // Reversed, every distance is what it was: ALiBi is blind as well.
    assert.deepEqual([...seen().notices], [1, 1, 0, 1, 0]);
    assert.deepEqual([...seen({ causal: true }).notices], [1, 1, 1, 1, 1]);
    assert.deepEqual([...seen({ query_at: 400 }).moves], [1, 1, 0, 0, 0]);
    assert.equal(seen({ arrangement: 99 }).arrangement, 3);
  });

  test(`${variant}: what makes no sense is refused by name`, () => {
    const ask = (more) => () => clocks(more);
    refused(ask({ q: [1, 2, 3], k: [1, 2, 3] }), 'shape_mismatch', 'q');
    refused(ask({ k: [1, 2] }), 'shape_mismatch', 'k');
    refused(ask({ k: undefined }), 'bad_argument', 'k');
    refused(ask({ m: -1 }), 'out_of_range', 'm');
    refused(ask({ m: 2 ** 23 }), 'too_large', 'm');
    refused(ask({ base: 1 }), 'out_of_range', 'base');
    refused(ask({ factor: 0.5 }), 'out_of_range', 'factor');
    refused(ask({ scaling: 'ntk-aware' }), 'bad_argument', 'scaling');
    refused(ask({ pairing: 'both' }), 'bad_argument', 'pairing');
    refused(ask({ reach: 1025 }), 'too_large', 'reach');
    const order = (more) => () => layer.positionSchemes({ ids: [0, 1, 2], ...more });
    refused(order({ ids: [0] }), 'out_of_range', 'ids');
    refused(order({ ids: [0, 5] }), 'out_of_range', 'ids[1]');
    refused(order({ ids: undefined }), 'bad_argument', 'ids');
    refused(order({ query_at: 512 }), 'too_large', 'query_at');
    refused(order({ query_at: 8 }), 'too_large', 'reach');
    refused(order({ alibi_head: 9 }), 'too_large', 'alibi_head');
  });
}
