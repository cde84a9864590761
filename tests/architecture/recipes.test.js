import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, recipes } from '../../web/pages/embed/recipes.js';
import { filesBelow, read } from './files.js';

/** The lines of a text without their indentation: a page of HTML indents what a recipe prints. */
const lines = (text) => text.split('\n').map((line) => line.trim());

/** What a source says; a notebook says it in its cells. */
function said(file) {
  const text = read(file);
  if (!file.endsWith('.ipynb')) return text;
  return JSON.parse(text)
    .cells.map(({ source }) => [source].flat().join(''))
    .join('\n');
}

/** Whether a recipe's code stands in a source, line by line. */
const stands = (code, text) =>
  `\n${lines(text).join('\n')}\n`.includes(`\n${lines(code).join('\n')}\n`);

for (const { id, title, steps, frame } of recipes()) {
  test(`${title}: the code as printed is the code of the page that is tested`, () => {
    for (const { file, code } of [...steps, frame].filter(Boolean)) {
      const source = `tests/browser/hosts/${id}/${file}`;
      assert.ok(stands(code, said(source)), `${source} does not hold\n${code}`);
    }
  });
}

test('a recipe that is printed otherwise than it is tested is caught', () => {
  assert.equal(stands('<a>\n</a>', '<p>\n  <a>\n  </a>\n</p>'), true);
  assert.equal(stands('<a>\n</a>', '<p>\n  <a >\n  </a>\n</p>'), false);
  assert.equal(stands('<a>', '<p><a></p>'), false);
});

test('the pages of other people’s tools ask nobody else for anything, and are small', () => {
  const files = filesBelow('tests/browser/hosts').filter((file) => file.includes('/output/'));
  assert.ok(files.length > 10);
  const texts = files.filter((file) => !file.endsWith('.png')).map((file) => [file, read(file)]);
  const loads = /(?:src|href)="(https?:\/\/[^"]+)"/g;
  const elsewhere = texts
    .filter(([file]) => file.endsWith('.html'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)].flatMap(([tag]) =>
        [...tag.matchAll(loads)].map(([, address]) => `${file}: ${address}`),
      ),
    )
    .filter((line) => !line.includes(`: ${SITE}/`) && !line.includes(': https://course.example/'));
  assert.deepEqual(elsewhere, []);
  const bytes = texts.reduce((sum, [, text]) => sum + text.length, 0);
  assert.ok(bytes < 1_500_000, `${bytes} bytes`);
});
