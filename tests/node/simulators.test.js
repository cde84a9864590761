/** What the models of simulators answer, without a page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AttentionDeckError } from '../../web/runtime/index.js';
import { toCSV } from '../../web/shared/export.js';
import { stateOfCase } from '../../web/shared/opening.js';
import { model as decode } from '../../web/simulators/decode/decode.model.js';
import { model as gradient } from '../../web/simulators/gradient/gradient.model.js';
import { FIELDS, model as kvCache } from '../../web/simulators/kv-cache/kv-cache.model.js';
import { loadModules, models } from '../architecture/figures.js';

const modules = await loadModules();
const { bill: bills } = modules;
const computed = (model, state) =>
  model.compute(modules[model.module ?? 'core'], { ...structuredClone(model.defaults), ...state });

const WEIGHTS = ['parameters', 'active_parameters'];

/** What the cache's simulator makes of a file that tells these fields of a model and no weights. */
function readFields(model, untold = []) {
  const missing = [...untold, ...WEIGHTS];
  const told = { ...model, ...Object.fromEntries(missing.map((field) => [field, 0])) };
  const files = {
    readModel: () => ({ needs_bytes: 0, model: told, architecture: 'file', notes: [], missing }),
  };
  const empty = { bytes: new Uint8Array(), size: 0 };
  return kvCache.file.read(bills, empty, kvCache.defaults, files);
}

const taken = /those of (.*) are taken/;

test('of two published models that a file cannot tell apart the weights of neither are taken', async () => {
  const rows = bills.publishedModels();
  let alike = 0;
  for (const untold of [[], ['max_tokens'], ['d_model'], ['max_tokens', 'd_model']]) {
    const told = FIELDS.filter((field) => !untold.includes(field));
    const answers = new Map();
    for (const row of rows) answers.set(row.id, await readFields(row.model, untold));
    for (const one of rows) {
      const { fields, lines } = answers.get(one.id);
      const twins = rows.filter(
        (other) => other !== one && told.every((field) => one.model[field] === other.model[field]),
      );
      alike += twins.length;
      const name = taken.exec(lines.join(' '))?.[1];
      assert.equal(name, twins.length > 0 ? undefined : one.name, `${one.id} without ${untold}`);
      const wanted = twins.length > 0 ? 0 : one.model.parameters / 1e9;
      assert.ok(Math.abs(fields.parameters_b - wanted) < 1e-9, one.id);
    }
  }
  assert.ok(alike > 0, 'there are models that share a shape');
});

test('a width that no published model has is nobody’s', async () => {
  for (const { id, model } of bills.publishedModels()) {
    const { fields, lines } = await readFields({ ...model, d_model: model.d_model + 64 });
    assert.equal(fields.parameters_b, 0, id);
    assert.match(lines.join(' '), /Parameters are not told: type their number here/);
  }
});

/** What was measured of the one model that is timed here; one length was too slow. */
const MEASURED = [
  {
    n: 16,
    without: { tokens: 9, ms: 0.2 },
    with: { tokens: 12, ms: 0.01 },
    ...{ passes_without: 136, passes_with: 16, same_tokens: true },
  },
  {
    n: 32,
    without: { tokens: 25, ms: 0.4 },
    with: { tokens: 31, ms: 0.02 },
    ...{ passes_without: 528, passes_with: 32, same_tokens: true },
  },
  { n: 48, problem: 'too slow' },
];

/** Names all along, or a name and then places in order. */
const isHeader = ([name, ...rest]) =>
  typeof name === 'string' &&
  (rest.every((value) => typeof value === 'string') ||
    rest.every((value, k) => typeof value === 'number' && (k === 0 || value > rest[k - 1])));

test('no row of a table carried away is longer than its header, and none has a hole', async () => {
  for (const [tag, model] of Object.entries(await models())) {
    for (const id of [undefined, ...model.cases.map((each) => each.id)]) {
      const state = id === undefined ? {} : stateOfCase(model, id);
      const measured = tag === 'attn-decode' ? MEASURED : [];
      const rows = model.rows(computed(model, state), measured);
      let width = 0;
      for (const row of rows) {
        // A block of its own may be wider, where its own header is.
        if (isHeader(row)) width = Math.max(width, row.length);
        assert.ok(row.length <= width, `${tag}, ${id}: ${row}`);
        assert.ok(
          Array.from(row).every(
            (value) => ['string', 'number'].includes(typeof value) && !Number.isNaN(value),
          ),
          `${tag}, ${id}: ${row}`,
        );
      }
      const picture = model.picture?.(computed(model, state), measured);
      for (const row of picture?.rows ?? [])
        assert.equal(row.length, picture.head.length, `${tag}, ${id}, picture: ${row}`);
    }
  }
});

test('the table of the gradient ends where the longest path does', () => {
  const numbers = computed(gradient, { n: 8 });
  const rows = gradient.rows(numbers);
  const last = Object.fromEntries(rows[0].map((name, i) => [name, rows.at(-1)[i]]));
  const [bias] = rows[0].filter((name) => name.startsWith('LSTM, bias'));
  assert.equal(last.tokens, 8);
  assert.equal(last[bias], numbers.curves.lstm[8]);
  assert.equal(last.attention, '');
});

test('the sentence of the gradient follows each slider', () => {
  const said = (state) => gradient.sentence(computed(gradient, state));
  const before = said({});
  for (const change of [{ n: 65 }, { scale: 1.5 }, { seed: 3 }, { forget_bias: 5 }])
    assert.notEqual(said(change), before, JSON.stringify(change));
  assert.match(said({ forget_bias: 5 }), /at bias 5/);
});

test('once measured, the sentence goes on saying what was counted', () => {
  const said = (state) => decode.sentence(computed(decode, state), MEASURED);
  assert.match(
    said({ step: 3, n: 80 }),
    /^The same tokens either way; 80 tokens take 3,240 token passes .* Here a step took 200\sµs at 9 tokens and 400\sµs at 25 tokens without the cache, 10\sµs at 12 tokens and 20\sµs at 31 tokens with it\.$/,
  );
  assert.match(
    said({ step: 0, n: 10 }),
    /^Nothing is written yet\. 10 tokens take 55 token passes/,
  );
});

test('times stand under headings of their own', () => {
  const rows = decode.rows(computed(decode, {}), MEASURED);
  const head = rows.findIndex((row) => row[0] === 'tokens without');
  assert.deepEqual(rows[head], ['tokens without', 'ms without', 'tokens with', 'ms with']);
  assert.deepEqual(rows.slice(head + 1), [
    [9, 0.2, 12, 0.01],
    [25, 0.4, 31, 0.02],
  ]);
  assert.ok(!toCSV(decode.rows(computed(decode, {}))).includes('ms'));
});

test('one is one token, one layer, one pass', () => {
  const said = (model, state) => model.sentence(computed(model, state));
  assert.match(said(decode, { n: 1 }), /1 token takes 1 token pass without the cache, 1 with it/);
  assert.match(
    said(kvCache, { view: 'roofline', sequences: 1 }),
    /^Each step of 1 token waits for bandwidth/,
  );
});

test('a table says nothing of a fit that hangs on weights which nobody told', () => {
  const untold = { parameters_b: 0, active_b: 0 };
  const of = (state) => {
    const rows = kvCache.rows(computed(kvCache, state));
    const first = Object.fromEntries(rows[0].map((name, i) => [name, rows[1][i]]));
    return { ...first, ...Object.fromEntries(rows.filter(({ length }) => length === 2)) };
  };
  const known = of({});
  assert.equal(known.fits, 'yes');
  assert.equal(known.token_bytes, 131072);
  assert.equal(known.needed_bytes, 34359738368);
  assert.equal(known.allocated_bytes, 34359738368);
  assert.equal(known.weight_bytes, 16e9);
  assert.equal(known.total_bytes, 50359738368);
  assert.equal(known.memory_bytes, 80e9);
  const unknown = of(untold);
  assert.equal(unknown.fits, 'weights not told');
  assert.equal(unknown.requests_that_fit, 'weights not told');
  // What is too large alone is too large with weights as well.
  assert.equal(of({ ...untold, scheme: 'mha' }).fits, 'no');
});

test('a comparison that the module refuses is told; a fault of ours, or a stopped module, is not hidden', () => {
  const failing = (error) => ({
    ...Object.fromEntries(
      ['publishedModels', 'accelerators', 'schemeBills', 'numberFormats'].map((name) => [
        name,
        (options) => bills[name](options),
      ]),
    ),
    bill(plan) {
      if (plan.scheme === 'mha') throw error;
      return bills.bill(plan);
    },
  });
  const ask = (error) => kvCache.compute(failing(error), kvCache.defaults);
  const refusal = new AttentionDeckError('too_large', 'tokens are too many.', { field: 'tokens' });
  assert.deepEqual(ask(refusal).other, { problem: 'tokens are too many.' });
  assert.throws(() => ask(new TypeError('a fault of ours')), TypeError);
  assert.throws(() => ask(new AttentionDeckError('aborted', 'The module stopped.')), {
    code: 'aborted',
  });
});
