/**
 * `npm run bench:site [-- --json] [--moves 200] [--loads 11] [--only matrix,rope]`: the speed and size of the built site, printed with
 * the machine and the engine. `--only`: of the sliders those of these simulators, and no sizes; `--only embed`: what a stranger's page
 * waits for. Nothing here passes or fails; the limits stand beside the numbers.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { loadModules, models } from '../architecture/figures.js';
import { ROOT } from '../architecture/files.js';
import { launchChromium } from '../browser/chromium.js';
import { installLibrary } from '../browser/page-library.js';
import { serve } from '../browser/server.js';
import { allSimulators, changedState } from '../browser/simulator.js';
import { timeEmbeds } from './embedding.mjs';
import { limitOf } from '../../web/build/offline/limits.mjs';
import { isSingleFile } from '../../web/build/site/policy.mjs';
import { LIMIT_BYTES, built, weigh } from '../../web/build/sizes.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    moves: { type: 'string', default: '200' },
    loads: { type: 'string', default: '11' },
    only: { type: 'string' },
    dist: { type: 'string', default: path.join(ROOT, 'dist') },
  },
});
const dist = path.resolve(options.dist);
const inSite = (name) => existsSync(path.join(dist, name));
if (!existsSync(path.join(dist, 'index.html'))) {
  console.error(`There is no built site in ${dist}: run npm run build first.`);
  process.exit(2);
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => {
  const list = sorted(values);
  return list[Math.min(list.length - 1, Math.ceil(share * list.length) - 1)];
};
const median = (values) => quantile(values, 0.5);

const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

const results = [];
const add = (what, value, unit, detail = '', limit = '') =>
  results.push({ what, value, unit, detail, limit });

/* ---- sizes -------------------------------------------------------------------------------------- */

const chosen = options.only?.split(',');
for (const { name, variant, title } of chosen ? [] : built) {
  const weight = weigh(name, variant);
  add(
    `module ${title}, brotli`,
    weight.brotli / 1024,
    'KiB',
    `plain ${weight.bytes} B`,
    `${LIMIT_BYTES[name] / 1000} KB`,
  );
}

const vocabularyFolder = path.join(ROOT, 'web/runtime/vocabularies');
for (const name of !chosen && existsSync(vocabularyFolder)
  ? readdirSync(vocabularyFolder).sort()
  : []) {
  const bytes = readFileSync(path.join(vocabularyFolder, name));
  add(`vocabulary ${name}, brotli`, compressed(bytes) / 1024, 'KiB', `plain ${bytes.length} B`);
}

const singles = chosen ? [] : readdirSync(dist).filter((name) => isSingleFile(name, inSite));
for (const name of singles) {
  const bytes = readFileSync(path.join(dist, name));
  const limit = limitOf(name.replace('.html', ''));
  add(`single file ${name}`, bytes.length / 1e6, 'MB', '', `${limit / 1e6} MB`);
}

/* ---- in the browser ------------------------------------------------------------------------------ */

const server = await serve(dist);
const browser = await launchChromium([], { whole: true });
const at = (slide) => `${server.origin}/index.html#slide-${slide}`;

const openCold = async (slide) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.addInitScript(`(${installLibrary})()`);
  await page.addInitScript(() => {
    addEventListener('ready', () => (globalThis.firstReady ??= performance.now()));
  });
  const fetched = [];
  page.on('response', (response) => fetched.push(response.url()));
  await page.goto(at(slide));
  await page.evaluate(() => deckTest.until(() => globalThis.firstReady, 'the first simulator'));
  const ready = await page.evaluate(() => globalThis.firstReady);
  return { context, page, ready, fetched };
};

const timesOfFirst = [];
let fetchedFirst;
for (let load = 0; load < Number(options.loads); load += 1) {
  const { context, ready, fetched } = await openCold('1');
  timesOfFirst.push(ready);
  fetchedFirst = fetched;
  await context.close();
}
add(
  'first simulator interactive, cold',
  median(timesOfFirst),
  'ms',
  `median of ${timesOfFirst.length}; worst ${Math.max(...timesOfFirst).toFixed(0)}; navigation start to ready`,
  '500 ms',
);

let total = 0;
let fonts = 0;
const parts = [];
for (const url of new Set(fetchedFirst)) {
  const name = decodeURIComponent(new URL(url).pathname);
  const file = path.join(dist, name.endsWith('/') ? `${name}index.html` : name);
  if (!existsSync(file)) continue;
  const bytes = readFileSync(file);
  if (/\.woff2?$/.test(file)) {
    fonts += bytes.length;
    continue;
  }
  const size = compressed(bytes);
  total += size;
  parts.push([name, size]);
}
parts.sort((a, b) => b[1] - a[1]);
add(
  'all that the first slide fetches, brotli, fonts apart',
  total / 1024,
  'KiB',
  parts
    .slice(0, 4)
    .map(([name, size]) => `${path.basename(name)} ${(size / 1024).toFixed(1)}`)
    .join(', '),
  '300 KB',
);
add('its fonts', fonts / 1024, 'KiB', 'as served');

/* ---- in a stranger's page ---- */

if (!chosen || chosen.includes('embed')) {
  const times = await timeEmbeds(browser, { dist, loads: Number(options.loads) });
  for (const [name, list] of Object.entries(times)) {
    add(
      `attn-${name} in a stranger’s page interactive, cold`,
      median(list),
      'ms',
      `median of ${list.length}; worst ${Math.max(...list).toFixed(0)}; script start to ready`,
      '300 ms',
    );
  }
}

/* ---- from slide to slide ---- */

{
  const { context, page } = await openCold('1');
  await page.evaluate(() => {
    // From the key that was pressed to the end of the frame that shows the next slide, and to its live simulators.
    globalThis.nextSlide = () =>
      new Promise((resolve) => {
        const before = deckTest.currentSlide();
        addEventListener(
          'keydown',
          async ({ timeStamp }) => {
            while (deckTest.currentSlide() === before) await deckTest.frame();
            await deckTest.frame();
            const shown = performance.now() - timeStamp;
            const slide = deckTest.currentSlide();
            const section = document.querySelector(`section[data-slide="${slide}"]`);
            const simulators = deckTest.deepAll('*', section).filter(deckTest.isSimulator);
            await Promise.all(simulators.map(deckTest.ready));
            resolve({ slide, shown, live: performance.now() - timeStamp });
          },
          { once: true, capture: true },
        );
      });
  });
  const slides = await page.evaluate(() => document.querySelectorAll('.slides > section').length);
  for (const visit of ['first', 'second']) {
    await page.evaluate(() => deckTest.show('1'));
    const turns = [];
    for (let turn = 1; turn < slides; turn += 1) {
      await page.evaluate(() => {
        globalThis.turned = globalThis.nextSlide();
      });
      await page.keyboard.press('ArrowRight');
      turns.push(await page.evaluate(() => globalThis.turned));
      // Nobody turns faster than this to read.
      await page.waitForTimeout(300);
    }
    for (const [key, what, limit] of [
      ['shown', 'the slide is shown', '100 ms'],
      ['live', 'its simulator is live', ''],
    ]) {
      const slowest = turns.toSorted((one, other) => other[key] - one[key]).slice(0, 3);
      add(
        `a turn to the next slide, ${visit} time round, until ${what}, worst`,
        slowest[0][key],
        'ms',
        `${turns.length} turns; median ${median(turns.map((turn) => turn[key])).toFixed(0)}; slowest ${slowest
          .map((turn) => `${turn.slide} ${turn[key].toFixed(0)}`)
          .join(', ')}`,
        limit,
      );
    }
  }
  await context.close();
}

/* ---- while a slider moves ---- */

const words = (count) => Array.from({ length: count }, (_, i) => `w${i % 90}`).join(' ');
/** States that are dearer than the opening. */
const DEARER = {
  'attn-matrix': [
    ['12 tokens', { text: words(12) }],
    ['256 tokens', { text: words(256) }],
  ],
};

/** One real gesture a move: the event, the element's work, and the next frame's style and layout. */
async function timeMoves(page, session, tag, control) {
  const metrics = async () => {
    const { metrics: list } = await session.send('Performance.getMetrics');
    const of = (name) => list.find((item) => item.name === name).value * 1000;
    return of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration');
  };
  const move = (count) =>
    page.evaluate(
      async ([wanted, selector, turn]) => {
        const field = document.querySelector(wanted).shadowRoot.querySelector(selector);
        if (field.type === 'range') {
          const part = (turn % 60) / 60;
          field.value = String(Number(field.min) + part * (field.max - field.min));
        } else {
          globalThis.openingText ??= field.value;
          field.value = `${globalThis.openingText} ${'abcdefgh'.slice(0, 1 + (turn % 8))}`;
        }
        field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      },
      [tag, control, count],
    );
  for (let warm = 0; warm < 60; warm += 1) await move(warm);
  await page.evaluate(() => {
    globalThis.longFrames = 0;
    globalThis.longFrame ??= new PerformanceObserver((list) => {
      globalThis.longFrames += list.getEntries().length;
    });
    globalThis.longFrame.observe({ type: 'longtask' });
  });
  const costs = [];
  for (let count = 0; count < Number(options.moves); count += 1) {
    const before = await metrics();
    await move(count);
    costs.push((await metrics()) - before);
  }
  return { costs, over: await page.evaluate(() => globalThis.longFrames) };
}

for (const { name, tag, slide, model } of await allSimulators()) {
  if (chosen && !chosen.includes(name)) continue;
  const { context, page } = await openCold(slide);
  await page.evaluate((number) => deckTest.show(number), slide);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  for (const [state, change] of [['', {}], ...(DEARER[tag] ?? [])]) {
    const controls = await page.evaluate(
      async ([wanted, more]) => {
        const element = document.querySelector(wanted);
        element.setState({ ...element.getState(), ...more });
        await deckTest.drawn(element);
        const sliders = [...element.shadowRoot.querySelectorAll('input[type=range]')].map(
          ({ dataset: { slider, logSlider } }) => [
            slider ?? logSlider,
            slider ? `[data-slider="${slider}"]` : `[data-log-slider="${logSlider}"]`,
          ],
        );
        return sliders.length > 0 ? sliders : [['text', '[data-path=text]']];
      },
      [tag, change],
    );
    const timed = [];
    for (const [field, control] of controls) {
      if (!(await page.locator(`${tag} ${control}`).count())) continue;
      timed.push({ field, ...(await timeMoves(page, session, tag, control)) });
    }
    timed.sort((one, other) => quantile(other.costs, 0.99) - quantile(one.costs, 0.99));
    if (timed.length === 0) continue;
    const [{ field, costs }] = timed;
    add(
      `${tag}${state && `, ${state}`}: a move of ${field} to the end of the next layout, p99`,
      quantile(costs, 0.99),
      'ms',
      `the dearest of ${timed.length}; script, style and layout of ${costs.length} moves; median ${median(costs).toFixed(2)}; ` +
        `worst ${Math.max(...costs).toFixed(2)}; tasks over 50 ms ${timed.reduce((sum, { over }) => sum + over, 0)}` +
        timed
          .slice(1)
          .filter((other) => quantile(other.costs, 0.99) > 8)
          .map((other) => `; ${other.field} ${quantile(other.costs, 0.99).toFixed(1)}`)
          .join(''),
      '8 ms',
    );
  }
  const setting = await page.evaluate(
    ([wanted, states]) => {
      const element = document.querySelector(wanted);
      const times = [];
      for (let count = 0; count < 20; count += 1) {
        const began = performance.now();
        for (const state of states) element.setState(state);
        times.push((performance.now() - began) / states.length);
      }
      return times;
    },
    [tag, [changedState(model).state, structuredClone(model.defaults)]],
  );
  add(
    `${tag}: checking and computing a state in the browser`,
    median(setting),
    'ms',
    `per call; worst two ${Math.max(...setting).toFixed(3)}`,
    '1 ms',
  );
  await context.close();
}
const engine = `Chromium ${browser.version()}`;
await browser.close();
await server.close();

/* ---- computing alone, in Node --------------------------------------------------------------------- */

const loaded = await loadModules();
for (const model of chosen ? [] : Object.values(await models())) {
  const module = loaded[model.module ?? 'core'];
  for (const { id, state } of [{ state: {} }, ...(model.cases ?? [])]) {
    const whole = { ...model.defaults, ...state };
    const times = [];
    for (let round = 0; round < 200; round += 1) {
      const began = performance.now();
      for (let call = 0; call < 20; call += 1) model.compute(module, whole);
      times.push((performance.now() - began) / 20);
    }
    add(
      `${model.tag}${id ? `, ${id}` : ''}: computing, Node, ${module.variant}`,
      median(times),
      'ms',
      `per call; p99 ${quantile(times, 0.99).toFixed(3)}`,
      '1 ms',
    );
  }
}

const machine = `${os.cpus().length} × ${os.cpus()[0]?.model.trim()}, ${(os.totalmem() / 2 ** 30).toFixed(0)} GiB, ${os.type()} ${os.release()}, Node ${process.version}, load ${os.loadavg()[0].toFixed(1)}`;
if (options.json) {
  console.log(
    JSON.stringify({ machine, engine, date: new Date().toISOString(), results }, null, 2),
  );
} else {
  console.log(`${machine}\n${engine}\n`);
  const width = Math.max(...results.map(({ what }) => what.length));
  for (const { what, value, unit, detail, limit } of results) {
    const digits = value < 10 ? 3 : 1;
    console.log(
      `${what.padEnd(width)}  ${value.toFixed(digits).padStart(8)} ${unit.padEnd(4)} ${(limit && `of ${limit}`).padEnd(10)} ${detail}`,
    );
  }
}
