/** What the models of simulators answer, without a page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { FIELDS, model as kvCache } from '../../web/simulators/kv-cache/kv-cache.model.js';

const cache = await load('cache');

const WEIGHTS = ['parameters', 'active_parameters'];

/** What the cache's simulator makes of a file that tells these fields of a model and no weights. */
function readFields(model, untold = []) {
  const missing = [...untold, ...WEIGHTS];
  const told = { ...model, ...Object.fromEntries(missing.map((field) => [field, 0])) };
  const reader = {
    publishedModels: () => cache.publishedModels(),
    accelerators: () => cache.accelerators(),
    readModel: () => ({ needs_bytes: 0, model: told, architecture: 'file', notes: [], missing }),
  };
  return kvCache.file.read(reader, { bytes: new Uint8Array(), size: 0 });
}

const taken = /those of (.*) are taken/;

test('of two published models that a file cannot tell apart the weights of neither are taken', () => {
  const rows = cache.publishedModels();
  let alike = 0;
  for (const untold of [[], ['max_tokens'], ['d_model'], ['max_tokens', 'd_model']]) {
    const told = FIELDS.filter((field) => !untold.includes(field));
    const answers = new Map(rows.map((row) => [row.id, readFields(row.model, untold)]));
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

test('a width that no published model has is nobody’s', () => {
  for (const { id, model } of cache.publishedModels()) {
    const { fields, lines } = readFields({ ...model, d_model: model.d_model + 64 });
    assert.equal(fields.parameters_b, 0, id);
    assert.match(lines.join(' '), /Parameters are not told: type their number here/);
  }
});
