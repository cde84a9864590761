import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFragment } from 'parse5';
import { read } from './files.js';
import { allSlides, attribute, elementsBelow, slideFiles, walk } from './slides.js';

const FORBIDDEN = new Set([
  'script',
  'style',
  'link',
  'iframe',
  'object',
  'embed',
  'base',
  'meta',
  'form',
]);

/** What a slide file holds besides tags and text. */
export function slideComplaints(file, html) {
  const complaints = [];
  walk(parseFragment(html, { sourceCodeLocationInfo: true }), (node) => {
    if (!node.tagName) return;
    const at = `${file}:${node.sourceCodeLocation?.startLine}`;
    if (FORBIDDEN.has(node.tagName))
      complaints.push(`${at}: <${node.tagName}>; slides use tags only`);
    for (const { name, value } of node.attrs) {
      if (name.startsWith('on')) complaints.push(`${at}: ${name}; slides hold no script`);
      if (name === 'style')
        complaints.push(`${at}: a style attribute; the content policy refuses it`);
      if (
        /^\s*(javascript|data|blob):/i.test(value) &&
        /^(href|src|action|xlink:href)$/.test(name)
      ) {
        complaints.push(`${at}: ${name} leads to ${value.slice(0, 20)}`);
      }
      if (/^(src|srcset|poster)$/.test(name) && /^\s*(https?:)?\/\//.test(value)) {
        complaints.push(`${at}: ${name} loads ${value} from elsewhere`);
      }
    }
  });
  return complaints;
}

const classes = (node) => (attribute(node, 'class') ?? '').split(/\s+/);
const PLAIN = new Set(['1', '2', '10']);

test('slides use tags only', () => {
  const files = slideFiles();
  assert.ok(files.length > 0, 'no slide file found');
  assert.deepEqual(
    files.flatMap((file) => slideComplaints(file, read(file))),
    [],
  );
});

test('a slide with script, style or a foreign source is caught', () => {
  for (const html of [
    '<script>1</script>',
    '<style>p{}</style>',
    '<p onclick="f()">x</p>',
    '<p style="color:red">x</p>',
    '<a href="javascript:f()">x</a>',
    '<img src="https://example.org/x.png" alt="">',
    '<iframe src="x.html"></iframe>',
  ]) {
    assert.equal(slideComplaints('x.html', html).length, 1, html);
  }
  assert.deepEqual(
    slideComplaints('x.html', '<p class="a"><attn-query case="a"></attn-query></p>'),
    [],
  );
});

test('every slide has its number, a claim as its title, notes, an explanation to read, and its sources', () => {
  const slides = allSlides();
  assert.ok(slides.length > 0, 'no slide found');
  for (const { slide, node, file } of slides) {
    const where = `${file}, slide ${slide}`;
    assert.equal(attribute(node, 'id'), `slide-${slide}`, where);
    const title = elementsBelow(node, ({ tagName }) => tagName === 'h1' || tagName === 'h2');
    assert.equal(title.length, 1, `${where}: one title`);
    const notes = elementsBelow(
      node,
      (item) => item.tagName === 'aside' && classes(item).includes('notes'),
    );
    assert.equal(notes.length, 1, `${where}: notes`);
    const prose = elementsBelow(node, (item) => classes(item).includes('prose'));
    assert.equal(prose.length, 1, `${where}: a <div class="prose">, for who reads it at home`);
    const states =
      elementsBelow(node, (item) => attribute(item, 'data-figure') !== undefined).length > 0;
    const sources = elementsBelow(
      node,
      (item) => item.tagName === 'p' && classes(item).includes('sources'),
    );
    if (states || !PLAIN.has(slide)) assert.equal(sources.length, 1, `${where}: a sources line`);
  }
  const numbers = slides.map(({ slide }) => slide);
  assert.deepEqual(numbers, [...new Set(numbers)], 'a slide number stands twice');
});

test('the slides of this part of the lecture are all there', () => {
  const numbers = new Set(allSlides().map(({ slide }) => slide));
  const wanted = ['1', '2', '10', '11', '12', '13', '14', '15', '16', '17', '33'];
  assert.deepEqual(
    wanted.filter((slide) => !numbers.has(slide)),
    [],
  );
});
