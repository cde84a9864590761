/** The lecture in another language: the way there, its numbers, and that all of it is spoken. */
import assert from 'node:assert/strict';
import { isEnglish } from '../../architecture/english.js';
import { LANGUAGES, SOURCE } from '../../../web/shared/language.js';
import { none } from '../runner.js';
import { expectedNumbers } from '../simulator.js';

/** Numbers as English writes them, with the other language's signs. */
const asThere = (text) =>
  text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')).replaceAll('. ', '; ');

export function languageSuite(runner, context) {
  const { slides } = context;
  const entry = context.simulators.find(({ name }) => name === 'query');
  const check = (name, run, options) =>
    runner.check(`language: ${name}`, () => context.withPage(run, options));

  /** Until the speaker's window tells a slide. */
  const at = (speaker, slide) =>
    speaker.waitForFunction(
      (number) => document.getElementById('position')?.textContent.startsWith(number),
      slide,
    );

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

    check(`${language}: an answer that is to be guessed stays hidden on the way`, async (page) => {
      await page.goto(context.slideAddress(entry.slide));
      const simulator = await context.simulator(page, entry);
      await simulator.host.evaluate((element) => (element.predicting = true));
      await page.locator(`#bar [data-language][hreflang="${language}"]`).click();
      await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
      await page.evaluate((number) => deckTest.show(number), entry.slide);
      const there = await context.simulator(page, entry);
      await there.host.evaluate((element) =>
        deckTest.until(() => element.predicting, 'the answer to be covered'),
      );
      assert.equal(await there.sentence(), null);
    });

    check(
      `${language}: what plays goes on, and the focus is on the control again`,
      async (page) => {
        const played = context.simulators.find(({ name }) => name === 'multi-head');
        await page.goto(context.slideAddress(played.slide));
        const player = await context.simulator(page, played);
        await player.host.evaluate((element) => {
          element.carried = { pace: 'slow', playing: true };
        });
        await page.locator(`#bar [data-language][hreflang="${language}"]`).click();
        await page.waitForFunction(
          ([one, tag]) =>
            document.documentElement.lang === one &&
            document.querySelector(tag)?.carried?.playing === true,
          [language, played.tag],
        );
        assert.equal(await page.evaluate(() => document.activeElement.hreflang), SOURCE);
      },
    );

    check(
      `${language}: what stands half done goes along, by the link and by ?lang=`,
      async (page) => {
        const played = context.simulators.find(({ name }) => name === 'multi-head');
        await page.goto(context.slideAddress(played.slide));
        const player = await context.simulator(page, played);
        await player.host.evaluate((element) => {
          element.setState({ ...element.getState(), line: 4 });
          element.carried = { pace: 'fast', panel: 'save' };
        });
        await page.evaluate((number) => deckTest.show(number), entry.slide);
        const simulator = await context.simulator(page, entry);
        await simulator.host.evaluate((element) => {
          element.carried = { exact: true, guess: { choice: 1, committed: true } };
        });
        await simulator.host.locator('input[data-path="q.0"]').first().fill('half');
        const seen = () =>
          page.evaluate(
            async (tags) => {
              const all = tags.map((tag) => document.querySelector(tag));
              await Promise.all(all.map(({ localName }) => customElements.whenDefined(localName)));
              await Promise.all(all.map((element) => element.start()));
              await deckTest.until(
                () => all.every((element) => element.carried),
                'what was left half done',
              );
              return [
                document.querySelector('.slides > section.present')?.id,
                ...all.map((element) => [element.getState(), element.carried]),
              ];
            },
            [entry.tag, played.tag],
          );
        const before = await seen();
        assert.deepEqual(before[1][1], {
          drafts: [['q.0', 'half']],
          guess: { choice: 1, committed: true },
          exact: true,
        });
        assert.deepEqual(before[2][1], { pace: 'fast', panel: 'save' });
        const speaks = (wanted) =>
          page.waitForFunction(
            (one) =>
              document.documentElement.lang === one &&
              document.documentElement.classList.contains('live'),
            wanted,
          );
        await page.locator(`#bar [data-language][hreflang="${language}"]`).click();
        await speaks(language);
        assert.deepEqual(await seen(), before);
        // The control does not name the slide here: the address alone asks for a language.
        await page.getByRole('button', { name: /^(Contents|Sumário)/ }).click();
        await page.goto(context.address(`${language}/index.html?lang=${SOURCE}`));
        await speaks(SOURCE);
        assert.equal(
          await page.evaluate(() => document.querySelector('dialog[open]')?.id),
          'contents',
        );
        assert.deepEqual(await seen(), before);
      },
    );

    check(`${language}: a simulator alone goes along as it stands`, async (page) => {
      await page.goto(context.address('simulators/query.html'));
      const host = page.locator('attn-query');
      await host.evaluate((element) => deckTest.ready(element));
      const state = await host.evaluate((element) => {
        element.setState({ ...element.getState(), q: [2, -1] });
        return element.getState();
      });
      await page.locator(`[data-language][hreflang="${language}"]`).click();
      await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
      await host.evaluate((element) => deckTest.ready(element));
      assert.deepEqual(await host.evaluate((element) => element.getState()), state);
    });

    check(`${language}: the speaker’s window speaks as the hall does`, async (page) => {
      await page.goto(context.slideAddress('16'));
      await page.evaluate(() => deckTest.show('16'));
      const [speaker] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Speaker’s window' }).click(),
      ]);
      await at(speaker, '16');
      await page.locator(`#bar [data-language][hreflang="${language}"]`).click();
      await speaker.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
      await at(speaker, '16');
      assert.match(
        await speaker.locator('.speaker-note:not([hidden]) h2').textContent(),
        /the cat sat/,
      );
      await page.keyboard.press('ArrowRight');
      await at(speaker, '17');
    });

    check(`${language}: ?lang= leads there from any page, and keeps the rest`, async (page) => {
      await page.goto(context.slideAddress('16', { lang: language, view: 'scroll' }));
      await page.waitForURL(`**/${language}/index.html?view=scroll#*slide-16`);
      await page.goto(context.address(`simulators/query.html?lang=${language.slice(0, 2)}`));
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
        found.push(...lines.filter(isEnglish).map((line) => `slide ${slide}: ${line}`));
      }
      none(found);
    });
  }
}
