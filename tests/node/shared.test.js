/** The parts under web/shared that need no page: numbers, links, schemas, colours, exports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCSV, toSVG } from '../../web/shared/export.js';
import { History } from '../../web/shared/history.js';
import { readUntil } from '../../web/shared/file-drop.js';
import { logStops } from '../../web/shared/controls.js';
import { roofOf } from '../../web/shared/roofline-plot.js';
import {
  exactText,
  formatBytes,
  formatCount,
  formatDecimalBytes,
  formatExact,
  formatNumber,
  formatPercent,
  formatSeconds,
  formatShort,
  formatTime,
  formatVector,
  many,
  parseNumber,
  shifted,
} from '../../web/shared/number.js';
import { decodeState, encodeState, linkTo, stateFromAddress } from '../../web/shared/permalink.js';
import { contrast, inkOn, scoreColour, weightColour } from '../../web/shared/scale.js';
import { checkState, parseField, valueAt, withValue } from '../../web/shared/schema.js';
import { STEPS, shadeOfStep } from '../../web/shared/weight-map.js';

test('what is typed is read the same whichever minus sign or spaces it has', () => {
  for (const [text, value] of [
    ['1.5', 1.5],
    [' -2 ', -2],
    ['\u22122', -2],
    ['\u20132', -2],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['-0', 0],
  ]) {
    assert.deepEqual(parseNumber(text), { value }, text);
    assert.ok(!Object.is(parseNumber(text).value, -0), text);
  }
});

test('what is no number is refused in a sentence that names the field and never echoes at length', () => {
  for (const text of [
    '',
    ' ',
    'abc',
    'NaN',
    'Infinity',
    '1,5',
    '1.2.3',
    '0x10',
    '1e999',
    '--1',
    '1 2',
    '٣',
    '<b>',
    'x'.repeat(9999),
  ]) {
    const { problem, value } = parseNumber(text, { name: 'query component 1' });
    assert.equal(value, undefined, text);
    assert.match(problem, /^query component 1/, text);
    assert.ok(problem.length < 140, problem);
  }
  assert.match(parseNumber('1,5').problem, /1\.5/);
  // A comma at a thousand is asked about, and where only a whole number can be meant, nothing else is offered.
  assert.match(parseNumber('131,072').problem, /131072, or 131\.072/);
  assert.match(parseNumber('131,072', { integer: true }).problem, /131072\.$/);
  assert.match(parseNumber('1,000,000').problem, /1000000\.$/);
  assert.match(parseNumber('7', { min: 0, max: 5 }).problem, /between 0 and 5/);
  assert.match(parseNumber('1.5', { integer: true }).problem, /whole/);
});

test('what is shown has a true minus, commas for thousands, and never a zero that is none', () => {
  assert.equal(formatNumber(0.61998, {}), '0.620');
  assert.equal(formatNumber(-0.5, { decimals: 1 }), '\u22120.5');
  assert.equal(formatNumber(1073741824, { decimals: 0 }), '1,073,741,824');
  assert.equal(formatNumber(2.5, { decimals: 6, trim: true }), '2.5');
  assert.equal(formatNumber(0), '0.000');
  assert.equal(formatNumber(-0), '0.000');
  assert.equal(formatNumber(0.00004), '4.0e\u22125');
  assert.equal(formatNumber(-0.00004), '\u22124.0e\u22125');
  assert.equal(formatNumber(Infinity), '∞');
  assert.equal(formatNumber(-Infinity), '\u2212∞');
  assert.equal(formatPercent(0.61998), '62.0\u00a0%');
  assert.equal(formatVector([0.847, 0.153], { decimals: 2 }), '[0.85, 0.15]');
  assert.equal(exactText(0.1 + 0.2), '0.30000000000000004');
  assert.equal(formatExact(-1.5), '\u22121.5');
});

test('a state survives its link, whatever it holds', () => {
  const states = [
    { q: [1, -2.5], on: true },
    { text: 'naïve “quotes” 😀 \u0000 + / =' },
    {},
    { big: Array.from({ length: 500 }, (_, i) => i / 7) },
  ];
  for (const state of states) {
    const text = encodeState(state);
    assert.match(text, /^1\.[\w-]*$/);
    assert.deepEqual(decodeState(text), { raw: state });
    const { link: address } = linkTo(
      'attn-x',
      state,
      'https://example.org/a?b=1&attn-x=old#c',
      'slide-15',
    );
    assert.deepEqual(stateFromAddress('attn-x', address), { raw: state });
    assert.equal(new URL(address).searchParams.get('b'), '1');
    assert.equal(new URL(address).hash, '#slide-15');
  }
  assert.deepEqual(stateFromAddress('attn-x', 'https://example.org/'), {});
});

test('a state too long for a link is refused in a sentence, not cut', () => {
  const { link, problem } = linkTo('attn-x', { text: 'x'.repeat(20000) }, 'https://example.org/');
  assert.equal(link, undefined);
  assert.match(problem, /too much text for a link/);
});

test('a broken, foreign, outdated or huge link gives a sentence and no state', () => {
  for (const text of [
    '',
    '1',
    '1.',
    '1.%%%',
    '1.e30=',
    'e30',
    '0.e30',
    '2.e30',
    '1.bm8',
    `1.${'A'.repeat(1 << 20)}`,
    `1.${Buffer.from([0xff, 0xfe]).toString('base64url')}`,
    '1.<script>',
  ]) {
    const { raw, problem } = decodeState(text);
    assert.equal(raw, undefined, text.slice(0, 40));
    assert.match(problem, /^The state in this link cannot be used: .+\.$/, text.slice(0, 40));
    assert.ok(problem.length < 200);
  }
});

const schema = {
  q: { kind: 'vector', length: 2, min: -10, max: 10, name: (i) => `q${i}` },
  K: { kind: 'matrix', rows: 2, columns: 2, min: -10, max: 10 },
  n: { kind: 'number', min: 1, max: 8, integer: true, name: () => 'n' },
  on: { kind: 'boolean' },
};
const defaults = {
  q: [0, 1],
  K: [
    [1, 2],
    [3, 4],
  ],
  n: 2,
  on: false,
};

test('a state from outside is completed, and each thing that is wrong with it is named', () => {
  assert.deepEqual(checkState(schema, defaults, {}), { state: defaults, problems: [] });
  const good = {
    q: [1, 2],
    K: [
      [0, 0],
      [0, 0],
    ],
    n: 8,
    on: true,
  };
  assert.deepEqual(checkState(schema, defaults, good), { state: good, problems: [] });
  for (const bad of [
    { q: [1] },
    { q: [1, Number.NaN] },
    { q: [1, 11] },
    { q: '12' },
    { q: { length: 2, 0: 1, 1: 2 } },
    { K: [[1, 2]] },
    { K: [[1, 2], [3]] },
    { n: 0 },
    { n: 1.5 },
    { n: '2' },
    { n: Infinity },
    { n: null },
    { on: 1 },
    { extra: 1 },
    JSON.parse('{"__proto__": 1}'),
  ]) {
    const { state, problems } = checkState(schema, defaults, bad);
    assert.equal(problems.length, 1, JSON.stringify(bad));
    assert.deepEqual(state, defaults, JSON.stringify(bad));
  }
  for (const bad of [null, 1, 'x', [], undefined]) {
    assert.equal(checkState(schema, defaults, bad).problems.length, 1);
  }
});

test('a checked state shares nothing with the defaults or with what came in', () => {
  const given = { q: [1, 2] };
  const { state } = checkState(schema, defaults, given);
  state.q[0] = 9;
  state.K[0][0] = 9;
  assert.equal(given.q[0], 1);
  assert.equal(defaults.K[0][0], 1);
});

test('a value is read and set by its path, and the original stays', () => {
  assert.equal(valueAt(defaults, 'K.1.0'), 3);
  const changed = withValue(defaults, 'K.1.0', 7);
  assert.deepEqual(changed.K, [
    [1, 2],
    [7, 4],
  ]);
  assert.equal(defaults.K[1][0], 3);
  assert.deepEqual(parseField(schema, 'n', '3'), { value: 3 });
  assert.match(parseField(schema, 'q.1', '99').problem, /^q1/);
});

test('undo takes back a gesture at a time, and a new edit ends what could be done again', () => {
  const history = new History();
  const edit = (from, to) => {
    history.begin(from);
    history.begin({ n: -1 });
    history.end(to);
    return to;
  };
  let state = edit({ n: 1 }, { n: 2 });
  state = edit(state, { n: 3 });
  edit(state, { n: 3 });
  assert.deepEqual((state = history.undo(state)), { n: 2 });
  assert.deepEqual((state = history.redo(state)), { n: 3 });
  assert.deepEqual((state = history.undo(state)), { n: 2 });
  assert.deepEqual((state = history.undo(state)), { n: 1 });
  assert.equal(history.canUndo, false);
  edit(state, { n: 5 });
  assert.equal(history.canRedo, false);
});

test('text on every step of both colour scales keeps 4.5:1, in both schemes', () => {
  for (const scheme of ['light', 'dark']) {
    for (let step = 0; step <= 255; step += 1) {
      for (const colour of [
        weightColour(step / 255, scheme),
        scoreColour(step / 255, 1, scheme),
        scoreColour(-step / 255, 1, scheme),
      ]) {
        assert.match(colour, /^#[0-9a-f]{6}$/);
        assert.ok(contrast(colour, inkOn(colour)) >= 4.5, `${scheme} ${step}: ${colour}`);
      }
    }
  }
  assert.ok(Math.abs(contrast('#000000', '#ffffff') - 21) < 1e-9);
});

test('a table leaves with every digit, and with text that no spreadsheet can misread', () => {
  assert.equal(
    toCSV([
      ['a', 'b,c', 'say "x"'],
      [0.1 + 0.2, -0, 1e21],
    ]),
    'a,"b,c","say ""x"""\r\n0.30000000000000004,0,1e+21\r\n',
  );
});

test('a picture holds hostile text as text', () => {
  const svg = toSVG({
    title: '</title><script>1</script>',
    head: ['a', '<b>'],
    rows: [['"&\'', '1']],
    weights: [0.5],
    sentence: '<script>',
  });
  assert.ok(!svg.includes('<script'));
  assert.match(svg, /&#60;script/);
});

test('bytes are said in the units asked for, and times in their own', () => {
  const plain = (text) => text.replace('\u00a0', ' ');
  for (const [value, decimal, binary] of [
    [0, '0 B', '0 B'],
    [999, '999 B', '999 B'],
    [34359738368, '34.4 GB', '32 GiB'],
    [11173625856, '11.2 GB', '10.4 GiB'],
    [810e9, '810 GB', '754 GiB'],
    [2 ** 53, '9.01 PB', '8 PiB'],
    // Where rounding reaches the next unit, it is that one.
    [999_999, '1 MB', '977 KiB'],
    [999_499, '999 kB', '976 KiB'],
    [2 ** 20 - 1, '1.05 MB', '1 MiB'],
    [999.96e9, '1 TB', '931 GiB'],
  ]) {
    assert.equal(plain(formatDecimalBytes(value)), decimal);
    assert.equal(plain(formatBytes(value)), binary);
  }
  for (const [seconds, text] of [
    [0.0150327577, '15 ms'],
    [1.5e-6, '1.5 µs'],
    [2.5, '2.5 s'],
    [3e-10, '0.3 ns'],
    [7200, '7.2 ks'],
  ]) {
    assert.equal(plain(formatSeconds(seconds)), text);
  }
  assert.equal(formatShort(5543.4), '5,543');
  assert.equal(plain(formatTime(999.7)), '1 s');
  assert.equal(many(1, 'token'), '1 token');
  assert.equal(many(0, 'token'), '0 tokens');
  assert.equal(many(1024, 'pass', 'passes'), '1,024 passes');
  assert.equal(formatCount(2 ** 53 - 1), '9,007,199,254,740,991');
  assert.equal(formatCount(0), '0');
  assert.equal(formatCount(2 ** 60), '1.2e+18');
});

test('a moved decimal point changes no digit and comes back', () => {
  for (const [value, places, wanted] of [
    [3.35, 12, 3350000000000],
    [8.030261248, 9, 8030261248],
    [0.000001, 12, 1000000],
    [1e-7, 9, 100],
    [1e21, -9, 1e12],
    [80, 0, 80],
  ]) {
    assert.equal(shifted(value, places), wanted);
    assert.equal(shifted(shifted(value, places), -places), value);
  }
  for (let count = 1; count < 2 ** 53; count = count * 7 + 3) {
    assert.equal(shifted(shifted(count, -9), 9), count);
  }
});

test('stops grow by a factor, whole and each once', () => {
  const stops = logStops(1024, 1048576, 4);
  assert.equal(stops.length, 41);
  assert.deepEqual(stops.slice(0, 5), [1024, 1280, 1536, 1792, 2048]);
  assert.equal(stops.at(-1), 1048576);
  assert.ok(stops.every((stop, i) => Number.isInteger(stop) && (i === 0 || stop > stops[i - 1])));
});

test('a roof rises to its ridge and is flat behind it', () => {
  const roof = { peak: 1000, ridge: 100 };
  assert.deepEqual(roofOf(roof, [1, 10000]), [
    { x: 1, y: 10 },
    { x: 100, y: 1000 },
    { x: 10000, y: 1000 },
  ]);
  assert.deepEqual(roofOf(roof, [200, 10000]), [
    { x: 200, y: 1000 },
    { x: 10000, y: 1000 },
  ]);
});

test('of a file no more is read than is asked for, and one that ends too soon is told', async () => {
  const file = new Blob([new Uint8Array(6 * 2 ** 20)]);
  const lengths = [];
  const answer = await readUntil(file, (bytes) => {
    lengths.push(bytes.length);
    return bytes.length < 5e6 ? { needs: 5e6 } : { done: true };
  });
  assert.deepEqual(answer, { done: true });
  assert.deepEqual(lengths, [4 * 2 ** 20, 5e6]);
  const short = new Blob(['{}']);
  assert.deepEqual(await readUntil(short, (bytes) => ({ size: bytes.length })), { size: 2 });
  for (const needs of [1, 2, 3, 1e12, Number.NaN]) {
    await assert.rejects(
      readUntil(short, () => ({ needs })),
      /ends before/,
      String(needs),
    );
  }
});

test('text on every step of the map of weights keeps its contrast, in both schemes', () => {
  const inks = {
    light: { weak: '#000000', middle: '#000000', strong: '#ffffff' },
    dark: { weak: '#ffffff', middle: '#000000', strong: '#000000' },
  };
  for (const scheme of ['light', 'dark']) {
    for (let step = 0; step <= STEPS; step += 1) {
      const share = step / STEPS;
      for (const [hue, colour] of [
        ['weight', weightColour(share, scheme)],
        ['above', scoreColour(share, 1, scheme)],
        ['below', scoreColour(-share, 1, scheme)],
      ]) {
        const ink = / map-(weak|middle|strong)$/.exec(shadeOfStep(step, hue))[1];
        const seen = contrast(colour, inks[scheme][ink]);
        assert.ok(seen >= 4.5, `${scheme} ${hue} ${step}: ${seen}`);
      }
    }
  }
});
