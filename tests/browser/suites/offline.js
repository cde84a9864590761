/** The single files, opened by a double click: nothing but the file, and what it says of what it lacks. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'parse5';
import { exercises } from '../../../web/lab/exercises/index.js';
import { VARIANTS } from '../../../web/build/offline/bundle.mjs';
import { loadedBy } from '../../../web/build/offline/loads.mjs';
import { decode85 } from '../../../web/single/base85.js';
import { LECTURE_MODULES, limitOf } from '../../../web/build/offline/limits.mjs';
import { hashOf } from '../../../web/build/site/policy.mjs';
import { serve } from '../../../web/build/site/serve.mjs';
import { textOf } from '../../../web/build/site/tree.mjs';
import { ROOT } from '../../architecture/files.js';
import { attribute, elementsBelow } from '../../architecture/slides.js';
import { installLibrary } from '../page-library.js';
import { eventually, none } from '../runner.js';
import { expectedNumbers } from '../simulator.js';

const LECTURE = 'lecture.html';
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };
const [first] = exercises;

const runtimeFile = (file) =>
  readFileSync(new URL(`../../../web/runtime/${file}`, import.meta.url));
const withoutQuery = (url) => url.split(/[?#]/)[0];

const addressOf = ({ dist }, name, rest = '') =>
  `${pathToFileURL(path.join(dist, name)).href}${rest}`;

/** In the page: a simulator's state and the numbers that it shows, on a slide or alone. */
const seen = async (tag, slide) => {
  const host = document.querySelector(slide ? `[data-slide="${slide}"] ${tag}` : tag);
  await deckTest.ready(host);
  return { state: host.getState(), numbers: deckTest.numberTexts(host) };
};

/** What is shown is what the module computes in Node. */
async function agrees({ modules }, entry, { state, numbers }) {
  assert.ok(numbers.length > 0, entry.name);
  assert.deepEqual(numbers, await expectedNumbers(entry, modules, state), entry.name);
}

/** The elements of a file by their tags, and of its policy the sources by their directives. */
function take(html) {
  const tree = parse(html);
  const all = (tag) => elementsBelow(tree, (node) => node.tagName === tag);
  const content = attribute(all('meta')[0], 'content');
  const policy = new Map(
    content.split('; ').map((directive) => {
      const [name, ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
  return { all, policy };
}

/** What can be seen of a file without opening it. */
function holdsAll(context, name) {
  const bytes = readFileSync(path.join(context.dist, name));
  const limit = limitOf(name.replace('.html', ''));
  assert.ok(bytes.length <= limit, `${bytes.length} bytes, and the limit is ${limit}`);
  const html = bytes.toString();
  assert.ok(html.indexOf('<meta charset="utf-8"') < 1024, 'the charset comes too late');
  const { all, policy } = take(html);

  assert.equal(attribute(all('meta')[0], 'http-equiv'), 'content-security-policy');
  assert.deepEqual(policy.get('default-src'), ["'none'"]);
  assert.equal(policy.has('connect-src'), false);
  const sources = [...policy.values()].flat();
  none(sources.filter((one) => /unsafe-inline|'unsafe-eval'|https?:|\*/.test(one)));

  const blocks = all('script').filter((node) => attribute(node, 'data-file') !== undefined);
  const scripts = all('script').filter((node) => !blocks.includes(node));
  assert.equal(scripts.length, 3);
  for (const node of scripts) {
    assert.equal(attribute(node, 'src'), undefined);
    assert.ok(policy.get('script-src').includes(`'${hashOf(textOf(node))}'`));
    assert.doesNotMatch(textOf(node), /\bimport\s*\(|(^|[;}])import\s*["'{*\w]/m);
  }
  for (const node of all('style'))
    assert.ok(policy.get('style-src').includes(`'${hashOf(textOf(node))}'`));

  const loads = [...all('link'), ...all('img'), ...all('iframe'), ...all('source')]
    .map((node) => attribute(node, 'href') ?? attribute(node, 'src') ?? '')
    .filter((address) => !/^(data:|\?lang=)/.test(address));
  none(loads);
  none(
    all('style')
      .flatMap((node) => [...textOf(node).matchAll(/url\((?!data:font\/woff2;base64,)[^)]*/g)])
      .map(([address]) => address),
  );

  const entry = context.simulators.find((one) => `${one.name}.html` === name);
  const script = (one) => path.join(ROOT, `web/simulators/${one.name}/index.js`);
  const modules = entry
    ? [...new Set([entry.model.module ?? 'core', ...loadedBy(script(entry))])]
    : LECTURE_MODULES;
  const files = new Map(
    blocks
      .filter((node) => attribute(node, 'data-same') === undefined)
      .map((node) => [attribute(node, 'data-file'), gunzipSync(decode85(textOf(node)))]),
  );
  for (const node of blocks) {
    const same = attribute(node, 'data-same');
    if (same !== undefined) files.set(attribute(node, 'data-file'), files.get(same));
  }
  const wasm = [...files.keys()].filter((file) => file.endsWith('.wasm'));
  assert.deepEqual(
    wasm.sort(),
    modules.flatMap((one) => VARIANTS.map((variant) => `${one}.${variant}.wasm`)).sort(),
  );
  for (const file of wasm) assert.ok(files.get(file).equals(runtimeFile(`modules/${file}`)), file);
  if (modules.includes('tokens'))
    assert.ok(files.get('gpt2.bpe').equals(runtimeFile('vocabularies/gpt2.bpe')));

  // Each link leads within the file, or to an address that somebody reads as one.
  const pages = [
    html,
    ...[...files].filter(([file]) => file.endsWith('.html')).map(([, text]) => String(text)),
  ];
  // Of the lab's frame nothing is seen.
  const read = pages.filter((text) => !text.includes('Where programs run'));
  assert.equal(read.length, entry ? 2 : 7);
  none(
    read
      .flatMap((text) => elementsBelow(parse(text), (node) => node.tagName === 'a'))
      .map((node) => attribute(node, 'href'))
      .filter(
        (href) =>
          !/^(#|\?|https:\/\/)/.test(href) && !/^inside:(pt-BR\/)?attention-lab\.ipynb$/.test(href),
      ),
  );
}

export function offlineSuite(runner, context) {
  const { simulators, slides, singles } = context;
  const lecture = (rest) => addressOf(context, LECTURE, rest);

  /** In a page of its own, which may ask for nothing but the file. */
  const check = (what, run, options) =>
    runner.check(`single files: ${what}`, () =>
      context.withPage(async (page, opened) => {
        const asked = new Set();
        opened.context.on('request', (request) => asked.add(withoutQuery(request.url())));
        await run(page, opened);
        const own = withoutQuery(page.url());
        none([...asked].filter((url) => url !== own && !/^(data|blob):/.test(url)));
      }, options),
    );
  const open = async (page, address) => {
    await page.goto(address);
    await page.waitForSelector('html.live');
  };

  runner.check('single files: the lecture and every simulator are there (npm run build)', () => {
    const wanted = [LECTURE, ...simulators.map(({ name }) => `${name}.html`)];
    assert.deepEqual(singles, wanted.sort());
  });

  for (const name of singles) {
    runner.check(`single files: ${name} holds what it needs, by its policy, and no more`, () =>
      holdsAll(context, name),
    );
  }

  check('every slide of the lecture comes up, with the right numbers', async (page) => {
    await open(page, lecture());
    for (const slide of slides) {
      await page.evaluate((number) => deckTest.show(number), slide);
      for (const entry of simulators.filter((one) => one.slide === slide)) {
        const host = page.locator(`[data-slide="${slide}"] ${entry.tag}`).first();
        const shown = await host.evaluate((element) => ({
          state: element.getState(),
          numbers: deckTest.numberTexts(element),
        }));
        await agrees(context, entry, shown);
      }
    }
    assert.equal(await page.locator('#trouble').isVisible(), false);
  });

  check('the lecture changes its language, and its simulators stay as they were', async (page) => {
    const { tag } = simulators.find(({ name }) => name === 'query');
    await open(page, lecture('#slide-15'));
    await page.evaluate(() => deckTest.show('15'));
    await page
      .locator('.slides > .present')
      .locator(tag)
      .evaluate((element) => {
        element.state = { ...element.state, q: [3, 1] };
      });
    await page.locator('#bar [data-language]').click();
    await page.waitForSelector('html.live[lang=pt-BR]');
    await page.evaluate(() => deckTest.show('15'));
    const shown = () => page.evaluate(`(${seen})('${tag}', '15')`);
    await eventually(async () => assert.deepEqual((await shown()).state.q, [3, 1]));
    assert.match(await page.title(), /^15 · .* – Mecanismos de atenção$/);
    await page.locator('#bar [data-language]').click();
    await page.waitForSelector('html.live[lang=en]');
  });

  check('the speaker’s window opens and keeps in step', async (page, opened) => {
    await open(page, lecture('#slide-15'));
    await page.evaluate(() => deckTest.show('15'));
    const [speaker] = await Promise.all([
      opened.context.waitForEvent('page'),
      page.getByRole('button', { name: 'Speaker’s window' }).click(),
    ]);
    const position = (text) =>
      speaker.waitForFunction(
        (wanted) => document.getElementById('position')?.textContent.startsWith(wanted),
        text,
      );
    await position('15 /');
    await page.evaluate(() => {
      const element = document.querySelector('#slide-15 attn-query');
      element.state = { ...element.state, q: [3, 1] };
    });
    const mirror = speaker.frameLocator('iframe[title="The slide that the hall sees"]');
    const mirrored = () =>
      mirror.locator('#slide-15 attn-query').evaluate((element) => element.state?.q);
    await eventually(async () => assert.deepEqual(await mirrored(), [3, 1]));
    await speaker.getByRole('button', { name: 'Next slide', exact: true }).click();
    await position('16 /');
    assert.equal(await page.evaluate(() => deckTest.currentSlide()), '16');
  });

  check('the lab is a link away, and runs what is written', async (page, opened) => {
    await open(page, lecture('#slide-37'));
    const link = page.locator(`.slides a[href*="lab"][href$="#${first.id}"]`);
    const slide = await link.evaluate((element) => element.closest('section').dataset.slide);
    await page.evaluate((number) => deckTest.show(number), slide);
    const [lab] = await Promise.all([opened.context.waitForEvent('page'), link.click()]);
    await lab.waitForSelector('html.live');
    const shown = lab.locator('.lab-exercise:not([hidden])');
    await shown.locator('.cm-content').focus();
    await lab.keyboard.press('ControlOrMeta+a');
    await lab.keyboard.insertText(first.solution);
    await shown.locator('.lab-run').click();
    await shown.locator('.lab-verdict[data-phase=right]').waitFor();
    await lab.locator('.lab-slide a:visible').click();
    await lab.waitForSelector('html.deck-mode.live');
  });

  check('the notebook stands in it, and is saved by its link', async (page) => {
    await open(page, lecture('?lab'));
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('a[download]').click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'attention-lab.ipynb');
    const text = readFileSync(await saved.path());
    assert.ok(text.equals(readFileSync(path.join(context.dist, 'attention-lab.ipynb'))));
  });

  check('print has every slide, and every simulator drawn', async (page) => {
    await open(page, lecture());
    await page.evaluate(() => {
      globalThis.print = () => (document.documentElement.dataset.printed = 'yes');
    });
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('[data-do=print-now]').click();
    await page.waitForSelector('html[data-printed]');
    const still = await page.evaluate(() =>
      deckTest
        .deepAll('[data-simulator]')
        .filter((element) => deckTest.numberTexts(element).length === 0)
        .map(({ localName }) => localName),
    );
    assert.deepEqual(still, []);
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    const count = [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page(?![a-z])/gi)].length;
    assert.equal(count, slides.length);
  });

  check(
    'at 390x844 it is one column, and never scrolls sideways',
    async (page) => {
      await open(page, lecture());
      for (const slide of ['1', '15', slides.at(-1)])
        await page.evaluate((number) => deckTest.show(number), slide);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(sideways <= 0, `it scrolls sideways by ${sideways}`);
    },
    PHONE,
  );

  check(
    'what it lacks it says: other vocabularies, parts to read, the page that times',
    async (page) => {
      await open(page, lecture());
      const { tag, slide } = simulators.find(({ name }) => name === 'tokens');
      await page.evaluate((number) => deckTest.show(number), slide);
      const host = page.locator(`[data-slide="${slide}"] ${tag}`).first();
      const before = await host.evaluate((element) => element.getState());
      await host.evaluate((element) => {
        element.state = { ...element.state, vocabulary: 'o200k' };
      });
      await host.getByText('The vocabulary o200k is not in this file').first().waitFor();
      await host.evaluate((element, state) => {
        element.state = state;
      }, before);
      for (const [sheet, sentence] of [
        ['#contents', /The parts to read .* are on the lecture’s site/],
        ['#help', /times this device is on the lecture’s site/],
      ])
        assert.match((await page.locator(sheet).textContent()).replace(/\s+/g, ' '), sentence);
    },
    { expect: [/o200k/] },
  );

  for (const entry of simulators) {
    check(`${entry.name}.html opens in both languages, with the right numbers`, async (page) => {
      const name = `${entry.name}.html`;
      await open(page, addressOf(context, name));
      await page.waitForSelector(`${entry.tag}:defined`);
      await agrees(context, entry, await page.evaluate(`(${seen})('${entry.tag}')`));
      await page.locator('[data-language]').click();
      await page.waitForSelector('html.live[lang=pt-BR]');
      await page.waitForSelector(`${entry.tag}:defined`);
      const { numbers } = await page.evaluate(`(${seen})('${entry.tag}')`);
      assert.ok(numbers.length > 0);
    });
  }

  runner.check('single files: a server of ours sends them no policy but their own', async () => {
    const { address, close } = await serve({ folder: context.dist });
    const policyOf = async (name) =>
      (await fetch(address + name)).headers.get('content-security-policy');
    assert.equal(await policyOf(LECTURE), null);
    assert.equal(await policyOf('query.html'), null);
    assert.match(await policyOf('simulators/query.html'), /default-src 'self'/);
    await close();
  });
}

/** In Firefox and WebKit: they open, compute, turn, and run a program. */
export function offlineEngineSuite(runner, context, engine) {
  const { simulators, slides } = context;
  const check = (what, run) => runner.check(`${engine.name}: single files: ${what}`, run);
  const open = async (name, rest, size) => {
    await engine.open('about:blank');
    await engine.open(addressOf(context, name, rest), size);
    await engine.evaluate(installLibrary);
    await engine.evaluate(() =>
      deckTest.until(
        () => document.documentElement.classList.contains('live'),
        'the page to start',
      ),
    );
  };
  const quiet = async () =>
    assert.equal(await engine.evaluate(() => document.getElementById('trouble').hidden), true);

  check(
    'every slide of the lecture comes up, the first simulators with the right numbers',
    async () => {
      await open(LECTURE);
      for (const slide of slides) await engine.evaluate((number) => deckTest.show(number), slide);
      for (const name of ['live-row', 'query', 'tokens', 'tiles', 'kv-cache']) {
        const entry = simulators.find((one) => one.name === name);
        await engine.evaluate((number) => deckTest.show(number), entry.slide);
        await agrees(context, entry, await engine.evaluate(seen, entry.tag, entry.slide));
      }
      await quiet();
    },
  );

  check(
    'in Portuguese, in a window of its own: the speaker’s window asks for the lecture',
    async () => {
      await open(LECTURE, '?lang=pt-BR#slide-15');
      await engine.evaluate((number) => deckTest.show(number), '15');
      await engine.evaluate(() => {
        globalThis.heard = [];
        addEventListener('message', ({ data }) => globalThis.heard.push(data?.do));
      });
      await engine.press('s');
      await engine.evaluate(() =>
        deckTest.until(() => globalThis.heard.includes('hello'), 'the speaker’s window to ask'),
      );
      await quiet();
    },
  );

  check('the lab runs a program', async () => {
    await open(LECTURE, `?lab#${first.id}`);
    const verdict = await engine.evaluate(async () => {
      const section = document.querySelector('.lab-exercise:not([hidden])');
      section.querySelector('.lab-run').click();
      const done = '.lab-verdict:is([data-phase=right], [data-phase=wrong])';
      await deckTest.until(() => section.querySelector(done), 'the verdict');
      return section.querySelector(done).textContent;
    });
    assert.match(verdict, /on the first example/);
  });

  check('a simulator alone opens, with the right numbers', async () => {
    const entry = simulators.find(({ name }) => name === 'gradient');
    await open('gradient.html');
    await engine.evaluate(
      (tag) => deckTest.until(() => customElements.get(tag) !== undefined, 'the simulator'),
      entry.tag,
    );
    await agrees(context, entry, await engine.evaluate(seen, entry.tag));
    await quiet();
  });
}
