/** The controls as they are drawn, without a page: at rest, and where what was chosen is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { parseFragment } from 'parse5';

import { select } from '../../web/shared/controls.js';
import { attribute, elementsBelow } from '../architecture/slides.js';

const list = { path: 'format', value: 'f16', label: 'cache', name: 'cache format', options: [] };
const drawn = async (ui) => {
  const html = await collectResult(render(select(ui, list)));
  const [node] = elementsBelow(parseFragment(html), ({ tagName }) => tagName === 'select');
  return (name) => attribute(node, name);
};
const live = (problems) => ({ problems: new Map(problems), choose() {} });

test('a list that is not live cannot be opened', async () => {
  assert.notEqual((await drawn(undefined))('disabled'), undefined);
  assert.equal((await drawn(live([])))('disabled'), undefined);
});

test('a list whose choice is refused says so, and where why', async () => {
  const right = await drawn(live([]));
  assert.equal(right('aria-invalid'), undefined);
  assert.equal(right('aria-describedby'), undefined);
  const wrong = await drawn(live([['format', 'That is no format.']]));
  assert.equal(wrong('aria-invalid'), 'true');
  assert.equal(wrong('aria-describedby'), 'problem-format');
});
