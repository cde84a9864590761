import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFragment } from 'parse5';
import { checkDeck, displayed, figureProblem, readSlide, rowProblems } from './figure-check.js';
import { slidesOf } from './slides.js';

const none = (complaints) => assert.equal(complaints.join('\n'), '');

test('numbers as slides write them are read to their value and last digit', () => {
  const cases = [
    ['0.620', 0.62, 0.0005],
    ['\u22120.5', -0.5, 0.05],
    ['1,073,741,824', 1073741824, 0.5],
    ['62.0 %', 0.62, 0.0005],
    ['47.5\u00a0%', 0.475, 0.0005],
    ['2.7e\u22125', 2.7e-5, 5e-7],
    ['2.7 × 10⁻⁵', 2.7e-5, 5e-7],
    ['12', 12, 0.5],
  ];
  for (const [text, value, half] of cases) {
    const [number, ...rest] = displayed(text);
    assert.equal(rest.length, 0, text);
    assert.ok(Math.abs(number.value - value) < 1e-12 * Math.abs(value), text);
    assert.ok(Math.abs(number.half - half) < 1e-9 * half, text);
  }
  assert.deepEqual(
    displayed('[0.85, 0.15]').map(({ value }) => value),
    [0.85, 0.15],
  );
});

test('each fault in a deck is named', () => {
  const values = new Map([
    ['w', [0.0743, 0.3057, 0.61998]],
    ['out', [0.8471, 0.1528]],
    ['who', 'river'],
  ]);
  const rows = [
    { id: 'w', slide: 1, role: 'shown' },
    { id: 'out', slide: 9, role: 'shown' },
  ];
  const check = (html, { numbers = {}, leftOut = {}, simulatorFigures = {} } = {}) =>
    checkDeck({
      slides: slidesOf(`<section data-slide="1">${html}</section>`),
      values,
      rows,
      numbers,
      leftOut,
      simulatorFigures,
    });
  const good = '<span data-figure="w">0.074, 0.306, 0.620</span>';
  none(check(good));
  none(check('<span data-figure="w[2]">62 %</span> <m-tex>x^2</m-tex> <code>f(1)</code>'));
  none(check('<attn-x>9</attn-x>', { simulatorFigures: { 'attn-x': ['w'] } }));
  none(check(`${good} in 2017`, { numbers: { 1: [{ text: '2017', source: 'Vaswani et al.' }] } }));
  none(check(`${good} ① score`));
  none(check('nothing', { leftOut: { w: 'not a figure for students' } }));
  const faults = [
    ['<span data-figure="w[2]">0.621</span>'],
    ['<span data-figure="w[2]">0.62</span> and 0.306'],
    ['<span data-figure="w[3]">0.62</span>'],
    ['<span data-figure="v">0.62</span>'],
    ['<span data-figure="w">0.074, 0.306</span>'],
    [`${good} <span data-figure="who">bank</span>`],
    [`${good} in 2017`],
    [`${good} n²`],
    [`${good} <p aria-label="3 keys">keys</p>`],
    [`${good} <aside class="notes">about 5 minutes</aside>`],
    ['nothing'],
    [good, { leftOut: { w: 'not a figure for students' } }],
    ['nothing', { leftOut: { w: 'short' } }],
    [good, { leftOut: { x: 'not a figure for students' } }],
    [good, { leftOut: { out: 'not a figure for students' } }],
    [good, { numbers: { 1: [{ text: '2017', source: 'Vaswani et al.' }] } }],
    [`${good} 2017`, { numbers: { 1: [{ text: '2017', source: '' }] } }],
    [`${good} 2017`, { numbers: { 1: [{ text: '20', source: 'elsewhere' }] } }],
    [`${good} 1.20`, { numbers: { 1: [{ text: '20', source: 'elsewhere' }] } }],
    [good, { numbers: { 2: [{ text: '2017', source: 'Vaswani et al.' }] } }],
  ];
  for (const [html, lists] of faults) {
    assert.ok(check(html, lists).length > 0, `${html} ${JSON.stringify(lists)} passes unseen`);
  }
  assert.equal(figureProblem('w[0', '0.07', values), '“w[0” is not the id of a figure');
});

test('a golden row that the module does not meet is named', () => {
  const row = {
    id: 'r',
    computed: [0.5, 0.25],
    printed: ['0.50', '0.25'],
    status: 'ok',
    tolerance_printed: [0.005, 0.005],
    tolerance_computed: 1e-12,
    tolerance_kind: 'relative',
  };
  none(rowProblems(row, [0.5, 0.25]));
  assert.equal(rowProblems(row, [0.5, 0.2500001]).length, 1);
  assert.equal(rowProblems(row, [0.5]).length, 1);
  assert.equal(rowProblems({ ...row, printed: ['0.51', '0.25'] }, [0.5, 0.25]).length, 1);
  assert.equal(rowProblems({ ...row, computed: ['a', 'b'], printed: null }, ['a', 'c']).length, 1);
});

test('a slide is read as its reader takes it in', () => {
  const node = parseFragment('<p>a<b>b</b> <span data-figure="x">1<sup>2</sup></span></p><p>c</p>');
  const { figures, text } = readSlide({ node });
  assert.deepEqual(figures, [{ reference: 'x', text: '1^2' }]);
  assert.match(text, /\nab\s+\n\nc\n/);
});
