/**
 * `npm run bench:site [-- --json] [--moves 500] [--loads 11]`: the speed and size of the built site, printed with
 * the machine and the engine. Nothing here passes or fails; the limits stand beside the numbers.
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
import { LIMIT_BYTES, built, weigh } from '../../web/build/sizes.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    moves: { type: 'string', default: '500' },
    loads: { type: 'string', default: '11' },
    dist: { type: 'string', default: path.join(ROOT, 'dist') },
  },
});
const dist = path.resolve(options.dist);
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

for (const { name, variant, title } of built) {
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
for (const name of existsSync(vocabularyFolder) ? readdirSync(vocabularyFolder).sort() : []) {
  const bytes = readFileSync(path.join(vocabularyFolder, name));
  add(`vocabulary ${name}, brotli`, compressed(bytes) / 1024, 'KiB', `plain ${bytes.length} B`);
}

/* ---- in the browser ------------------------------------------------------------------------------ */

const server = await serve(dist);
const browser = await launchChromium();
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

for (const [slide, tag, sliderPath] of [
  ['15', 'attn-query', 'q.0'],
  ['16', 'attn-by-hand', 'q.0'],
  ['1', 'attn-live-row', 'q.0'],
  ['8', 'attn-bpe', 'merges'],
  ['31', 'attn-kv-cache', 'tokens'],
  ['32', 'attn-kv-heads', 'tokens'],
  ['36', 'attn-prefill', 'tokens'],
]) {
  const { context, page, ready } = await openCold(slide);
  await page.evaluate((number) => deckTest.show(number), slide);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const metrics = async () => {
    const { metrics: list } = await session.send('Performance.getMetrics');
    const of = (name) => list.find((item) => item.name === name).value * 1000;
    return of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration');
  };
  // One real gesture a move: the event, the element's work, and the next frame's style and layout.
  const move = (share) =>
    page.evaluate(
      async ([wanted, name, part]) => {
        const slider = document
          .querySelector(wanted)
          .shadowRoot.querySelector(`[data-slider="${name}"], [data-log-slider="${name}"]`);
        slider.value = String(
          Number(slider.min) + part * (Number(slider.max) - Number(slider.min)),
        );
        slider.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      },
      [tag, sliderPath, share],
    );
  for (let warm = 0; warm < 60; warm += 1) await move((warm % 60) / 60);
  const costs = [];
  for (let count = 0; count < Number(options.moves); count += 1) {
    const before = await metrics();
    await move((count % 60) / 60);
    costs.push((await metrics()) - before);
  }
  add(
    `${tag}: a slider's move to the end of the next layout, p99`,
    quantile(costs, 0.99),
    'ms',
    `script, style and layout of ${costs.length} moves; median ${median(costs).toFixed(2)}; worst ${Math.max(...costs).toFixed(2)}`,
    '8 ms',
  );
  const setting = await page.evaluate(
    ([wanted, field]) => {
      const element = document.querySelector(wanted);
      const state = element.getState();
      const values = {
        q: (count, turn) => [(count % 20) / 10, turn / 10],
        merges: (count, turn) => (count % 4) * 10 + turn,
        tokens: (count, turn) => 1000 * (count + 1) + turn,
      };
      const times = [];
      for (let count = 0; count < 60; count += 1) {
        const began = performance.now();
        for (let turn = 0; turn < 10; turn += 1)
          element.setState({ ...state, [field]: values[field](count, turn) });
        times.push((performance.now() - began) / 10);
      }
      return times;
    },
    [tag, sliderPath.split('.')[0]],
  );
  add(
    `${tag}: checking and computing a state in the browser`,
    median(setting),
    'ms',
    `per call; worst ten ${Math.max(...setting).toFixed(3)}; ready after ${ready.toFixed(0)} ms`,
    '1 ms',
  );
  await context.close();
}
const engine = `Chromium ${browser.version()}`;
await browser.close();
await server.close();

/* ---- computing alone, in Node --------------------------------------------------------------------- */

const loaded = await loadModules();
for (const model of Object.values(await models())) {
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
