import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { checkDeck, readSlide, rowProblems, strayDigits } from './figure-check.js';
import { loadFigures } from './figures.js';
import { ROOT, read } from './files.js';
import { allSlides, attribute, elementsBelow } from './slides.js';

let deck;
before(async () => {
  deck = { slides: allSlides(), ...(await loadFigures()) };
});

const none = (complaints) => assert.equal(complaints.join('\n'), '');

test('each golden row, computed by the module, is the row that the files hold', () => {
  none(deck.failures);
  assert.ok(deck.values.size > 20, `only ${deck.values.size} rows are recomputed`);
  none(
    deck.rows
      .filter(({ id }) => deck.values.has(id))
      .flatMap((row) => rowProblems(row, deck.values.get(row.id))),
  );
});

test('each golden row of the slides present is recomputed through the module', () => {
  const present = new Set(deck.slides.map(({ slide }) => slide));
  const wanted = deck.rows.filter(
    ({ slide, role, tolerance_kind: kind }) =>
      present.has(String(slide)) && role === 'shown' && kind !== 'none',
  );
  assert.deepEqual(
    wanted.filter(({ id }) => !deck.values.has(id)).map(({ id }) => id),
    [],
  );
});

test('the figures on the slides are what the module computes, and every digit is accounted for', () => {
  assert.ok(deck.slides.length > 0, 'no slide found');
  assert.ok(
    deck.slides.flatMap((slide) => readSlide(slide).figures).length > 10,
    'the slides state hardly any figure',
  );
  none(checkDeck(deck));
});

test('changing any digit of any figure is caught', () => {
  let changed = 0;
  for (const { node, slide } of deck.slides) {
    for (const figure of elementsBelow(
      node,
      (item) => attribute(item, 'data-figure') !== undefined,
    )) {
      for (const leaf of leaves(figure)) {
        const original = leaf.value;
        for (let index = 0; index < original.length; index += 1) {
          if (!/\d/.test(original[index])) continue;
          const digit = String((Number(original[index]) + 1) % 10);
          leaf.value = original.slice(0, index) + digit + original.slice(index + 1);
          const problem = checkDeck({ ...deck, slides: [{ slide, node }] }).some((text) =>
            text.includes(attribute(figure, 'data-figure')),
          );
          leaf.value = original;
          assert.ok(
            problem,
            `slide ${slide}: ${original} with digit ${index} changed passes unseen`,
          );
          changed += 1;
        }
      }
    }
  }
  assert.ok(changed > 30, `only ${changed} digits were tried`);
});

test('dropping the id of any figure is caught', () => {
  let dropped = 0;
  for (const { node, slide } of deck.slides) {
    for (const figure of elementsBelow(
      node,
      (item) => attribute(item, 'data-figure') !== undefined,
    )) {
      const holder = figure.attrs.find(({ name }) => name === 'data-figure');
      if (
        !/\p{N}/u.test(
          leaves(figure)
            .map(({ value }) => value)
            .join(''),
        )
      )
        continue;
      holder.name = 'data-was-figure';
      const { stray } = strayDigits(readSlide({ node }).text, deck.numbers[slide] ?? []);
      const complaints = checkDeck(deck);
      holder.name = 'data-figure';
      assert.ok(
        stray.length > 0 || complaints.length > 0,
        `slide ${slide}: ${holder.value} without its id passes unseen`,
      );
      dropped += 1;
    }
  }
  assert.ok(dropped > 10, `only ${dropped} figures were tried`);
});

function leaves(node) {
  if (node.nodeName === '#text') return [node];
  return (node.childNodes ?? []).flatMap(leaves);
}

test('every list about the slides is read', () => {
  for (const file of ['slides/numbers.json', 'slides/left-out.json', 'slides/index.json']) {
    assert.ok(existsSync(path.join(ROOT, file)), `${file} is missing`);
    JSON.parse(read(file));
  }
});
