/** Numbers and sentences in another language than that of the sources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLanguage } from '../../web/build/site/language.mjs';
import { language, msg } from '../../web/shared/language.js';
import { openingState } from '../../web/shared/opening.js';
import {
  between,
  exactText,
  formatBytes,
  formatCount,
  formatExact,
  formatMagnitude,
  formatNumber,
  formatPercent,
  formatPlain,
  formatVector,
  formatWeight,
  parseNumber,
} from '../../web/shared/number.js';
import { model } from '../../web/simulators/query/query.model.js';

const inPortuguese = (work) => inLanguage('pt-BR', work);

test('numbers are written with a comma, thousands with a point, and digits are the same', () =>
  inPortuguese(() => {
    assert.equal(formatNumber(0.61998), '0,620');
    assert.equal(formatNumber(-0.5, { decimals: 1 }), '\u22120,5');
    assert.equal(formatNumber(1073741824.5, { decimals: 1 }), '1.073.741.824,5');
    assert.equal(formatNumber(1234.5, { decimals: 6, trim: true }), '1.234,5');
    assert.equal(formatNumber(0.00004), '4,0e\u22125');
    assert.equal(formatMagnitude(0.000485), '4,9\u00a0×\u00a010⁻⁴');
    assert.equal(formatCount(2 ** 53 - 1), '9.007.199.254.740.991');
    assert.equal(formatBytes(1536), '1,5\u00a0KiB');
    assert.equal(formatPercent(0.62), '62,0\u00a0%');
    assert.equal(formatWeight(0.0001), '<,001');
    assert.equal(formatExact(-0.1), '\u22120,1');
    assert.equal(formatPlain(-1234.5), '\u22121234,5');
    assert.equal(formatVector([0.85, 0.15], { decimals: 2 }), '[0,85; 0,15]');
    assert.equal(between(), '; ');
    // Tables, links and attributes are read by programs: they are the same in every language.
    assert.equal(exactText(-1234.5), '-1234.5');
  }));

test('either decimal sign is read, and what may be both is asked', () =>
  inPortuguese(() => {
    for (const [text, value] of [
      ['0,85', 0.85],
      ['0.85', 0.85],
      [',5', 0.5],
      ['-1,5', -1.5],
      ['\u22121,5e-3', -0.0015],
      ['131,072', 131.072],
      ['0.125', 0.125],
      ['1024', 1024],
      ['4.0', 4],
    ]) {
      assert.deepEqual(parseNumber(text), { value }, text);
    }
    for (const [text, wanted] of [
      ['131.072', /131072.*131,072/],
      ['-1.000', /-1000.*-1,000/],
      ['1.000.000', /1000000/],
      ['1.024,5', /1\.024,5/],
      ['1,024.5', /1,024\.5/],
      ['1,2,3', /1,2,3/],
    ]) {
      const { problem, value } = parseNumber(text, { name: 'q' });
      assert.equal(value, undefined, text);
      assert.match(problem, wanted, text);
    }
    assert.doesNotMatch(parseNumber('131.072', { integer: true }).problem, /131,072/);
  }));

test('an attribute is written the same in every language', () =>
  inPortuguese(() => {
    const { state, problems } = openingState(model, { 'd-k': '4' });
    assert.deepEqual(problems, []);
    assert.equal(state.d_k, 4);
  }));

test('a sentence has its other language, and the one of the sources comes back', async () => {
  const sentence = () => msg('This field');
  const english = sentence();
  const portuguese = await inPortuguese(sentence);
  assert.equal(english, 'This field');
  assert.notEqual(portuguese, english);
  assert.equal(language(), 'en');
  assert.equal(sentence(), english);
  assert.equal(typeof globalThis.window, 'undefined');
});
