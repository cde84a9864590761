/** The lecture in another language: the way there, its numbers, and that all of it is spoken. */
import assert from 'node:assert/strict';
import { LANGUAGES, SOURCE } from '../../../web/shared/language.js';
import { none } from '../runner.js';
import { expectedNumbers } from '../simulator.js';

/** Words that no Portuguese sentence holds, and hardly an English one does without. */
const ENGLISH =
  /\b(the|and|of|with|which|from|that|each|every|what|this|is|are|not|weights|rows?)\b/i;
/** Numbers as English writes them, with the other language's signs. */
const asThere = (text) =>
  text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')).replaceAll('. ', '; ');

export function languageSuite(runner, context) {
  const { slides } = context;
  const entry = context.simulators.find(({ name }) => name === 'query');
  const check = (name, run, options) =>
    runner.check(`language: ${name}`, () => context.withPage(run, options));

  for (const language of LANGUAGES.filter((one) => one !== SOURCE)) {
    check(`${language}: the link leads to the same slide as it stands, and back`, async (page) => {
      await page.goto(context.slideAddress(entry.slide));
      const simulator = await context.simulator(page, entry);
      const state = { ...(await simulator.state()), q: [2, -1] };
      await simulator.host.evaluate((element, wanted) => element.setState(wanted), state);
      const numbers = await expectedNumbers(entry, context.modules, state);
      for (const [there, written] of [
        [language, asThere],
        [SOURCE, (text) => text],
      ]) {
        await page.locator(`#bar [data-language][hreflang="${there}"]`).click();
        await page.waitForFunction((wanted) => document.documentElement.lang === wanted, there);
        await page.evaluate((number) => deckTest.show(number), entry.slide);
        assert.equal(await page.evaluate(() => deckTest.currentSlide()), entry.slide);
        const seen = await (await context.simulator(page, entry)).snapshot();
        assert.deepEqual(seen.state, state);
        assert.deepEqual(seen.numbers, numbers.map(written));
      }
    });

    check(`${language}: ?lang= leads there from any page, and keeps the rest`, async (page) => {
      await page.goto(context.slideAddress('16', { lang: language, view: 'scroll' }));
      await page.waitForURL(`**/${language}/index.html?view=scroll#*slide-16`);
      await page.goto(context.address(`simulators/query.html?lang=${language}`));
      await page.waitForURL(`**/${language}/simulators/query.html`);
      await page.goto(context.address(`${language}/contents.html?lang=${SOURCE}`));
      await page.waitForURL(`${context.address('contents.html')}`);
    });

    check(`${language}: both decimal signs are taken, and 131.072 is asked about`, async (page) => {
      await page.goto(context.slideAddress(entry.slide, {}, language));
      const simulator = await context.simulator(page, entry);
      for (const [typed, value] of [
        ['0,25', 0.25],
        ['0.75', 0.75],
        ['−1,5', -1.5],
      ]) {
        await simulator.enter('q.0', typed);
        assert.equal((await simulator.snapshot()).state.q[0], value, typed);
      }
      const before = await simulator.snapshot();
      await simulator.enter('q.0', '31.072');
      assert.deepEqual(await simulator.snapshot(), before);
      assert.match(await simulator.text('[id="problem-q.0"]'), /31072.*31,072/);
    });

    check(`${language}: every slide, live, speaks it`, async (page) => {
      await page.goto(context.slideAddress(slides[0], {}, language));
      const found = [];
      for (const slide of slides) {
        await page.evaluate((number) => deckTest.show(number), slide);
        const lines = await page.evaluate((number) => deckTest.spokenLines(number), slide);
        assert.ok(lines.length > 5, `slide ${slide}: hardly any text`);
        found.push(
          ...lines.filter((line) => ENGLISH.test(line)).map((line) => `slide ${slide}: ${line}`),
        );
      }
      none(found);
    });
  }
}
