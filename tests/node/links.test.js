/**
 * Links that were copied once open for good: states as links of version 1 carried them in November 2026, one for each simulator. They are
 * a record and are not to be made anew; what makes the version rise is in DECISIONS.md.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { LINK_VERSION, decodeState, stateFromAddress } from '../../web/shared/permalink.js';
import { checkState } from '../../web/shared/schema.js';
import { loadModules, models } from '../architecture/figures.js';

const { links } = JSON.parse(
  readFileSync(new URL('links-of-version-1.json', import.meta.url), 'utf8'),
);
const [modules, byTag] = await Promise.all([loadModules(), models()]);

test('the record is of version 1 and tells of many simulators', () => {
  assert.ok(links.length >= 26);
  for (const { link } of links) assert.match(link, /^1\./);
  assert.ok(LINK_VERSION >= 1);
});

for (const { tag, link, state } of links) {
  test(`a link to <${tag}> that was copied in November 2026 still opens, and its state still computes`, () => {
    const model = byTag[tag];
    assert.ok(model, `${tag} is gone`);
    const address = `https://lecture.example/simulators/x.html?${tag}=${link}`;
    const { raw, problem } = stateFromAddress(tag, address);
    assert.equal(problem, undefined);
    const opened = checkState(model.schema, model.defaults, raw);
    assert.deepEqual(opened.problems, []);
    // Fields that came later have their defaults.
    assert.deepEqual({ ...opened.state, ...state }, opened.state);
    const numbers = model.compute(modules[model.module ?? 'core'], opened.state);
    assert.ok(model.sentence(numbers).length > 10);
  });
}

test('a link whose field is gone, or whose version nobody knows, is refused', () => {
  const [{ tag, link }] = links;
  const { schema, defaults } = byTag[tag];
  const { raw } = decodeState(link);
  assert.equal(checkState(schema, defaults, { ...raw, gone: 1 }).problems.length, 1);
  assert.match(decodeState(link.replace(/^1/, '2')).problem, /version 2/);
});
