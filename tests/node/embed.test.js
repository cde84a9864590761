/** Simulators in other people's pages, as far as no page is needed: what is copied there, what is locked there, its language and colours. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { models } from '../architecture/figures.js';
import { attributesOf, embedTexts } from '../../web/shared/embed-text.js';
import { Limits } from '../../web/shared/limits.js';
import { openingState, stateOfCase } from '../../web/shared/opening.js';
import { known, pageLanguage } from '../../web/shared/page-language.js';
import { lightnessOf } from '../../web/shared/scheme.js';

const byTag = await models();
const query = byTag['attn-query'];

test('a tag that is copied opens in the state that was shown, in every case of every simulator', () => {
  for (const model of Object.values(byTag)) {
    const states = [model.defaults, ...model.cases.map(({ id }) => stateOfCase(model, id))];
    for (const state of states) {
      const attributes = attributesOf(model, state);
      assert.ok(Object.keys(attributes).length <= 1, `${model.tag}: ${JSON.stringify(attributes)}`);
      assert.deepEqual(openingState(model, attributes), {
        state: structuredClone(state),
        problems: [],
      });
    }
  }
});

test('a case with few other fields is said in words, anything else by the whole state', () => {
  const near = { ...stateOfCase(query, 'a'), d_k: 16, row: 0 };
  assert.deepEqual(attributesOf(query, near), { case: 'a', 'd-k': '16', row: '0' });
  const far = { ...near, q: [0.5, 0.25] };
  const { state, ...rest } = attributesOf(query, far);
  assert.deepEqual(rest, {});
  assert.match(state, /^1\.[\w-]+$/);
  assert.deepEqual(openingState(query, { state }), { state: far, problems: [] });
  assert.match(openingState(query, { state: '1.!' }).problems.join(' '), /damaged/);
});

test('what is copied holds nothing that would end an attribute', () => {
  const model = {
    ...query,
    schema: { t: { kind: 'text', longest: 99, name: () => 't' } },
    defaults: { t: '' },
    cases: [],
    title: '"<b>&',
  };
  const texts = embedTexts({
    model,
    state: { t: '"><script>&' },
    limits: { lock: 'all', hide: 'cases toolbar' },
    site: new URL('https://example.org/deck/'),
    language: 'pt-BR',
    theme: 'dark',
    column: 700,
    height: 400,
  });
  assert.equal(
    texts.tag,
    '<script type="module" src="https://example.org/deck/attention-deck.js?lang=pt-BR"></script>\n<attn-query t="&quot;>&lt;script>&amp;" lock="all" hide="cases toolbar"></attn-query>',
  );
  assert.match(
    texts.frame,
    /^<iframe src="https:\/\/example\.org\/deck\/pt-BR\/simulators\/query\.html\?t=%22%3E%3Cscript%3E%26&amp;/,
  );
  assert.match(texts.frame, /hide=title,summary,foot,cases,toolbar&amp;theme=dark" /);
  assert.match(texts.frame, / width="100%" height="400" frameborder="0" /);
  assert.match(texts.frame, / title="&quot;&lt;b>&amp;" /);
  assert.equal(
    texts.link,
    'https://example.org/deck/pt-BR/simulators/query.html?t=%22%3E%3Cscript%3E%26',
  );
});

test('locked fields stay, whatever a reader asks for; unknown words are named', () => {
  const element = { lock: 'D-K, case', hide: 'toolbar nothing' };
  const limits = new Limits(element, query);
  assert.deepEqual(
    [limits.locks('d_k'), limits.locks('q.0'), limits.locksCases],
    [true, false, true],
  );
  assert.deepEqual([limits.hides('toolbar'), limits.hides('cases')], [true, false]);
  const wanted = { ...query.defaults, d_k: 9, q: [0, 0] };
  assert.deepEqual(limits.kept(wanted, query.defaults), { ...wanted, d_k: 2 });
  assert.deepEqual(limits.refused({ d_k: 9, q: [0, 0] }, query.defaults), ['d-k']);
  assert.deepEqual(limits.refused({ d_k: 2 }, query.defaults), []);
  assert.deepEqual([limits.unknown('hide'), limits.unknown('lock')], [['nothing'], []]);
  element.lock = 'all';
  assert.deepEqual([limits.locks('q.0'), limits.locksAll], [true, true]);
  element.lock = null;
  element.hide = 'controls';
  assert.deepEqual([limits.locks('q.0'), limits.locksAll, limits.locksCases], [true, false, false]);
});

test('a page’s language is ours when its first part is', () => {
  assert.deepEqual(['en', 'en-GB', 'pt', 'pt-PT', 'PT-br', 'fr', '', undefined].map(known), [
    'en',
    'en',
    'pt-BR',
    'pt-BR',
    'pt-BR',
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(pageLanguage(), 'en');
});

test('how light a text is, in each notation that browsers compute to', () => {
  const near = (colour, value) => assert.ok(Math.abs(lightnessOf(colour) - value) < 0.01, colour);
  near('rgb(255, 255, 255)', 1);
  near('rgba(0, 0, 0, 0.5)', 0);
  near('color(srgb 0.5 0.5 0.5)', 0.5);
  near('oklch(0.9 0.1 30)', 0.9);
  near('lab(20 1 1)', 0.2);
  assert.equal(lightnessOf('canvastext'), undefined);
});

test('the colours for other people’s pages are those of the deck', () => {
  const text = (name) => readFileSync(new URL(`../../web/shared/${name}`, import.meta.url), 'utf8');
  const block = (after) => text('tokens.css').split(after)[1].split('}')[0];
  const pairs = (css) =>
    Object.fromEntries(
      [...css.matchAll(/(--attn-[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
    );
  const [light, dark] = [pairs(block('color-scheme: light;')), pairs(block('color-scheme: dark;'))];
  const expected = Object.fromEntries(
    Object.keys(light)
      // A number has no pair: those two stand in figure.css.
      .filter((name) => light[name].startsWith('#'))
      .map((name) => [name, `--pair(${light[name]}, ${dark[name]})`]),
  );
  // What is no pair there is no colour, but type.
  const colours = Object.entries(pairs(text('host-colours.css'))).filter(([, value]) =>
    value.startsWith('--pair('),
  );
  assert.deepEqual(Object.fromEntries(colours), expected);
});
