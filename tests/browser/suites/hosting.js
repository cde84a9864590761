/** The site where courses put it: in a folder of a server that knows nothing of it, and on a device without network. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'parse5';
import { prepareHosting } from '../../../web/build/site/hosting.mjs';
import { ROOT } from '../../architecture/files.js';
import { attribute, elementsBelow } from '../../architecture/slides.js';
import { axe } from '../axe.js';
import { launchChromium } from '../chromium.js';
import { courseSite } from '../course-site.js';
import { eventually, none } from '../runner.js';
import { expectedNumbers } from '../simulator.js';

const BASE = '/courses/nlp/deck/';
/** A name that only this browser resolves, to this machine, and takes for as safe as https. */
const HALL = 'lecture.test';
const MARK = 'data-second-build';

/** The next build: each page has another early script, whose old file is gone. */
async function nextBuild(dist) {
  const folder = mkdtempSync(path.join(tmpdir(), 'attention-deck-next-'));
  cpSync(dist, folder, { recursive: true });
  const early = readdirSync(path.join(folder, 'assets')).find((name) => name.startsWith('early-'));
  const script = `${readFileSync(path.join(folder, 'assets', early))}\ndocument.documentElement.setAttribute('${MARK}', '');\n`;
  const renamed = `early-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
  writeFileSync(path.join(folder, 'assets', renamed), script);
  rmSync(path.join(folder, 'assets', early));
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(early, renamed));
  }
  await prepareHosting(ROOT, folder);
  return { folder, early, renamed };
}

/** What a page has stored in this browser, whatever the way. */
const stored = (page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    caches: globalThis.caches ? await caches.keys() : [],
    databases: (await indexedDB.databases()).map(({ name }) => name),
    cookies: document.cookie,
    workers: navigator.serviceWorker
      ? (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope)
      : [],
  }));

/** A page’s own progress and settings, and no more. */
const LOCAL = /^attn-(theme|letters|offline|lab-solved|lab-code-[\w-]+)$/;
const SESSION = /^attn-(lecture|elapsed|turned|left [\w/.-]*)$/;

export function hostingSuite(runner, context) {
  const { dist } = context;

  /** A browser of its own, for which the course's server is a safe place with a name. */
  const inHall = (name, run, { course = {}, limit } = {}) =>
    runner.check(
      `hosting: ${name}`,
      async () => {
        const site = await courseSite({ folder: dist, base: BASE, ...course });
        const origin = `http://${HALL}:${site.port}`;
        const flags = [
          `--host-resolver-rules=MAP ${HALL} 127.0.0.1`,
          `--unsafely-treat-insecure-origin-as-secure=${origin}`,
        ];
        const browser = await launchChromium(flags, { whole: true });
        try {
          const profile = await browser.newContext({ viewport: { width: 1280, height: 720 } });
          await profile.addInitScript(context.library);
          const page = await profile.newPage();
          page.setDefaultTimeout(30_000);
          await run(page, {
            site,
            origin,
            profile,
            at: (file) => `${origin}${BASE}${file}`,
            live: async (file, where = page) => {
              await where.goto(`${origin}${BASE}${file}`);
              await where.waitForSelector('html.live');
            },
            /** The worker is in charge of the page, so everything is here. */
            kept: (where = page) =>
              where.evaluate(() =>
                deckTest.until(() => navigator.serviceWorker.controller, 'the worker', 30_000),
              ),
          });
        } finally {
          await browser.close();
          await site.stop().catch(() => {});
        }
      },
      { limit },
    );

  inHall(
    'after one visit the lecture goes on without network, in both languages',
    async (page, { site, live, kept, at }) => {
      await live('index.html#slide-15');
      await page.evaluate(() => deckTest.show('15'));
      assert.deepEqual((await stored(page)).workers, [], 'it did not wait until the page rests');
      await kept();
      const { caches: names, workers } = await stored(page);
      assert.equal(names.length, 1, names.join());
      assert.deepEqual(workers, [at('')]);
      assert.ok(!site.asked.some(({ path: one }) => /o200k|cl100k|lecture\.html/.test(one)));
      await site.stop();

      // The page of the first visit itself, and slides whose scripts it has not asked for.
      for (const slide of context.slides.filter((_, at) => at % 5 === 0))
        await page.evaluate((number) => deckTest.show(number), slide);
      await page.reload();
      await page.evaluate(() => deckTest.show('16'));
      await live('');
      for (const name of ['kv-cache', 'tokens', 'tiles']) {
        await live(`simulators/${name}.html`);
        await page.evaluate((tag) => deckTest.ready(document.querySelector(tag)), `attn-${name}`);
      }
      await live('read/cost.html');
      await live('lab.html');
      await live('pt-BR/index.html#slide-15');
      await page.evaluate(() => deckTest.show('15'));
      await live('pt-BR/contents.html');
      await live('contents.html');
      const says = page.locator('[data-offline] p');
      await eventually(async () => assert.match(await says.textContent(), /without network: \d/));
      assert.match(await says.textContent(), /[5-9]\.\d+\sMB\.$/);
    },
  );

  inHall('the next build takes over between two pages, whole', async (page, hall) => {
    const { site, live, kept, profile } = hall;
    const next = await nextBuild(dist);
    try {
      await live('index.html#slide-15');
      await kept();
      const other = await profile.newPage();
      await live('contents.html', other);
      site.change({ folder: next.folder });
      const isNew = (where) =>
        where.evaluate((mark) => document.documentElement.hasAttribute(mark), MARK);
      const waits = () =>
        page.evaluate(() =>
          deckTest.until(
            async () => (await navigator.serviceWorker.getRegistration()).waiting,
            'the next build',
            30_000,
          ),
        );
      await page.reload();
      assert.ok(!(await isNew(page)), 'a page of the new build with a worker of the old one');
      await waits();
      // Two windows are open: neither gets another build than the other has.
      await page.reload();
      await page.waitForSelector('html.live');
      assert.ok(!(await isNew(page)), 'the build changed under an open window');
      await other.close();
      const before = site.asked.length;
      await page.reload();
      await page.evaluate(() => deckTest.show('15'));
      assert.ok(await isNew(page), 'the old build stays');
      assert.ok(
        site.asked.slice(before).every(({ path: one }) => !one.includes(next.early)),
        'the old build was asked for',
      );
      // A busy machine takes its time to throw a build away.
      await eventually(async () => assert.equal((await stored(page)).caches.length, 1), 60);
      await site.stop();
      await live('contents.html');
      assert.ok(await isNew(page));
      await page.goto(hall.at('index.html#slide-24'));
      await page.evaluate(() => deckTest.show('24'));
      assert.ok(await isNew(page));
    } finally {
      rmSync(next.folder, { recursive: true, force: true });
    }
  });

  inHall('what is kept is told, removed at a word, and stays removed', async (page, hall) => {
    const { site, live, kept } = hall;
    await live('contents.html');
    const place = page.locator('[data-offline]');
    const button = place.locator('button');
    await eventually(async () => assert.match(await place.textContent(), /being copied/));
    await kept();
    await button.waitFor();
    assert.match(await place.textContent(), /Kept on this device .* \d\.\d+\sMB\.\s*Remove it/s);
    none(await axe(page, 'contents.html'));
    await button.click();
    await eventually(async () =>
      assert.match(await place.textContent(), /does not open .*Keep it .*about \d\.\d+\sMB/s),
    );
    const after = await stored(page);
    assert.deepEqual([after.caches, after.workers], [[], []]);
    assert.deepEqual(after.local, ['attn-offline']);
    await live('contents.html');
    await page.waitForTimeout(4500);
    assert.deepEqual((await stored(page)).workers, [], 'it came back by itself');
    await button.click();
    await eventually(async () => assert.match(await place.textContent(), /Kept on this device/));
    await site.stop();
    await live('index.html');
  });

  inHall('without room for a copy the site is as it was, and says so', async (page, hall) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', {
      origin: hall.origin,
      quotaSize: 1_000_000,
    });
    await hall.live('contents.html');
    const place = page.locator('[data-offline]');
    await eventually(async () => assert.match(await place.textContent(), /too little room/));
    assert.deepEqual((await stored(page)).caches, []);
    await hall.live('index.html#slide-15');
    await page.evaluate(() => deckTest.show('15'));
  });

  inHall('the worker leaves alone what is none of its business', async (page, hall) => {
    await hall.live('simulators/query.html');
    await hall.kept();
    const seen = await page.evaluate(async () => {
      const status = async (address, how) => (await fetch(address, how)).status;
      return [
        await status('../index.html', { method: 'POST' }),
        await status('../nothing.html'),
        await status('/elsewhere.html'),
      ];
    });
    assert.deepEqual(seen, [200, 404, 404]);
    const asked = hall.site.asked.map(({ method, path: one }) => `${method} ${one}`);
    for (const one of [`POST ${BASE}index.html`, `GET ${BASE}nothing.html`, 'GET /elsewhere.html'])
      assert.ok(asked.includes(one), one);
  });

  inHall(
    'in a stranger’s page nothing is kept',
    async (page, hall) => {
      await page.goto(`${hall.origin}/host.html`);
      const frame = page.frameLocator('iframe');
      await frame.locator('html.live').waitFor();
      await page.waitForTimeout(4500);
      const { workers, caches: names, local } = await stored(page);
      assert.deepEqual([workers, names, local], [[], [], []]);
    },
    {
      course: {
        pages: {
          '/host.html': `<!doctype html><title>Host</title><iframe src="${BASE}simulators/query.html"></iframe>`,
        },
      },
    },
  );

  runner.check(
    'hosting: pages link to the single files with their sizes, and the list holds them so',
    () =>
      context.withPage(async (page) => {
        const worker = context.page('sw.js');
        const kinds = /^(pt-BR\/)?(contents|embed|elements\/(?!index)[\w-]+)\.html$/;
        const linked = context.pages.filter((name) => kinds.test(name));
        assert.ok(linked.length > 50, linked.join());
        for (const name of linked) {
          const html = context.page(name);
          const places = elementsBelow(parse(html), (node) => attribute(node, 'data-single'));
          assert.ok(places.length > 0, `${name} links to no single file`);
          for (const place of places) {
            const file = attribute(place, 'data-single');
            const [link] = elementsBelow(place, ({ tagName }) => tagName === 'a');
            const [size] = elementsBelow(place, ({ tagName }) => tagName === 'data');
            assert.equal(path.posix.join(path.posix.dirname(name), attribute(link, 'href')), file);
            assert.equal(attribute(place, 'hidden'), undefined, `${name}: ${file}`);
            assert.equal(
              Number(attribute(size, 'value')),
              statSync(path.join(dist, file)).size,
              name,
            );
          }
          const hash = createHash('sha256').update(html).digest('base64');
          assert.ok(worker.includes(hash), `${name} is another than the worker’s list says`);
        }
        await page.goto(context.address('pt-BR/contents.html'));
        const arrives = page.waitForEvent('download');
        const link = page.getByRole('link', { name: 'lecture.html' });
        assert.match(await link.locator('..').textContent(), /lecture\.html \(\d,\d+\sMB\)/);
        await link.click();
        const download = await arrives;
        assert.equal(download.suggestedFilename(), 'lecture.html');
        await download.cancel();
      }),
  );

  runner.check('hosting: on the developer’s own machine nothing is kept', () =>
    context.withPage(async (page) => {
      await page.goto(context.address('contents.html'));
      await page.waitForSelector('html.live');
      await page.waitForTimeout(4500);
      const { workers, caches: names } = await stored(page);
      assert.deepEqual([workers, names], [[], []]);
      assert.ok(await page.locator('[data-offline]').isHidden());
    }),
  );

  runner.check('hosting: pages store settings and progress, and nothing else', () =>
    context.withPage(async (page, { context: profile }) => {
      const kinds = context.pages.filter(
        (name) => !/\/(simulators|read|elements)\/|^(simulators|read|elements)\//.test(name),
      );
      for (const name of [...kinds, 'simulators/query.html', 'read/cost.html']) {
        if (name === 'sandbox.html') continue;
        await page.goto(context.address(name));
        await page.waitForLoadState('load');
      }
      // What a lecturer and a student do: turn a slide, change the colours, open the second window, solve an exercise.
      await page.goto(context.slideAddress('15'));
      await page.evaluate(() => deckTest.show('16'));
      await page.keyboard.press('?');
      await page.keyboard.press('Escape');
      await page.evaluate(() => localStorage.setItem('attn-theme', 'dark'));
      await page.goto(context.address('lab.html'));
      await page.locator('.lab-exercise:not([hidden]) .lab-run').click();
      await page.locator('.lab-verdict[data-phase=wrong]').first().waitFor();
      const seen = await stored(page);
      const cookies = await profile.cookies();
      none([
        ...seen.local.filter((key) => !LOCAL.test(key)),
        ...seen.session.filter((key) => !SESSION.test(key)),
        ...seen.caches,
        ...seen.databases,
        ...cookies.map(({ name }) => `cookie ${name}`),
      ]);
    }),
  );

  const [query, tokens, tiles] = ['query', 'tokens', 'tiles'].map((name) =>
    context.simulators.find((entry) => entry.name === name),
  );
  const ENTRY = 'attention-deck.js';
  const ANYBODY = { 'access-control-allow-origin': '*' };
  const html = (head, body) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host page</title>${head}</head><body>${body}</body></html>`;

  /** A page of a stranger at one origin, whose script comes from another. */
  const inStrangersPage = (name, course, page, run) =>
    runner.check(`hosting: ${name}`, async () => {
      const site = await courseSite({ folder: dist, base: BASE, ...course });
      const host = await courseSite({ folder: tmpdir(), base: '/none/' });
      const from = `${site.origin}${BASE}`;
      host.change({ pages: { '/': page(from) } });
      try {
        await context.withPage(
          async (where) => {
            await where.goto(`${host.origin}/`);
            await run(where, { site, host });
          },
          { expect: [/./] },
        );
      } finally {
        await Promise.all([site.stop(), host.stop()]);
      }
    });
  const script = (from, more = '') =>
    `<script type="module" src="${from}${ENTRY}"${more}></script>`;
  const said = (page) =>
    page.evaluate(async () => {
      const alert = await deckTest.until(
        () => deckTest.deepAll('[role=alert]').find((node) => deckTest.isShown(node)),
        'a sentence',
        20_000,
      );
      return alert.textContent.trim().replace(/\s+/g, ' ');
    });
  const opening = async (page, entry) => {
    const seen = await page.evaluate(async (tag) => {
      const element = document.querySelector(tag);
      element.scrollIntoView();
      await customElements.whenDefined(tag);
      await deckTest.ready(element);
      return { state: element.getState(), numbers: deckTest.numberTexts(element) };
    }, entry.tag);
    assert.deepEqual(seen.state, entry.model.defaults);
    assert.deepEqual(seen.numbers, await expectedNumbers(entry, context.modules, seen.state));
  };

  inStrangersPage(
    'simulators from another origin compute and measure, and start no worker',
    { headers: ANYBODY },
    (from) =>
      html(
        script(from),
        `<attn-query></attn-query><attn-tokens></attn-tokens><attn-tiles></attn-tiles>`,
      ),
    async (page, { site }) => {
      await page.evaluate(() => {
        globalThis.workers = 0;
        for (const name of ['Worker', 'SharedWorker']) {
          globalThis[name] = new Proxy(globalThis[name], {
            construct() {
              globalThis.workers += 1;
              throw new Error('a worker from another origin');
            },
          });
        }
      });
      for (const entry of [query, tokens, tiles]) await opening(page, entry);
      const element = page.locator('attn-tiles');
      await element.evaluate((one) => one.setState({ ...one.getState(), view: 'timed' }));
      const button = element.getByRole('button', { name: 'Measure on this machine' });
      await button.click();
      await eventually(async () =>
        assert.match(await element.locator('.tiles-costs tbody').innerText(), /\d\s(ms|s)\b/),
      );
      await element.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await page.evaluate(() => globalThis.workers), 0);
      assert.ok(site.asked.some(({ path: one }) => one.endsWith('.wasm')));
      const { local, session, caches: names, workers } = await stored(page);
      assert.deepEqual([local, session, names, workers], [[], [], [], []]);
    },
  );

  inStrangersPage(
    'a server that keeps its module from other sites is named in the simulator’s place',
    { headersOf: (file) => (file.endsWith('.wasm') ? {} : ANYBODY) },
    (from) => html(script(from), '<attn-query></attn-query>'),
    async (page, { site }) => {
      const text = await said(page);
      assert.match(text, /Access-Control-Allow-Origin/);
      assert.ok(text.includes(site.origin), text);
    },
  );

  inStrangersPage(
    'where a server keeps its scripts from other sites, the words in the tag stay',
    {},
    (from) =>
      html(
        script(from),
        `<attn-query><a href="${from}simulators/query.html">Open the simulator</a></attn-query>`,
      ),
    async (page) => {
      await page.waitForTimeout(500);
      assert.ok(await page.getByRole('link', { name: 'Open the simulator' }).isVisible());
      assert.equal(await page.evaluate(() => customElements.get('attn-query')), undefined);
    },
  );

  const hashes = () => JSON.parse(context.page('integrity.json'));
  const pinned = (from) => script(from, ` integrity="${hashes()[ENTRY]}" crossorigin="anonymous"`);
  /** One byte more, where it changes nothing but the hash. */
  const touched = (wanted) => (file, bytes) =>
    wanted.test(file) ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes;

  inStrangersPage(
    'the script runs under the hash that the site tells',
    { headers: ANYBODY },
    (from) => html(pinned(from), '<attn-query></attn-query>'),
    (page) => opening(page, query),
  );

  inStrangersPage(
    'a script with a byte changed is refused under its hash',
    { headers: ANYBODY, change: touched(/^attention-deck\.js$/) },
    (from) => html(pinned(from), '<attn-query>Not here</attn-query>'),
    async (page) => {
      await page.waitForTimeout(1000);
      assert.equal(await page.evaluate(() => customElements.get('attn-query')), undefined);
      assert.ok(await page.getByText('Not here').isVisible());
    },
  );

  const mapped = (from) => {
    const integrity = Object.fromEntries(
      Object.entries(hashes())
        .filter(([file]) => file.endsWith('.js') && file !== 'sw.js')
        .map(([file, hash]) => [`${from}${file}`, hash]),
    );
    return html(
      `<script type="importmap">${JSON.stringify({ integrity })}</script>${script(from)}`,
      '<attn-query></attn-query>',
    );
  };

  inStrangersPage(
    'with an import map all scripts run under their hashes',
    { headers: ANYBODY },
    mapped,
    (page) => opening(page, query),
  );

  inStrangersPage(
    'with an import map a later script with a byte changed is refused, and that is said',
    { headers: ANYBODY, change: touched(/^assets\/query-/) },
    mapped,
    async (page) => {
      assert.match(await said(page), /script did not arrive/);
      assert.equal(await page.evaluate(() => customElements.get('attn-query')), undefined);
    },
  );

  /** The site in a folder of a server that knows no types and sends no header. */
  const onCourse = (name, course, run) =>
    runner.check(`hosting: ${name}`, async () => {
      const site = await courseSite({ folder: dist, base: BASE, ...course });
      try {
        await context.withPage(
          async (page, { troubles }) => {
            const at = (file) => `${site.origin}${BASE}${file}`;
            await run(page, { at, site, troubles });
          },
          { expect: [/./] },
        );
      } finally {
        await site.stop();
      }
    });

  for (const type of ['application/octet-stream', 'text/plain', undefined]) {
    onCourse(
      `in a folder of a server that sends modules as ${type ?? 'nothing'}`,
      { types: { '.wasm': type, '.bpe': type, '.json': type, '.woff2': type } },
      async (page, { at, site }) => {
        await page.goto(at(''));
        for (const { slide } of [query, tokens, tiles])
          await page.evaluate((number) => deckTest.show(number), slide);
        await page.goto(at('pt-BR/simulators/query.html'));
        await page.evaluate(() => deckTest.ready(document.querySelector('attn-query')));
        none(site.asked.map(({ path: one }) => one).filter((one) => !one.startsWith(BASE)));
      },
    );
  }

  for (const [what, missing, pattern] of [
    ['module', /\.wasm$/, /sends a web page instead of the WebAssembly module/],
    ['simulator’s script', /^assets\/query-/, /script did not arrive/],
    ['page’s script', /^assets\/main-[^.]*\.js/, /A script of this page did not arrive \(main-/],
  ]) {
    onCourse(
      `where the start page stands in for the missing ${what}, that is said`,
      { startPage: true, change: (file, bytes) => (missing.test(file) ? undefined : bytes) },
      async (page, { at }) => {
        await page.goto(at(`index.html#slide-${query.slide}`));
        assert.match(await said(page), pattern);
      },
    );
  }

  runner.check('hosting: the built site can stand in any folder of any server', () => {
    const files = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path
          .relative(dist, path.join(entry.parentPath ?? entry.path, entry.name))
          .split(path.sep)
          .join('/'),
      );
    const text = (file) => readFileSync(path.join(dist, file), 'utf8');
    const here = new Set(files);
    const found = [];
    // Caches keep what is in assets/ forever; some file systems do not tell A from a.
    for (const file of files.filter((one) => one.startsWith('assets/')))
      if (!/-[\w-]{8}\.\w+$/.test(file)) found.push(`${file} has no hash in its name`);
    const lower = files.map((file) => file.toLowerCase());
    found.push(...lower.filter((file, at) => lower.indexOf(file) !== at));
    assert.ok(here.has('.nojekyll'));
    for (const file of files) {
      if (!/^[\w./-]+$/.test(file)) found.push(`${file}: a name that not every server takes`);
      if (/\.(js|mjs)$/.test(file) && /["'`(]\/(assets|simulators|read|pt-BR)\//.test(text(file)))
        found.push(`${file}: an address from the server’s top`);
      if (!file.endsWith('.html')) continue;
      const references = elementsBelow(parse(text(file)), () => true).flatMap((node) =>
        ['src', 'href'].map((name) => attribute(node, name)).filter(Boolean),
      );
      for (const reference of references) {
        if (/^([a-z][\w+.-]*:|#|\?)/i.test(reference)) continue;
        if (reference.startsWith('/')) found.push(`${file}: ${reference}`);
        const target = path.posix.normalize(
          path.posix.join(path.posix.dirname(file), reference.replace(/[?#].*$/, '')),
        );
        if (!here.has(target)) found.push(`${file}: ${reference} leads nowhere`);
      }
    }
    none(found);
    assert.match(text('_headers'), /^\/assets\/\*\n {2}Cache-Control: .*immutable$/m);
    for (const [file, hash] of Object.entries(hashes())) {
      const digest = createHash('sha384').update(readFileSync(path.join(dist, file)));
      assert.equal(hash, `sha384-${digest.digest('base64')}`, file);
    }
  });
}
