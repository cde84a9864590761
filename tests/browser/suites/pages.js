/** What holds for every page and every slide: quiet, reachable, readable, in place. */
import assert from 'node:assert/strict';
import { parse } from 'parse5';
import { checkDeck } from '../../architecture/figure-check.js';
import { attribute, elementsBelow, slidesOf } from '../../architecture/slides.js';
import { LANGUAGES, SOURCE } from '../../../web/shared/language.js';
import { COLOURS, axe } from '../axe.js';
import { eventually, none } from '../runner.js';

const DESK = { width: 1280, height: 720 };
const HALL = { width: 1920, height: 1080 };
const PROJECTOR = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };
const LEAST_TEXT = 16;
const LEAST_TARGET = 24;

const sized = ({ width, height }) => `${width}x${height}`;
const near = (size, least) => size < least - 0.05;

export function pageSuite(runner, context) {
  const { slides, pages } = context;
  const check = (name, run, options) => runner.check(name, () => context.withPage(run, options));

  const languageOf = (name) => LANGUAGES.find((one) => name.startsWith(`${one}/`)) ?? SOURCE;
  const inWords = (language) => (language === SOURCE ? '' : `, ${language}`);

  const isDeck = (file) =>
    LANGUAGES.some((one) => file === (one === SOURCE ? 'index.html' : `${one}/index.html`));

  /**
   * Pages of one template are looked at one by one in the language and the scheme that they are written in; in the others a
   * list, a short page and the longest stand for them.
   */
  const looksAt = (templates) => (file, scheme) =>
    !templates.test(file) ||
    (scheme === 'light' && languageOf(file) === SOURCE) ||
    /\/(index|query|kv-cache|cost)\.html$/.test(file);
  const isLooked = looksAt(/(^|\/)elements\//);
  // What stands in a simulator, and what its slide says, axe has seen in the deck.
  const isSearched = looksAt(/(^|\/)(elements|read|simulators)\//);

  /** What takes its time on each slide is done for ten of them in a check. */
  const inTens = slides.map((_, at) => slides.slice(at, at + 10)).filter((_, at) => at % 10 === 0);

  /** Does something on each slide, in turn, in one page. */
  const onEachSlide = async (page, visit, language, some = slides) => {
    await page.goto(context.slideAddress(some[0], {}, language));
    const found = [];
    for (const slide of some) {
      await page.evaluate((number) => deckTest.show(number), slide);
      found.push(...(await visit(slide)));
    }
    return found;
  };

  for (const name of pages.filter((file) => isLooked(file, 'light'))) {
    check(`load: ${name} is quiet, names its language and has a title`, async (page) => {
      await page.goto(context.address(name));
      await page.waitForLoadState('networkidle');
      const about = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        title: document.title,
        policy:
          document.querySelector('meta[http-equiv="Content-Security-Policy" i]')?.content ?? '',
        inline: document.querySelectorAll(
          'style, script:not([src]):not([type="application/json"]), [style]',
        ).length,
        handlers: [...document.querySelectorAll('*')]
          .flatMap((node) => [...node.attributes])
          .filter((item) => /^on/.test(item.name)).length,
      }));
      assert.equal(about.lang, languageOf(name));
      assert.ok(about.title.length > 3);
      // The lab's frame has a policy of its own, which the lab's suite holds it to.
      if (name !== 'sandbox.html') {
        assert.match(about.policy, /default-src 'self'/);
        assert.match(about.policy, /script-src 'self' 'wasm-unsafe-eval'/);
      }
      // One page lets the reader name a host; scripts come from here alone there, too.
      const own = about.policy.replace(/; connect-src 'self' https:$/, '');
      assert.equal(own !== about.policy, /^(pt-BR\/)?model\.html$/.test(name));
      assert.doesNotMatch(own, /unsafe-inline|'unsafe-eval'|https?:/);
      assert.equal(about.handlers, 0);
    });

    check(`load: ${name} as built holds no inline script, style or handler`, async () => {
      const html = context.page(name);
      assert.doesNotMatch(html, /<style[\s>]/i);
      // The lab's frame has one, which its policy names by the hash of its text.
      if (name !== 'sandbox.html')
        assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)(?![^>]*application\/json)[^>]*>/i);
      assert.doesNotMatch(html, /<[^>]+\sstyle=/i);
      assert.doesNotMatch(html, /<[^>]+\son[a-z]+=/i);
    });

    check(`load: ${name} as built gives no id to two things`, async () => {
      const ids = elementsBelow(parse(context.page(name)), (node) => attribute(node, 'id')).map(
        (node) => attribute(node, 'id'),
      );
      none(ids.filter((id, i) => ids.indexOf(id) !== i));
    });
  }

  check('load: every slide comes up with its simulators live', async (page) => {
    const seen = await onEachSlide(page, async (slide) => {
      assert.equal(await page.evaluate(() => deckTest.currentSlide()), slide);
      return [slide];
    });
    assert.deepEqual(seen, slides);
  });

  check(
    'load: the page needs its policy: an inline style is refused',
    async (page, { troubles }) => {
      await page.goto(context.address('index.html'));
      await page.evaluate(() => {
        const node = document.createElement('p');
        node.setAttribute('style', 'color: red');
        document.body.append(node);
      });
      await eventually(() =>
        assert.ok(
          troubles.some((text) => text.startsWith('policy: style-src')),
          troubles.join('\n'),
        ),
      );
      troubles.length = 0;
    },
  );

  for (const scheme of ['light', 'dark']) {
    // In the dark only colours are others.
    const rules = scheme === 'light' ? undefined : COLOURS;
    for (const language of LANGUAGES) {
      for (const some of inTens) {
        check(
          `axe: slides ${some[0]} to ${some.at(-1)}, ${scheme}, ${sized(DESK)}${inWords(language)}`,
          async (page) => {
            // The page as a whole at its first slide; then what each of the others adds.
            const look = (slide) =>
              axe(
                page,
                `slide ${slide}`,
                slide === slides[0] ? undefined : `#slide-${slide}`,
                rules,
              );
            none(await onEachSlide(page, look, language, some));
          },
          { ...DESK, scheme },
        );
      }

      check(
        `axe: the column, ${scheme}, ${sized(PHONE)}${inWords(language)}`,
        async (page) => {
          await page.goto(context.slideAddress(slides[0], {}, language));
          for (const slide of slides) await page.evaluate((number) => deckTest.show(number), slide);
          none(await axe(page, 'column', undefined, rules));
        },
        { ...PHONE, scheme },
      );
    }

    for (const name of pages.filter((file) => !isDeck(file) && isSearched(file, scheme))) {
      check(
        `axe: ${name}, ${scheme}`,
        async (page) => {
          await page.goto(context.address(name));
          await page.waitForLoadState('networkidle');
          none(await axe(page, name, undefined, rules));
        },
        { ...DESK, scheme },
      );
    }

    check(
      `theme: ${scheme} is what the system asks for, and what a reader chooses holds`,
      async (page) => {
        await page.goto(context.address('index.html'));
        const lightness = () =>
          page.evaluate(() => {
            const [r, g, b] = getComputedStyle(document.body)
              .backgroundColor.match(/[\d.]+/g)
              .map(Number);
            return (r + g + b) / 3;
          });
        const dark = scheme === 'dark';
        assert.equal((await lightness()) < 100, dark);
        const chosen = dark ? 'light' : 'dark';
        await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), chosen);
        assert.equal((await lightness()) < 100, chosen === 'dark');
      },
      { ...DESK, scheme },
    );
  }

  check(
    'axe finds what it should: a picture without words, text without contrast',
    async (page) => {
      await page.goto(context.address('index.html'));
      await page.evaluate(() => {
        const picture = document.createElement('img');
        picture.src = 'none.png';
        document.querySelector('main, body').append(picture);
      });
      assert.ok((await axe(page, 'page')).some((line) => line.includes('image-alt')));
    },
    { expect: [/none\.png/, /404/] },
  );

  for (const [size, language] of LANGUAGES.flatMap((one) =>
    [DESK, HALL, PROJECTOR].map((size) => [size, one]),
  )) {
    check(
      `layout: no slide overflows at ${sized(size)}, and nothing is small${inWords(language)}`,
      async (page) => {
        const look = async (slide) => {
          const seen = await page.evaluate((number) => {
            const section = document.querySelector(`section[data-slide="${number}"]`);
            const bars = deckTest
              .deepAll('[data-control-bar], .control-bar, [role=toolbar]')
              .filter(
                (bar) =>
                  !section.contains(bar) &&
                  deckTest.isShown(bar) &&
                  bar.getBoundingClientRect().top > innerHeight / 2 &&
                  bar.getRootNode() === document,
              );
            const bottom = Math.min(
              innerHeight,
              ...bars.map((bar) => bar.getBoundingClientRect().top),
            );
            return {
              outside: deckTest.outside(section, { bottom }),
              clipped: deckTest.clipped(section),
              texts: deckTest.texts(document.body),
              targets: deckTest.targets(document),
              sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
              down: document.documentElement.scrollHeight - innerHeight,
            };
          }, slide);
          const where = `slide ${slide}`;
          const body = seen.texts.filter((item) => !item.raised);
          assert.ok(body.length > 3, `${where}: hardly any text is measured`);
          return [
            ...seen.outside.map((text) => `${where}: outside: ${text}`),
            ...seen.clipped.map((text) => `${where}: cut: ${text}`),
            ...(seen.sideways > 0
              ? [`${where}: the page scrolls sideways by ${seen.sideways}`]
              : []),
            ...(seen.down > 0 ? [`${where}: the page scrolls down by ${seen.down}`] : []),
            ...body
              .filter((item) => near(item.size, LEAST_TEXT))
              .map((item) => `${where}: ${item.size.toFixed(1)} px: ${item.text}`),
            ...seen.targets
              .filter((item) => near(item.width, LEAST_TARGET) || near(item.height, LEAST_TARGET))
              .map(
                (item) =>
                  `${where}: ${item.width.toFixed(1)}x${item.height.toFixed(1)}: ${item.name}`,
              ),
          ];
        };
        none(await onEachSlide(page, look, language));
      },
      size,
    );
  }

  const NARROW = [
    [sized(PHONE), PHONE],
    ['320x640', { width: 320, height: 640 }],
    ['1280x720 at 200 %', { width: 640, height: 360, deviceScaleFactor: 2 }],
    ['700x900', { width: 700, height: 900 }],
    ['667x375', { width: 667, height: 375 }],
  ];
  for (const [what, size, language] of LANGUAGES.flatMap((one) =>
    NARROW.map((narrow) => [...narrow, one]),
  )) {
    check(
      `layout: one column at ${what}, never sideways, nothing small${inWords(language)}`,
      async (page) => {
        await page.goto(context.slideAddress(slides[0], {}, language));
        const found = [];
        for (const slide of slides) {
          await page.evaluate((number) => deckTest.show(number), slide);
          const seen = await page.evaluate((number) => {
            const section = document.querySelector(`section[data-slide="${number}"]`);
            // The number of a slide may be long: what stands in the bar stands beside each other.
            const bar = [...document.querySelectorAll('.deck-bar :is(button, a, .bar-position)')]
              .filter(deckTest.isShown)
              .map((node) => node.getBoundingClientRect())
              .sort((one, other) => one.left - other.left);
            return {
              outside: deckTest.outside(section),
              clipped: deckTest.clipped(section),
              crossed: bar.filter((box, i) => i > 0 && box.left < bar[i - 1].right - 0.5).length,
            };
          }, slide);
          if (seen.crossed > 0) found.push(`slide ${slide}: the bar’s parts cover each other`);
          found.push(
            ...seen.outside.map((text) => `slide ${slide}: outside: ${text}`),
            ...seen.clipped.map((text) => `slide ${slide}: cut: ${text}`),
          );
        }
        const seen = await page.evaluate(() => ({
          sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          texts: deckTest.texts(document.body),
          targets: deckTest.targets(document),
          slides: [...document.querySelectorAll('section[data-slide]')].map(
            (node) => node.getBoundingClientRect().top,
          ),
        }));
        if (seen.sideways > 0) found.push(`the page scrolls sideways by ${seen.sideways}`);
        assert.ok(
          seen.slides.every((top, index) => index === 0 || top > seen.slides[index - 1]),
          'the slides do not follow each other down the page',
        );
        assert.ok(seen.texts.length > 50, 'hardly any text is measured');
        assert.ok(seen.targets.length > 20, 'hardly any control is measured');
        for (const { size: px, text, raised } of seen.texts)
          if (!raised && near(px, LEAST_TEXT)) found.push(`${px.toFixed(1)} px: ${text}`);
        for (const { width, height, name } of seen.targets) {
          if (near(width, LEAST_TARGET) || near(height, LEAST_TARGET))
            found.push(`${width.toFixed(1)}x${height.toFixed(1)}: ${name}`);
        }
        none(found);
      },
      size,
    );
  }

  check('layout: body text is at least 24 px on the 1280x720 slide', async (page) => {
    const found = await onEachSlide(page, (slide) =>
      page.evaluate((number) => {
        const section = document.querySelector(`section[data-slide="${number}"]`);
        return [...section.querySelectorAll('h2, .lede, p:not(.sources), li')]
          .filter(
            (node) =>
              deckTest.isShown(node) &&
              !node.closest('.notes, .sources, [class*="attn-"]') &&
              !/^attn-/.test(node.parentElement.localName),
          )
          .filter((node) => !node.closest('[inert]'))
          .map((node) => [Number.parseFloat(getComputedStyle(node).fontSize), node])
          .filter(([size]) => size < 23.9)
          .map(
            ([size, node]) =>
              `slide ${number}: ${size} px: ${node.textContent.trim().slice(0, 40)}`,
          );
      }, slide),
    );
    none(found);
  });

  check(
    'layout: wider letter, word and line spacing cuts nothing off in the column',
    async (page) => {
      await page.goto(context.address('index.html'));
      for (const slide of slides) await page.evaluate((number) => deckTest.show(number), slide);
      const found = await page.evaluate(async () => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }',
        );
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        for (const host of deckTest.deepAll('*').filter((node) => node.shadowRoot)) {
          host.shadowRoot.adoptedStyleSheets = [...host.shadowRoot.adoptedStyleSheets, sheet];
        }
        await deckTest.frame();
        return [
          ...deckTest.clipped(document.body),
          ...(document.documentElement.scrollWidth > document.documentElement.clientWidth
            ? ['the page scrolls sideways']
            : []),
        ];
      });
      none(found);
    },
    PHONE,
  );

  check(
    'keyboard: the deck goes forward, back, to the ends and to an overview, and says where it is',
    async (page) => {
      await page.goto(context.slideAddress(slides[0]));
      await page.evaluate((number) => deckTest.show(number), slides[0]);
      const current = () => page.evaluate(() => deckTest.currentSlide());
      const seen = [await current()];
      for (let press = 0; press < 200 && seen.length < slides.length; press += 1) {
        await page.keyboard.press('ArrowRight');
        await page.evaluate(() => deckTest.frame());
        const now = await current();
        if (now !== seen.at(-1)) seen.push(now);
      }
      assert.deepEqual(seen, slides);
      await page.keyboard.press('Home');
      await page.evaluate(
        (number) => deckTest.until(() => deckTest.currentSlide() === number, 'the first slide'),
        slides[0],
      );
      await page.keyboard.press('Escape');
      await page.evaluate(() =>
        deckTest.until(() => document.querySelector('.reveal.overview'), 'the overview'),
      );
      await page.keyboard.press('Escape');
      await page.evaluate(() =>
        deckTest.until(() => !document.querySelector('.reveal.overview'), 'the overview to close'),
      );
    },
  );

  check('keyboard: what is on other slides cannot be reached', async (page) => {
    await page.goto(context.slideAddress('15'));
    // All simulators are live, so that there is something to reach.
    for (const slide of [...slides, '15']) {
      await page.evaluate((number) => deckTest.show(number), slide);
    }
    const strangers = new Set();
    for (let press = 0; press < 120; press += 1) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate(() => deckTest.focused());
      if (here?.hostSlide && here.hostSlide !== '15')
        strangers.add(`${here.hostSlide}: ${here.name}`);
      if (here && !here.visible) strangers.add(`unseen: ${here.name}`);
    }
    assert.deepEqual([...strangers], []);
  });

  check(
    'motion: nothing moves when the system asks for stillness',
    async (page) => {
      await page.goto(context.slideAddress('15'));
      await page.evaluate(() => deckTest.show('15'));
      const moving = await page.evaluate(async () => {
        const [host] = deckTest.deepAll('attn-query');
        const running = new Set();
        const look = () => {
          for (const root of [document, host.shadowRoot]) {
            for (const animation of root.getAnimations()) {
              const { duration } = animation.effect.getComputedTiming();
              if (duration > 20)
                running.add(`${animation.effect.target?.className ?? ''} ${duration}`);
            }
          }
        };
        const state = host.getState();
        for (let step = 1; step <= 3; step += 1) {
          host.setState({ ...state, q: [step, 1] });
          await host.updateComplete;
          look();
          await deckTest.frame();
          look();
        }
        location.hash = '#slide-16';
        for (let step = 0; step < 10; step += 1) {
          await deckTest.frame();
          look();
        }
        return [...running];
      });
      assert.deepEqual(moving, []);
    },
    { reducedMotion: 'reduce' },
  );

  check(
    'motion: a number that changes is seen to change, for at most a quarter of a second',
    async (page) => {
      await page.goto(context.slideAddress('15'));
      await page.evaluate(() => deckTest.show('15'));
      const durations = await page.evaluate(async () => {
        const [host] = deckTest.deepAll('attn-query');
        host.setState({ ...host.getState(), q: [2, 1] });
        await host.updateComplete;
        return host.shadowRoot
          .getAnimations()
          .map((animation) => animation.effect.getComputedTiming().duration);
      });
      assert.ok(durations.length > 0, 'no number is seen to change');
      assert.ok(Math.max(...durations) <= 250, durations.join());
    },
  );

  for (const size of [DESK, PHONE]) {
    check(
      `print: from ${sized(size)} a page for each slide, every simulator drawn, white`,
      async (page) => {
        await page.goto(context.address('index.html'));
        await page.evaluate((number) => deckTest.show(number), slides[0]);
        await page.evaluate(async () => {
          const hosts = deckTest.deepAll('*').filter(deckTest.isSimulator);
          // Who prints before the scripts are there prints the opening figures, as they stand.
          await Promise.all(hosts.map((host) => customElements.whenDefined(host.localName)));
          dispatchEvent(new Event('beforeprint'));
          await deckTest.until(
            () => hosts.every((host) => deckTest.numberTexts(host).length > 0),
            'every simulator to be drawn for print',
          );
        });
        await page.emulateMedia({ media: 'print' });
        const drawn = await page.evaluate(() =>
          deckTest
            .deepAll('*')
            .filter(deckTest.isSimulator)
            .map((node) => {
              const { width, height } = node.getBoundingClientRect();
              const [number] = deckTest.deepAll('[data-num]', node).filter(deckTest.isShown);
              return { tag: node.localName, width, height, number: number?.textContent ?? null };
            }),
        );
        assert.ok(drawn.length >= context.simulators.length, JSON.stringify(drawn));
        for (const item of drawn) {
          assert.ok(item.number && item.width > 200 && item.height > 60, JSON.stringify(item));
        }
        const colours = await page.evaluate(() =>
          [
            document.documentElement,
            document.body,
            ...document.querySelectorAll('section[data-slide]'),
          ].map((node) => getComputedStyle(node).backgroundColor),
        );
        for (const colour of colours)
          assert.match(colour, /^rgba?\(255, 255, 255|^rgba\(0, 0, 0, 0\)/);
        await page.evaluate(() => dispatchEvent(new Event('afterprint')));
        await page.emulateMedia({ media: null });
        const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
        const count = [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page(?![a-z])/gi)].length;
        assert.equal(count, slides.length, `${count} pages for ${slides.length} slides`);
        // What stood on the screen before stands there after.
        await page.evaluate((number) => deckTest.show(number), slides.at(-1));
      },
      { ...size, scheme: 'dark' },
    );
  }

  check('figures: what the page shows is what the module computes', async (page) => {
    await page.goto(context.address('index.html'));
    await page.evaluate((number) => deckTest.show(number), slides[0]);
    const { values, rows, numbers, leftOut, simulatorFigures } = context.figures;
    const live = slidesOf(await page.content(), { page: true });
    assert.deepEqual(
      live.map(({ slide }) => slide),
      slides,
    );
    assert.equal(
      checkDeck({ slides: live, values, rows, numbers, leftOut, simulatorFigures }).join('\n'),
      '',
    );
  });

  check('figures: a digit changed in the page is caught', async (page) => {
    await page.goto(context.address('index.html'));
    await page.evaluate(() => {
      const figure = document.querySelector('section [data-figure]');
      figure.textContent = figure.textContent.replace(
        /\d(?=\D*$)/,
        (digit) => (Number(digit) + 1) % 10,
      );
    });
    const { values, rows, numbers, leftOut, simulatorFigures } = context.figures;
    const live = slidesOf(await page.content(), { page: true });
    assert.ok(
      checkDeck({ slides: live, values, rows, numbers, leftOut, simulatorFigures }).length > 0,
    );
  });
}
