/**
 * Every recipe of the page embed.html in its host (tests/browser/hosts): the pages come from one origin, script and frames from
 * another, as a teacher has it.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FRAME_HEIGHT } from '../../../web/pages/embed/recipes.js';
import { leastHidden } from '../../../web/build/site/fits.mjs';
import { copied } from '../clipboard.js';
import { measureHeights, measureRooms } from '../heights.js';
import { serveHosts } from '../hosts.js';
import { installLibrary } from '../page-library.js';
import { eventually, none } from '../runner.js';
import { WATCH, serve } from '../server.js';
import { expectedNumbers } from '../simulator.js';
import { stateOfCase } from '../../../web/shared/opening.js';

/**
 * Where a simulator stands in each host. `before` opens the page where the simulator is not to be seen, `turn` shows it; `place` is what
 * an arrow key must leave alone while a slider has the focus, and `onward` is whether the same key moves it otherwise.
 */
const revealPlace = () => JSON.stringify(globalThis.Reveal?.getIndices());
const HOSTS = {
  html: { page: 'html/index.html' },
  reveal: { page: 'reveal/index.html', place: revealPlace, onward: true },
  quarto: { page: 'quarto/deck.html#/before', place: revealPlace, onward: true },
  'quarto as a page': { page: 'quarto/page.html' },
  marp: { page: 'marp/deck.html#1', place: () => location.hash, onward: true },
  slidev: { page: 'slidev/index.html#/1', place: () => location.hash, onward: true },
  'jupyter nbconvert': { page: 'jupyter/query.html' },
  'jupyter lab': {
    page: 'jupyter/lab.html',
    place: () => globalThis.commandsRun.length,
    onward: true,
    // Its keys are those of a notebook's cells.
    focus: '.jp-Cell',
  },
  mkdocs: { page: 'mkdocs/index.html', link: 'One query' },
};

/** What `npm run heights` measured last. */
const measured = JSON.parse(
  readFileSync(new URL('../../../web/pages/embed/heights.json', import.meta.url)),
);
/** Typefaces round, and the height of a line of text is at stake. */
const NEAR_PX = 8;

/** The page of the recipe for a disk, with the simulator's file beside it. */
function onDisk(dist) {
  const folder = mkdtempSync(path.join(tmpdir(), 'attention-deck-disk-'));
  const source = fileURLToPath(new URL('../hosts/file/index.html', import.meta.url));
  copyFileSync(source, path.join(folder, 'index.html'));
  copyFileSync(path.join(dist, 'query.html'), path.join(folder, 'query.html'));
  return {
    address: pathToFileURL(path.join(folder, 'index.html')).href,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const isDeck = ({ onward, focus }) => onward && !focus;

/** What the page's first simulator shows, once it shows numbers. */
const seen = async () => {
  const element = await deckTest.until(
    () => document.querySelector('attn-query'),
    'the simulator’s tag',
  );
  await deckTest.ready(element);
  return { state: element.getState(), numbers: deckTest.numberTexts(element) };
};

const shown = () => {
  const element = document.querySelector('attn-query');
  return element !== null && deckTest.isShown(element);
};

/** The slider for the first number of the query gets the focus. */
const focusSlider = () => {
  const slider = document.querySelector('attn-query').shadowRoot.querySelector('[data-slider]');
  slider.focus();
  return { path: slider.dataset.slider, value: Number(slider.value), step: Number(slider.step) };
};

const firstOfQuery = (state) => state.q[0];

function agreesWith({ simulators, modules }) {
  const entry = simulators.find(({ name }) => name === 'query');
  const river = stateOfCase(entry.model, 'river');
  const agrees = async ({ state, numbers }, wanted = river) => {
    assert.deepEqual(state, wanted);
    assert.deepEqual(numbers, await expectedNumbers(entry, modules, wanted));
  };
  return { agrees, river };
}

/** @returns {Promise<() => Promise<void>>} what ends the servers, when the checks have run */
export async function recipeSuite(runner, context) {
  const site = await serve(context.dist, { cors: true });
  const hosts = await serveHosts(site.origin);
  const { agrees, river } = agreesWith(context);
  const own = [
    ...[site, hosts].map(({ origin }) => new RegExp(`^${origin}/`)),
    // Slidev keeps the screen from going dark, which a browser without a screen refuses.
    /Wake Lock/,
  ];
  const check = (name, run, options) =>
    runner.check(`recipe ${name}`, () => context.withPage(run, { expect: own, ...options }));
  const at = (page) => `${hosts.origin}/${page}`;

  /** Opens a host and goes to where its simulator stands. */
  const turnTo = async (page, host) => {
    await page.goto(at(host.page));
    if (host.link) {
      await page.evaluate(() => {
        globalThis.sameDocument = true;
      });
      await page.getByRole('link', { name: host.link, exact: true }).first().click();
    }
    if (!isDeck(host)) return;
    await page.waitForFunction(host.place);
    assert.equal(await page.evaluate(shown), false, 'it is seen on the slide before');
    await page.keyboard.press('ArrowRight');
  };

  // Decks fill the window, so that here they are scaled.
  const large = { width: 1600, height: 900 };
  for (const [name, host] of Object.entries(HOSTS)) {
    check(
      `${name}: shows the case, keeps its keys, and takes the pointer where it is`,
      async (page) => {
        await turnTo(page, host);
        await agrees(await page.evaluate(seen));
        if (host.link) assert.ok(await page.evaluate(() => globalThis.sameDocument));

        const place = host.place ?? (() => location.href);
        const before = await page.evaluate(place);
        const slider = await page.evaluate(focusSlider);
        for (const key of ['ArrowRight', 'ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
        const moved = await page.evaluate(seen);
        assert.equal(firstOfQuery(moved.state), slider.value + slider.step);
        assert.equal(await page.evaluate(place), before, 'the host answered a slider’s key');

        await clicks(page);
        if (!host.onward) return;
        await page.keyboard.press('Escape');
        if (host.focus) await page.locator(host.focus).first().focus();
        await page.keyboard.press('ArrowRight');
        await eventually(async () => assert.notEqual(await page.evaluate(place), before));
      },
      isDeck(host) ? large : {},
    );
  }

  /** A cell, a choice and a point of the drawing, each at its place in the window, however much the host scales it. */
  async function clicks(page) {
    const box = (selector, { scroll = true } = {}) =>
      page.evaluate(
        ([wanted, scrolls]) => {
          const found = document.querySelector('attn-query').shadowRoot.querySelector(wanted);
          const target = found.closest('label') ?? found;
          if (scrolls) target.scrollIntoView({ block: 'center', behavior: 'instant' });
          const { x, y, width, height } = target.getBoundingClientRect();
          return [x + width / 2, y + height / 2];
        },
        [selector, scroll],
      );
    for (const path of ['K.2.1', 'V.0.0', 'K.0.0']) {
      await page.mouse.click(...(await box(`.cell[data-path="${path}"]`)));
      assert.equal(await page.evaluate(() => deckTest.focused().path), path);
    }
    await page.mouse.click(...(await box('input[type=radio][value="0"]')));
    assert.equal((await page.evaluate(seen)).state.row, 0);
    const [x, y] = await box('.plane-handle');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 30, y + 20, { steps: 3 });
    await page.mouse.up();
    const [newX, newY] = await box('.plane-handle', { scroll: false });
    const off = Math.hypot(newX - (x - 30), newY - (y + 20));
    assert.ok(off < 12, `the arrow’s head is ${off.toFixed(0)} px from the pointer`);
  }

  check(
    'reveal: on a scaled slide a map takes the cell under the pointer',
    async (page) => {
      await turnTo(page, HOSTS.reveal);
      await page.waitForFunction(shown);
      const n = 40;
      const at = await page.evaluate(async () => {
        const element = document.createElement('attn-matrix');
        element.setAttribute('hide', 'cases,toolbar');
        element.style.setProperty('--attn-font-size', '16px');
        document.querySelector('section.present').replaceChildren(element);
        await deckTest.ready(element);
        globalThis.Reveal.layout();
        const cell = element.shadowRoot.querySelector('[data-at="2.4"]');
        const { x, y, width, height } = cell.getBoundingClientRect();
        return { scale: width / cell.offsetWidth, place: [x + width / 2, y + height / 2] };
      });
      assert.ok(Math.abs(at.scale - 1) > 0.1, `the deck is scaled by ${at.scale}`);
      const chosen = () =>
        page.evaluate(() => {
          const { row, column } = document.querySelector('attn-matrix').getState();
          return [row, column];
        });
      await page.mouse.click(...at.place);
      assert.deepEqual(await chosen(), [2, 4]);

      const box = await page.evaluate(async (words) => {
        const element = document.querySelector('attn-matrix');
        element.setState({ ...element.getState(), text: 'word '.repeat(words).trim() });
        await element.updateComplete;
        const { x, y, width, height } = element.shadowRoot
          .querySelector('.map-picture')
          .getBoundingClientRect();
        return { x, y, width, height };
      }, n);
      await page.mouse.click(box.x + (11.5 * box.width) / n, box.y + (7.5 * box.height) / n);
      assert.deepEqual(await chosen(), [7, 11]);
    },
    large,
  );

  check(
    'page: the code names this site, a button copies it, and nothing scrolls sideways',
    async (page) => {
      await page.goto(context.address('pt-BR/embed.html'));
      const [first] = await page.getByRole('button', { name: 'Copiar' }).all();
      const taken = await copied(page, async () => {
        await first.click();
        await page.evaluate(() => deckTest.frame());
      });
      const script = `${context.origin}/attention-deck.js?lang=pt-BR`;
      assert.equal(taken, `<script type="module" src="${script}"></script>`);
      for (const summary of await page.locator('summary').all()) await summary.click();
      const [text, sideways] = await page.evaluate(() => [
        document.querySelector('main').textContent,
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ]);
      assert.doesNotMatch(text, /attention\.example/);
      assert.ok(sideways <= 0, `it scrolls sideways by ${sideways}`);
    },
    { width: 390, height: 844 },
  );

  check(
    'page: the table says what was measured, and what was measured still holds',
    async (page) => {
      const rooms = await measureRooms(page, hosts.origin);
      const near = (one, other) => Math.abs(one - other) <= NEAR_PX;
      const off = Object.entries(measured.rooms).filter(
        ([deck, { width, height }]) =>
          rooms[deck].width !== width || !near(rooms[deck].height, height),
      );
      none(off.map(([deck]) => `${deck} has ${JSON.stringify(rooms[deck])}: run npm run heights`));
      const widths = Object.values(rooms).map(({ width }) => width);
      const wrong = [];
      for (const { name } of context.simulators) {
        const before = measured.heights.en[name];
        const now = await measureHeights(page, `${site.origin}/simulators/${name}.html`, widths);
        const all = ({ slides, frames }) =>
          [...Object.values(slides), Object.values(frames)].flat();
        if (!before) wrong.push(`${name} was never measured`);
        else if (!all(now).every((height, at_) => near(height, all(before)[at_])))
          wrong.push(`${name} was ${all(before)} px and is ${all(now)}`);
      }
      none(wrong.map((line) => `${line}: run npm run heights`));
      const { frames } = measured.heights.en.query;
      assert.ok(
        frames[960] <= FRAME_HEIGHT && FRAME_HEIGHT - frames[960] < 50,
        `${frames[960]} px`,
      );
    },
  );

  check('reveal: below a heading fits what the table lets fit', async (page) => {
    await turnTo(page, HOSTS.reveal);
    const { width, height } = measured.rooms.reveal;
    const slide = page.locator('section.present');
    // As it was measured: in a typeface as wide as those of most systems.
    const fonts = readdirSync(path.join(context.dist, 'assets')).filter((name) =>
      /^atkinson-hyperlegible-(next|mono)-latin-wght-normal-.*\.woff2$/.test(name),
    );
    assert.equal(fonts.length, 2, fonts.join());
    await page.evaluate(
      ([mono, text]) =>
        Promise.all(
          Object.entries({ mono, text }).map(([name, address]) => {
            const face = new FontFace(`wide-${name}`, `url(${address})`, { weight: '200 800' });
            document.fonts.add(face);
            return face.load();
          }),
        ),
      fonts.sort().map((name) => `${site.origin}/assets/${name}`),
    );
    const least = Object.entries(measured.heights.en)
      .map(([name, { slides }]) => [name, leastHidden(slides[width], height)])
      .filter(([, hide]) => hide !== '');
    assert.ok(least.length > 0, 'nothing has to be hidden anywhere');
    for (const [name, hide] of [...least, ['positions', '']]) {
      assert.notEqual(hide, undefined, name);
      const { high, below } = await slide.evaluate(
        async (section, [tag, hidden]) => {
          const element = document.createElement(tag);
          element.setAttribute('hide', hidden);
          element.style.setProperty('--attn-font-size', '16px');
          element.style.setProperty('--attn-font', 'wide-text');
          element.style.setProperty('--attn-font-mono', 'wide-mono');
          section.querySelector('h2 ~ *').replaceWith(element);
          await deckTest.ready(element);
          await deckTest.frame();
          const [end, room] = [section, section.parentElement].map(
            (node) => node.getBoundingClientRect().bottom,
          );
          return { high: section.offsetHeight, below: end - room };
        },
        [`attn-${name}`, hide],
      );
      assert.ok(high <= 700, `${name} with hide="${hide}" makes the slide ${high} px high`);
      // reveal.js put the slide in the middle before the simulator had its height.
      assert.ok(below <= 1, `${name} with hide="${hide}" ends ${below} px below the deck`);
    }
  });

  check(
    'file: opened by a double click, the page has it in a frame',
    async (page) => {
      const disk = onDisk(context.dist);
      try {
        await page.goto(disk.address);
        const frame = await eventually(() => {
          const found = page.frames().find((one) => one.url().includes('query.html?case=river'));
          assert.ok(found, 'the frame is empty');
          return found;
        });
        await frame.waitForSelector('attn-query:defined');
        await frame.evaluate(installLibrary);
        await agrees(await frame.evaluate(seen));
        const [wanted, given, scheme] = await frame.evaluate(() => [
          document.body.getBoundingClientRect().height,
          innerHeight,
          getComputedStyle(document.querySelector('attn-query')).colorScheme,
        ]);
        assert.ok(wanted <= given, `${given} px for ${wanted}`);
        assert.equal(scheme, 'light');
      } finally {
        disk.remove();
      }
    },
    { scheme: 'dark' },
  );

  check('mkdocs: pages that are turned to without loading get their simulators', async (page) => {
    await page.goto(at('mkdocs/query.html'));
    await agrees(await page.evaluate(seen));
    await page.evaluate(() => {
      globalThis.sameDocument = true;
      document.querySelector('attn-query').setState({ q: [3, 3] });
    });
    for (const link of ['Notes', 'One query'])
      await page.getByRole('link', { name: link, exact: true }).first().click();
    await page.waitForURL('**/query.html');
    await agrees(await page.evaluate(seen));
    assert.ok(await page.evaluate(() => globalThis.sameDocument), 'the page was loaded anew');
  });

  for (const [name, page_] of [
    ['html', 'html/index.html'],
    ['reveal', 'reveal/index.html'],
    ['marp', 'marp/deck.html#1'],
  ]) {
    check(`${name}: printed, it draws, seen before or not`, async (page) => {
      await page.goto(at(page_));
      await page.emulateMedia({ media: 'print' });
      await page.pdf();
      await agrees(await page.evaluate(seen));
    });
  }

  check('reveal: ?print-pdf draws every slide', async (page) => {
    await page.goto(at('reveal/index.html?print-pdf'));
    await page.waitForSelector('.pdf-page');
    await agrees(await page.evaluate(seen));
    const height = await page.evaluate(
      () => document.querySelector('.pdf-page attn-query').getBoundingClientRect().height,
    );
    assert.ok(height > 200, `it is ${height} px high`);
  });

  check('html: two copies of the script do no harm', async (page) => {
    await page.goto(at('html/index.html'));
    for (const copy of ['?again', '?lang=en'])
      await page.addScriptTag({ type: 'module', url: `${site.origin}/attention-deck.js${copy}` });
    await agrees(await page.evaluate(seen));
    const slider = await page.evaluate(focusSlider);
    await page.keyboard.press('ArrowRight');
    const { state } = await page.evaluate(seen);
    assert.equal(firstOfQuery(state), slider.value + slider.step);
    assert.deepEqual({ ...state, q: river.q }, river);
  });

  const frames = {
    html: 0,
    reveal: 2,
    quarto: 2,
    marp: 2,
    slidev: 2,
    mkdocs: 0,
    'jupyter nbconvert': 0,
    'jupyter lab': 0,
  };
  for (const [name, turns] of Object.entries(frames)) {
    check(`${name}: in a frame, as high as its page`, async (page) => {
      await turnTo(page, HOSTS[name]);
      for (let turn = 1; turn < turns; turn += 1) await page.keyboard.press('ArrowRight');
      await page.locator('iframe').last().scrollIntoViewIfNeeded();
      const frame = await eventually(() => {
        const found = page.frames().find((one) => one.url().startsWith(site.origin));
        assert.ok(found, 'the frame is empty');
        return found;
      });
      await frame.waitForLoadState();
      await frame.evaluate(installLibrary);
      await agrees(await frame.evaluate(seen));
      await eventually(async () => {
        // A border of the host's own may be counted in.
        const wanted = await frame.evaluate(
          () => document.documentElement.getBoundingClientRect().height,
        );
        const given = await page
          .locator('iframe')
          .last()
          .evaluate((node) => node.clientHeight);
        assert.notEqual(given, 500);
        assert.ok(Math.abs(wanted - given) <= 4, `${given} px for ${wanted}`);
      });
    });
  }

  return async () => {
    await hosts.close();
    await site.close();
  };
}

/** The same in another engine: a page of HTML, a deck, and a page on the disk. */
export async function recipeEngineSuite(runner, context, engine) {
  const site = await serve(context.dist, { cors: true });
  const hosts = await serveHosts(site.origin, { head: `<script>${WATCH}</script>` });
  const { agrees } = agreesWith(context);
  const check = (what, run) => runner.check(`${engine.name}: recipe ${what}`, run);

  for (const name of ['html', 'reveal']) {
    const host = HOSTS[name];
    check(`${name}: shows the case and keeps its keys`, async () => {
      await engine.open('about:blank');
      await engine.open(`${hosts.origin}/${host.page}`);
      await engine.evaluate(installLibrary);
      const place = host.place ?? (() => location.href);
      if (host.place) {
        await engine.evaluate(() => deckTest.until(() => globalThis.Reveal?.isReady(), 'the deck'));
        await engine.press('ArrowRight');
      }
      await agrees(await engine.evaluate(seen));
      const before = await engine.evaluate(place);
      const slider = await engine.evaluate(focusSlider);
      await engine.press('ArrowRight');
      const { state } = await engine.evaluate(seen);
      assert.equal(firstOfQuery(state), slider.value + slider.step);
      assert.equal(await engine.evaluate(place), before, 'the host answered a slider’s key');
      if (host.place) {
        await engine.press('Escape');
        await engine.press('ArrowRight');
        assert.notEqual(await engine.evaluate(place), before);
      }
      assert.deepEqual(await engine.evaluate(() => globalThis.troubles), []);
    });
  }

  check('file: opened by a double click, the page has it in a frame', async () => {
    const disk = onDisk(context.dist);
    try {
      await engine.open(disk.address);
      await engine.evaluate(installLibrary);
      // Another origin, as far as a browser can tell: what is heard of it is its height.
      const [wanted, given] = await engine.evaluate(async () => {
        let height = 0;
        addEventListener('message', ({ data }) => {
          if (data?.tag === 'attn-query') height = data.height;
        });
        const frame = document.querySelector('iframe');
        frame.src = frame.getAttribute('src');
        await deckTest.until(() => height > 300, 'the simulator in the frame');
        return [height, frame.clientHeight];
      });
      assert.ok(wanted <= given, `${given} px for ${wanted}`);
    } finally {
      disk.remove();
    }
  });

  return async () => {
    await hosts.close();
    await site.close();
  };
}
