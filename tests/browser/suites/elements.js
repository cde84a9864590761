/** What custom-elements.json says of the elements, on live ones; and the pages that show it. */
import assert from 'node:assert/strict';
import * as base from '../../../web/build/elements/base.mjs';
import { attributeFields, attributeOf } from '../../../web/shared/opening.js';
import { valueAt } from '../../../web/shared/schema.js';
import { LANGUAGES, SOURCE } from '../../../web/shared/language.js';
import { copied } from '../clipboard.js';
import { another } from '../simulator.js';
import { eventually, none } from '../runner.js';

const languageOf = (name) => LANGUAGES.find((one) => name.startsWith(`${one}/`)) ?? SOURCE;
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };

export function elementSuite(runner, context) {
  const check = (name, run, options) =>
    runner.check(`elements: ${name}`, () => context.withPage(run, options));
  const manifest = JSON.parse(context.page('custom-elements.json'));
  const described = manifest.modules.flatMap(({ declarations }) => declarations);
  const pages = context.pages.filter((name) => /(^|\/)elements\//.test(name));

  check('each observes the attributes that are described, and no other', async (page) => {
    await page.goto(context.address('index.html'));
    const observed = await page.evaluate(
      async (tags) => {
        // Who prints wants all of them.
        dispatchEvent(new Event('beforeprint'));
        await Promise.all(tags.map((tag) => customElements.whenDefined(tag)));
        dispatchEvent(new Event('afterprint'));
        return tags.map((tag) => customElements.get(tag).observedAttributes);
      },
      described.map(({ tagName }) => tagName),
    );
    const wrong = described.flatMap(({ tagName, attributes }, at) => {
      // A case is observed where there are none, and says so.
      const unobserved = base.attributes.filter((one) => one.isObserved === false);
      const names = new Set(['case', ...attributes.map(({ name }) => name)]);
      for (const { name } of unobserved) names.delete(name);
      const [found, wanted] = [observed[at], [...names]].map((list) => list.toSorted().join(' '));
      return found === wanted ? [] : [`${tagName}: ${found} instead of ${wanted}`];
    });
    none(wrong);
  });

  for (const entry of context.simulators.filter(({ name }) =>
    ['query', 'gradient', 'masks', 'tokens'].includes(name),
  )) {
    const { name, tag, model } = entry;
    check(`${name} takes each attribute, has each part and tells each event`, async (page) => {
      await page.goto(context.address(`elements/${name}.html`));
      const fields = attributeFields(model.schema).map((key) => {
        const value = another(model.schema, key, valueAt(model.defaults, key));
        return { key, attribute: attributeOf(key), value };
      });
      const seen = await page.evaluate(
        async ({ wanted, list }) => {
          const heard = {};
          for (const kind of ['ready', 'input', 'change', 'statechange', 'error'])
            document.addEventListener(kind, ({ detail }) => (heard[kind] ??= detail), true);
          await customElements.whenDefined(wanted);
          const element = document.createElement(wanted);
          document.querySelector('main').append(element);
          await element.start();
          const taken = [];
          for (const { key, attribute, value } of list) {
            element.reset();
            element.setAttribute(attribute, String(value));
            await element.updateComplete;
            await deckTest.until(() => element.getState()[key] === value, attribute);
            taken.push([attribute, element.getState()[key], element[key]]);
          }
          element.reset();
          element.predicting = true;
          await element.updateComplete;
          const guess = element.shadowRoot.querySelector('[part=guess]') !== null;
          element.predicting = false;
          element.setAttribute(list[0].attribute, '');
          element.setState({ gone: 1 });
          await element.updateComplete;
          const parts = [...element.shadowRoot.querySelectorAll('[part]')].map((node) =>
            node.getAttribute('part'),
          );
          return {
            heard,
            taken,
            guess,
            parts: [...new Set(parts)],
            csv: element.toCSV().length,
            svg: element.toSVG().slice(0, 4),
          };
        },
        { wanted: tag, list: fields },
      );
      assert.deepEqual(
        seen.taken,
        fields.map(({ attribute, value }) => [attribute, value, value]),
      );
      for (const kind of ['ready', 'change', 'statechange', 'error'])
        assert.ok(seen.heard[kind], `nobody heard ${kind}`);
      assert.ok(seen.heard.error.message.length > 10);
      const known = described.find(({ tagName }) => tagName === tag).cssParts;
      const names = known.map((part) => part.name);
      none(seen.parts.filter((part) => !names.includes(part)));
      for (const part of ['simulator', 'figure', 'sentence', 'toolbar', 'cases', 'notice'])
        assert.ok(seen.parts.includes(part), `${part} is not drawn`);
      assert.ok(seen.guess);
      assert.ok(seen.csv > 10 && seen.svg === '<svg', JSON.stringify(seen.svg));
    });
  }

  check('custom properties set around an element reach into it', async (page) => {
    await page.goto(context.address('elements/query.html'));
    const before = await page.evaluate(async () => {
      const element = document.querySelector('attn-query');
      await customElements.whenDefined('attn-query');
      await element.start();
      const looks = () => {
        const button = element.shadowRoot.querySelector('.case');
        const { color, fontFamily } = getComputedStyle(
          element.shadowRoot.querySelector('.sentence'),
        );
        return [color, fontFamily, getComputedStyle(button).borderRadius];
      };
      const first = looks();
      document.querySelector('main').style.cssText =
        '--attn-ink: rgb(1, 2, 3); --attn-font: serif; --attn-radius: 3px';
      return [first, looks()];
    });
    assert.deepEqual(before[1], ['rgb(1, 2, 3)', 'serif', '3px']);
    assert.notDeepEqual(before[0], before[1]);
  });

  check('an example is changed by its controls, shows its HTML and is copied', async (page) => {
    await page.goto(context.address('elements/query.html'));
    const code = () => page.textContent('[data-code]');
    const shows = (tag) =>
      eventually(async () => {
        const text = await code();
        assert.equal(text.split('\n')[1], tag);
        assert.match(text, /^<script type="module" src="http:.*\/attention-deck\.js"><\/script>\n/);
      });
    await page.waitForSelector('.element-copy:not(:disabled)');
    await shows('<attn-query></attn-query>');
    await page.selectOption('[data-attribute=case]', 'a');
    await shows('<attn-query case="a"></attn-query>');
    await page.fill('[data-attribute=d-k]', '16');
    await page.press('[data-attribute=d-k]', 'Tab');
    await shows('<attn-query case="a" d-k="16"></attn-query>');
    const state = () => page.evaluate(() => document.querySelector('attn-query').getState());
    assert.equal((await state()).d_k, 16);
    await page.fill('[data-attribute=d-k]', '99999');
    await page.press('[data-attribute=d-k]', 'Tab');
    assert.match(await page.textContent('.element-says'), /between 1 and 4,096/);
    assert.equal((await state()).d_k, 16);
    const taken = await copied(page, async () => {
      await page.click('.element-copy');
      await page.locator('.element-says', { hasText: 'Copied.' }).waitFor();
    });
    assert.equal(taken, await code());
    // What the reader does in the simulator itself is shown as well.
    await page.evaluate(() => {
      const element = document.querySelector('attn-query');
      element.setState({ ...element.getState(), q: [5, 1] });
    });
    assert.equal(await page.isVisible('.element-note'), true);
    assert.match((await code()).split('\n')[1], /^<attn-query state="1\.[\w-]+"><\/attn-query>$/);
    const text = await code();
    await page.evaluate((markup) => {
      const place = document.createElement('div');
      place.innerHTML = markup;
      const copy = place.querySelector('attn-query');
      copy.id = 'copy';
      document.querySelector('main').append(copy);
      return copy.start();
    }, text);
    const [one, other] = await page.evaluate(() =>
      [...document.querySelectorAll('attn-query')].map((element) => element.getState()),
    );
    assert.deepEqual(other, one);
  });

  for (const language of LANGUAGES) {
    check(
      `no page is wider than a phone, in ${language}`,
      async (page) => {
        const own = pages.filter((name) => languageOf(name) === language);
        const some = own.filter((name) => /(index|query|kv-cache|masks)\.html$/.test(name));
        assert.equal(some.length, 4, own.join());
        const found = [];
        for (const name of some) {
          await page.goto(context.address(name));
          await page.waitForLoadState('networkidle');
          const seen = await page.evaluate(() => ({
            sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            texts: deckTest
              .texts(document.body)
              .filter((item) => !item.raised && item.size < 15.95),
            clipped: deckTest.clipped(document.querySelector('.element-head')),
          }));
          if (seen.sideways > 0) found.push(`${name}: wider by ${seen.sideways}`);
          found.push(...seen.texts.map(({ size, text }) => `${name}: ${size} px: ${text}`));
          found.push(...seen.clipped.map((text) => `${name}: cut: ${text}`));
        }
        none(found);
      },
      PHONE,
    );
  }

  for (const language of LANGUAGES) {
    const folder = language === SOURCE ? '' : `${language}/`;
    check(
      `on a phone a toolbar is one line, and the link to the other language begins where the page does, in ${language}`,
      async (page) => {
        for (const name of ['query', 'kv-cache']) {
          await page.goto(context.address(`${folder}simulators/${name}.html`));
          const tops = await page.evaluate(async () => {
            const element = document.querySelector('[data-simulator]');
            await deckTest.ready(element);
            const tools = [...element.shadowRoot.querySelector('.toolbar').children];
            return tools.map((tool) => Math.round(tool.getBoundingClientRect().top));
          });
          assert.equal(new Set(tops).size, 1, `${name}: ${tops}`);
        }
        for (const name of ['contents', 'embed']) {
          await page.goto(context.address(`${folder}${name}.html`));
          const [link, heading] = await page.evaluate(() => {
            const range = document.createRange();
            return ['[data-language]', 'h1'].map((selector) => {
              range.selectNodeContents(document.querySelector(selector));
              return range.getBoundingClientRect().left;
            });
          });
          assert.ok(Math.abs(link - heading) <= 2, `${name}: ${link} beside ${heading}`);
        }
      },
      PHONE,
    );
  }

  check(
    'slide 31 leaves room between what it says and its sources, in Portuguese',
    async (page) => {
      await page.goto(context.slideAddress('31', {}, 'pt-BR'));
      await page.evaluate(() => deckTest.show('31'));
      const gap = await page.evaluate(async () => {
        const slide = document.querySelector('[data-slide="31"]');
        const element = slide.querySelector('attn-kv-cache');
        await deckTest.ready(element);
        const sentence = element.shadowRoot.querySelector('.sentence').getBoundingClientRect();
        return slide.querySelector('.sources').getBoundingClientRect().top - sentence.bottom;
      });
      assert.ok(gap >= 8, `${gap} px`);
    },
  );
}
