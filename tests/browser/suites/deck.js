/** The deck around the slides: its bar, sheets and colours, another window size, another build of the module. */
import assert from 'node:assert/strict';
import { expectedNumbers } from '../simulator.js';
import { none } from '../runner.js';
import { axe } from '../axe.js';

export function deckSuite(runner, context) {
  const { slides } = context;
  const entry = context.simulators.find(({ name }) => name === 'query');
  const check = (name, run, options) =>
    runner.check(`deck: ${name}`, () => context.withPage(run, options));

  check(
    'a reload and the way back find simulators as they were left, other visits do not',
    async (page) => {
      const entry = context.simulators.find(({ name }) => name === 'query');
      const address = context.slideAddress(entry.slide);
      const now = async () => {
        await page.evaluate((number) => deckTest.show(number), entry.slide);
        return (await context.simulator(page, entry)).state();
      };
      await page.goto(address);
      const opening = await now();
      const moved = { ...opening, q: [2, -1] };
      const move = () =>
        page
          .locator(entry.tag)
          .first()
          .evaluate((element, state) => element.setState(state), moved);
      await move();
      await page.reload();
      assert.deepEqual(await now(), moved, 'after a reload');
      await page.reload();
      assert.deepEqual(await now(), moved, 'after another');
      await page.goto(context.address('contents.html'));
      await page.goBack();
      assert.deepEqual(await now(), moved, 'after the way back');
      await page.goto(context.address('contents.html'));
      await page.goto(address);
      assert.deepEqual(await now(), opening, 'on a visit anew');
      await move();
      await page
        .locator(entry.tag)
        .first()
        .evaluate((element) => element.reset());
      await page.reload();
      assert.deepEqual(await now(), opening, 'after a reset');
    },
  );
  const start = async (page, slide = slides[0]) => {
    await page.goto(context.slideAddress(slide));
    await page.evaluate((number) => deckTest.show(number), slide);
  };
  const current = (page) => page.evaluate(() => deckTest.currentSlide());

  check('the colours are chosen in the bar and stay chosen', async (page) => {
    await start(page);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'auto');
    const dark = () =>
      page.evaluate(() => {
        const [r, g, b] = getComputedStyle(document.body)
          .backgroundColor.match(/[\d.]+/g)
          .map(Number);
        return r + g + b < 300;
      });
    assert.equal(await theme(), 'auto');
    const button = page.getByRole('button', { name: /^Colours/ });
    const seen = new Map();
    for (let press = 0; press < 3; press += 1) {
      await button.click();
      seen.set(await theme(), await dark());
    }
    assert.deepEqual(Object.fromEntries(seen), { light: false, dark: true, auto: false });
    await button.click();
    await button.click();
    assert.equal(await theme(), 'dark');
    await page.reload();
    assert.equal(await theme(), 'dark');
    assert.equal(await dark(), true);
  });

  for (const [key, name] of [
    ['c', 'Contents'],
    ['?', 'Keys'],
  ]) {
    check(
      `the sheet “${name}” opens by its key, keeps the keys to itself, and closes`,
      async (page) => {
        await start(page, '15');
        await page.keyboard.press(key);
        const sheet = page.getByRole('dialog', { name });
        await sheet.waitFor();
        none(await axe(page, name));
        await page.keyboard.press('ArrowRight');
        assert.equal(await current(page), '15');
        assert.ok(await sheet.evaluate((node) => node.contains(document.activeElement)));
        await page.keyboard.press('Escape');
        await sheet.waitFor({ state: 'hidden' });
        assert.equal(await page.evaluate(() => document.querySelector('.reveal.overview')), null);
        await page.keyboard.press('ArrowRight');
        await page.evaluate(() =>
          deckTest.until(() => deckTest.currentSlide() === '16', 'slide 16'),
        );
      },
    );
  }

  check('the contents lead to every slide', async (page) => {
    await start(page);
    await page.keyboard.press('c');
    const links = page.getByRole('dialog', { name: 'Contents' }).getByRole('link');
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    assert.deepEqual(
      targets.filter((target) => target.startsWith('#')),
      slides.map((slide) => `#slide-${slide}`),
    );
    // Beside them each part to read, and all of it on one page.
    assert.deepEqual(
      targets.filter((target) => !target.startsWith('#')).sort(),
      context.pages.filter((name) => /^(read\/.*|contents\.html)$/.test(name)).sort(),
    );
    await links.nth(targets.indexOf('#slide-16')).click();
    await page.evaluate(() => deckTest.until(() => deckTest.currentSlide() === '16', 'slide 16'));
  });

  check('a key turns to the next part and to the one before', async (page) => {
    await start(page, '15');
    const parts = await page.evaluate(() =>
      [...document.querySelectorAll('.slides > section')].map(({ id, dataset }) => ({
        number: id.replace('slide-', ''),
        part: dataset.part,
      })),
    );
    const own = parts.find(({ number }) => number === '15').part;
    const firstOf = (part) => parts.find((slide) => slide.part === part).number;
    const next = parts.slice(parts.findLastIndex(({ part }) => part === own) + 1)[0].number;
    for (const [key, number] of [
      [']', next],
      ['[', firstOf(own)],
    ]) {
      await page.keyboard.press(key);
      await page.evaluate(
        (wanted) => deckTest.until(() => deckTest.currentSlide() === wanted, `slide ${wanted}`),
        number,
      );
    }
  });

  check(
    'a handout waits for every simulator, and takes the notes along when asked',
    async (page) => {
      await start(page);
      await page.evaluate(() => {
        globalThis.print = () => {
          globalThis.printed = [...document.querySelectorAll('[data-simulator]')].filter(
            (element) => !element.shadowRoot?.querySelector('[data-num]'),
          ).length;
        };
      });
      await page.getByRole('button', { name: 'Print' }).click();
      const sheet = page.getByRole('dialog', { name: 'Print a handout' });
      none(await axe(page, 'the handout'));
      await sheet.getByRole('checkbox', { name: /notes/ }).check();
      await sheet.getByRole('button', { name: 'Print …' }).click();
      await page.waitForFunction(() => globalThis.printed !== undefined, null, { timeout: 30_000 });
      assert.equal(await page.evaluate(() => globalThis.printed), 0, 'simulators without numbers');
      await page.emulateMedia({ media: 'print' });
      assert.ok(
        await page.evaluate(() =>
          deckTest.isShown(document.querySelector('#slide-15 .notes-fold .notes p')),
        ),
        'the notes are printed',
      );
    },
  );

  check('single letters as keys can be switched off', async (page) => {
    await start(page);
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: /letters/i }).uncheck();
    await page.keyboard.press('Escape');
    for (const key of ['c', 'o', 'b', 'f', 's', '?', '[', ']']) await page.keyboard.press(key);
    await page.evaluate(() => deckTest.frame());
    const open = await page.evaluate(
      () => document.querySelector('dialog[open], .reveal.overview, .reveal.paused')?.className,
    );
    assert.equal(open, undefined);
    assert.equal(page.context().pages().length, 1);
  });

  check(
    'a window made narrow and wide again keeps the slide and what was set on it',
    async (page) => {
      const simulator = await (async () => {
        await page.goto(context.slideAddress(entry.slide));
        return context.simulator(page, entry);
      })();
      const state = { ...(await simulator.state()), q: [2, -1] };
      await simulator.host.evaluate((element, wanted) => element.setState(wanted), state);
      const numbers = await expectedNumbers(entry, context.modules, state);
      const marked = await simulator.host.evaluate(
        (element) => (element.ours = 'the same element'),
      );
      const agrees = async () => {
        const seen = await simulator.snapshot();
        assert.deepEqual([seen.state, seen.numbers], [state, numbers]);
        assert.equal(await simulator.host.evaluate((element) => element.ours), marked);
        const inView = await simulator.host.evaluate((element) => {
          const { top, bottom } = element.closest('section').getBoundingClientRect();
          return top < innerHeight && bottom > 0 && deckTest.isShown(element);
        });
        assert.ok(inView, 'the slide is out of view');
      };
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(() =>
        deckTest.until(() => document.documentElement.matches('.column-mode'), 'the column'),
      );
      await page.evaluate(() => deckTest.frame());
      await agrees();
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.evaluate(() => deckTest.until(() => deckTest.currentSlide() === '15', 'the deck'));
      await page.evaluate(() => deckTest.show('15'));
      await agrees();
    },
  );

  // Of a module that is built in every variant; one that is alike in all of them has one address.
  const inVariants = context.simulators.find(({ name }) => name === 'mask');
  const fetched = (page) =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => /layer\.(\w+)[^/]*\.wasm/.exec(name)?.[1])
        .filter(Boolean),
    );
  const variants = (name, expected, init) =>
    check(
      `W6: ${name}`,
      async (page) => {
        await page.goto(context.slideAddress(inVariants.slide));
        const simulator = await context.simulator(page, inVariants);
        const { state, numbers } = await simulator.snapshot();
        assert.deepEqual(numbers, await expectedNumbers(inVariants, context.modules, state));
        const used = await fetched(page);
        assert.ok(expected.includes(used.at(-1)), `fetched ${used.join(', ')}`);
      },
      { init },
    );
  variants('where the browser has SIMD, a SIMD build computes', ['simd', 'relaxed'], () => {});
  variants('where it has none, the scalar build computes the same', ['scalar'], () => {
    WebAssembly.validate = () => false;
  });

  check('a slide that does not exist leads to the first one, not to nothing', async (page) => {
    await page.goto(context.slideAddress('999'));
    await page.evaluate(() =>
      deckTest.until(() => document.documentElement.classList.contains('live'), 'the deck'),
    );
    assert.equal(await current(page), slides[0]);
  });
}
