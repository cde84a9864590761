import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ESLint } from 'eslint';
import { ROOT, filesBelow, isScript, read } from './files.js';

const eslint = new ESLint({ cwd: ROOT });

/** The rules that a text breaks when it stands at a path. */
async function broken(text, filePath) {
  const [result] = await eslint.lintText(text, { filePath: `${ROOT}/${filePath}` });
  return result.messages.map(({ ruleId, message }) => ruleId ?? message);
}

const SIMULATOR = 'web/simulators/example/example.model.js';
const LAYOUT = 'web/simulators/example/example.layout.js';

const ARITHMETIC = [
  'export const f = (a, b) => a + b;',
  'export const f = (a, b) => a - b;',
  'export const f = (a, b) => a * b;',
  'export const f = (a, b) => a / b;',
  'export const f = (a, b) => a % b;',
  'export const f = (a, b) => a ** b;',
  'export const f = (a) => a >> 1;',
  'export const f = (a) => -a;',
  'export const f = (a) => +a;',
  'export const f = (a) => { a += 1; return a; };',
  'export const f = (a) => { a /= 2; return a; };',
  'export const f = (a) => { a **= 2; return a; };',
  'export const f = (a) => { a++; return a; };',
  'export const f = (a) => { --a; return a; };',
  "export const f = (a) => 'weight ' + a;",
  'export const f = (a) => Math.max(...a);',
  'export const { max } = Math;',
  'export const f = (a) => globalThis.Math.sqrt(a);',
  'export const f = (a) => a.toFixed(2);',
  'export const f = (a) => a.toPrecision(2);',
  'export const f = (a) => a.toLocaleString();',
  'export const f = (a) => parseFloat(a);',
];

test('a simulator that computes is caught, whichever way it does', async () => {
  for (const text of ARITHMETIC) {
    assert.equal((await broken(text, SIMULATOR)).length, 1, text);
  }
});

test('layout files and the rest of the web may compute', async () => {
  for (const text of ARITHMETIC) {
    const own = /parseFloat|toFixed|toPrecision|toLocaleString/.test(text);
    if (own) continue;
    assert.deepEqual(await broken(text, LAYOUT), [], text);
    assert.deepEqual(await broken(text, 'web/shared/example.js'), [], text);
  }
});

test('negative literals, comparisons and template text are no arithmetic', async () => {
  const text =
    'export const f = (a) => (a > -1 && a !== 2 ? `weight ${a}` : [1, 2].map((x) => x >= 1));';
  assert.deepEqual(await broken(text, SIMULATOR), []);
});

test('inserting text as HTML is caught everywhere in the web', async () => {
  for (const text of [
    'export const f = (node, text) => { node.innerHTML = text; };',
    'export const f = (node, text) => { node.outerHTML = text; };',
    "export const f = (node, text) => node.insertAdjacentHTML('beforeend', text);",
    "export { unsafeHTML } from 'lit/directives/unsafe-html.js';",
  ]) {
    for (const file of [SIMULATOR, LAYOUT, 'web/shared/example.js', 'web/deck/example.js']) {
      assert.equal((await broken(text, file)).length, 1, `${file}: ${text}`);
    }
  }
});

test('code made from text is caught', async () => {
  for (const text of [
    "eval('1');",
    "export const f = new Function('return 1');",
    "setTimeout('f()');",
  ]) {
    assert.equal((await broken(text, 'web/deck/example.js')).length >= 1, true, text);
  }
});

test('no simulator switches a rule off', () => {
  const off = filesBelow('web/simulators')
    .filter(isScript)
    .filter((file) => /eslint-(disable|enable)|eslint\s+[\w-]+\s*:/.test(read(file)));
  assert.deepEqual(off, []);
});
