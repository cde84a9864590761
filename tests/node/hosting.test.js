/** What the service worker keeps of the site, and what its pages link to last (web/build/site/hosting.mjs). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenKept } from '../../web/build/site/hosting.mjs';
import { decode85, encode85 } from '../../web/single/base85.js';
import { fillSingleLinks } from '../../web/build/site/single-links.mjs';

const names = [
  'index.html',
  'lecture.html',
  'tokens.html',
  'read/tokens.html',
  'simulators/tokens.html',
  'pt-BR/tokens.html',
  'pt-BR/index.html',
  'pt-BR/simulators/tokens.html',
  'pt-BR/elements/tokens.html',
  'elements/tokens.html',
  'embed.html',
  'sw.js',
  'attention-deck.js',
  'assets/tokens-12345678.js',
  'assets/gpt2-12345678.bpe',
  'assets/o200k-12345678.bpe',
  'assets/core.scalar-12345678.wasm',
  'assets/core.simd-12345678.wasm',
  'assets/core.relaxed-12345678.js',
  'assets/cache.relaxed-12345678.wasm',
];
const when = (file) => whenKept(file, names).join(' ');

test('pages, scripts and GPT-2’s vocabulary are kept from the start', () => {
  for (const file of [
    'index.html',
    'read/tokens.html',
    'simulators/tokens.html',
    'pt-BR/index.html',
    'pt-BR/simulators/tokens.html',
    'attention-deck.js',
    'assets/tokens-12345678.js',
    'assets/gpt2-12345678.bpe',
  ])
    assert.equal(when(file), 'now', file);
});

test('large vocabularies and pages for hosts are kept once they were used', () => {
  for (const file of [
    'assets/o200k-12345678.bpe',
    'embed.html',
    'elements/tokens.html',
    'pt-BR/elements/tokens.html',
  ])
    assert.equal(when(file), 'used', file);
});

test('what is whole by itself, and the worker, are never kept', () => {
  for (const file of ['lecture.html', 'tokens.html', 'pt-BR/tokens.html', 'sw.js'])
    assert.equal(when(file), '', file);
});

test('a module is kept in its variant, and one file stands for two that are the same', () => {
  assert.equal(when('assets/core.scalar-12345678.wasm'), 'scalar');
  assert.equal(when('assets/core.simd-12345678.wasm'), 'simd relaxed');
  assert.equal(when('assets/core.relaxed-12345678.js'), 'scalar simd relaxed');
  assert.equal(when('assets/cache.relaxed-12345678.wasm'), 'scalar simd relaxed');
});

test('a link to a single file is there with the file, and goes with it', () => {
  const place = (file) =>
    `<p><a href="a.html">A</a> <span data-single="${file}" hidden><a href="${file}" download>${file}</a> (<data value=""
            >?</data
          >)</span></p>`;
  const page = place('lecture.html') + place('query.html');
  const fill = (html, sizes) =>
    fillSingleLinks(
      html,
      (file) => sizes[file],
      (bytes) => `${bytes} B`,
    );
  const filled = fill(page, { 'lecture.html': 12 });
  assert.match(
    filled,
    /<span data-single="lecture.html"><a[^>]*>lecture.html<\/a> \(<data value="12">12 B<\/data>\)/,
  );
  assert.match(filled, /<span data-single="query.html" hidden>/);
  assert.equal(fill(filled, { 'lecture.html': 12 }), filled);
  // Another build, with other files.
  const other = fill(filled, { 'query.html': 34 });
  assert.match(other, /<span data-single="lecture.html" hidden>/);
  assert.match(
    other,
    /<span data-single="query.html"><a[^>]*>query.html<\/a> \(<data value="34">34 B<\/data>\)/,
  );
  assert.equal(fill(other, { 'lecture.html': 12 }), filled);
});

test('bytes of any length come back from the letters that a single file holds them in', () => {
  for (let length = 0; length < 40; length += 1) {
    for (const byte of [0, 255, undefined]) {
      const bytes = Uint8Array.from({ length }, (_, at) => byte ?? (at * 97 + length * 31) % 256);
      const text = encode85(bytes);
      assert.doesNotMatch(text, /[<>&"'\\`!\s-]/);
      assert.deepEqual(decode85(text), bytes);
    }
  }
});
