/**
 * The browser suite over the built site: `node tests/browser/run.mjs [--engine chromium|firefox|webkit]
 * [--only words] [--dist folder] [--long]`. Chromium runs everything, Firefox and WebKit the short suite. `--long`: the
 * controls are driven for five minutes where memory is watched.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadFigures, loadModules } from '../architecture/figures.js';
import { ROOT } from '../architecture/files.js';
import { slidesOf } from '../architecture/slides.js';
import { isSingleFile } from '../../web/build/site/policy.mjs';
import { SOURCE } from '../../web/shared/language.js';
import { launchChromium, openPage } from './chromium.js';
import { launchFirefox, launchWebKit } from './other-engines.js';
import { installLibrary } from './page-library.js';
import { Runner } from './runner.js';
import { serve } from './server.js';
import { Simulator, allSimulators } from './simulator.js';
import { benchSuite } from './suites/bench.js';
import { deckSuite } from './suites/deck.js';
import { elementSuite } from './suites/elements.js';
import { embedPages, embedSuite } from './suites/embed.js';
import { engineSuite } from './suites/engines.js';
import { failureSuite } from './suites/failures.js';
import { hostPages, hostSuite } from './suites/hosts.js';
import { hostingSuite } from './suites/hosting.js';
import { languageSuite } from './suites/languages.js';
import { kvCacheSuite } from './suites/kv-cache.js';
import { labSuite } from './suites/lab.js';
import { matrixSuite } from './suites/matrix.js';
import { realModelSuite } from './suites/real-model.js';
import { offlineEngineSuite, offlineSuite } from './suites/offline.js';
import { linkSuite } from './suites/links.js';
import { pageSuite } from './suites/pages.js';
import { memorySuite } from './suites/memory.js';
import { recipeEngineSuite, recipeSuite } from './suites/recipes.js';
import { simulatorSuite } from './suites/simulators.js';
import { modelSuite } from './suites/model.js';
import { measuredSuite } from './suites/measured.js';
import { tokenSuite } from './suites/tokens.js';
import { webGpuSuite } from './suites/webgpu.js';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    only: { type: 'string' },
    dist: { type: 'string', default: path.join(ROOT, 'dist') },
    together: { type: 'string', default: '3' },
    long: { type: 'boolean', default: false },
  },
});
const engines = options.engine ?? ['chromium', 'firefox', 'webkit'];
const dist = path.resolve(options.dist);
if (!existsSync(path.join(dist, 'index.html'))) {
  console.error(`There is no built site in ${dist}: run npm run build first.`);
  process.exit(2);
}

const began = performance.now();
const runner = new Runner({ only: options.only });
const page = (name) => readFileSync(path.join(dist, name), 'utf8');
const files = readdirSync(dist, { recursive: true })
  .map((name) => name.split(path.sep).join('/'))
  .sort();
// The single files are other pages under other rules, which their own suite holds them to.
const isSingle = (name) => isSingleFile(name, (other) => files.includes(other));
const singles = files.filter(isSingle);
const pages = files.filter((name) => name.endsWith('.html') && !isSingle(name));
const slides = slidesOf(page('index.html'), { page: true }).map(({ slide }) => slide);
const [modules, figures, simulators] = await Promise.all([
  loadModules(),
  loadFigures(),
  allSimulators(),
]);
const extra = { ...hostPages(page, files, simulators), ...embedPages() };
const library = `(${installLibrary})()`;

const addresses = (origin) => {
  const address = (name) => `${origin}/${name}`;
  const slideAddress = (slide, parameters = {}, language = SOURCE) => {
    const query = new URLSearchParams(parameters).toString();
    const deck = address(language === SOURCE ? 'index.html' : `${language}/index.html`);
    return `${deck}${query ? `?${query}` : ''}#slide-${slide}`;
  };
  return {
    origin,
    address,
    slideAddress,
    printAddress: () => `${address('index.html')}?print-pdf`,
  };
};
const shared = {
  dist,
  page,
  pages,
  singles,
  slides,
  modules,
  figures,
  rows: figures.rows,
  simulators,
  library,
  long: options.long,
};

if (engines.includes('chromium')) {
  const server = await serve(dist, { extra });
  const browser = await launchChromium();
  console.log(`# Chromium ${browser.version()}`);
  const remembered = new WeakMap();
  /** Runs a check in a page of its own; what the page complained about fails the check. */
  const withPageOf =
    (where) =>
    async (run, { expect = [], ...how } = {}) => {
      const opened = await openPage(where, server.origin, { ...how, expect });
      await opened.page.addInitScript(library);
      try {
        await run(opened.page, { ...opened, browser: where, origin: server.origin });
        if (opened.troubles.length > 0)
          throw new Error(`the page complains:\n${opened.troubles.slice(0, 12).join('\n')}`);
      } finally {
        await opened.close();
      }
    };
  const context = {
    ...shared,
    ...addresses(server.origin),
    withPage: withPageOf(browser),
    simulator: (at, entry) => new Simulator(at, entry).ready(),
    rememberSlide: async (at) =>
      remembered.set(at, await at.evaluate(() => [deckTest.currentSlide(), location.hash])),
    sameSlide: async (at, what) => {
      const now = await at.evaluate(async () => {
        await deckTest.frame();
        const odd = document.querySelector(
          '.reveal.overview, .reveal.paused, dialog[open], .reveal.focus',
        );
        return [deckTest.currentSlide(), location.hash, odd?.className ?? odd?.id ?? null];
      });
      const [slide, hash] = remembered.get(at);
      if (now[0] !== slide || now[1] !== hash || now[2] !== null)
        throw new Error(`${what} moved the deck: ${now.join(' ')}`);
    },
  };
  memorySuite(runner, context);
  pageSuite(runner, context);
  deckSuite(runner, context);
  languageSuite(runner, context);
  elementSuite(runner, context);
  simulatorSuite(runner, context);
  tokenSuite(runner, context);
  kvCacheSuite(runner, context);
  matrixSuite(runner, context);
  realModelSuite(runner, context);
  benchSuite(runner, context);
  modelSuite(runner, context);
  labSuite(runner, context);
  measuredSuite(runner, context);
  hostSuite(runner, context);
  hostingSuite(runner, context);
  embedSuite(runner, context);
  linkSuite(runner, context);
  failureSuite(runner, context);
  offlineSuite(runner, context);
  // Heights are promised for the browser that readers have: its letters are a little narrower.
  const readers = await launchChromium([], { whole: true });
  const endRecipes = await recipeSuite(runner, { ...context, withPage: withPageOf(readers) });
  await runner.run({ together: Number(options.together) });
  await endRecipes();
  await readers.close();
  // By itself, because it takes times.
  const endWebGpu = await webGpuSuite(runner, { browser });
  await runner.run();
  await endWebGpu();
  await browser.close();
  await server.close();
}

for (const [name, launch] of [
  ['firefox', launchFirefox],
  ['webkit', launchWebKit],
]) {
  if (!engines.includes(name)) continue;
  let engine;
  let refusal;
  try {
    engine = await launch();
    console.log(`# ${engine.version}`);
  } catch (error) {
    refusal = error;
  }
  // A browser that is not there is a failure and no reason to leave its checks out.
  runner.check(`${name}: starts`, () => {
    if (refusal) throw refusal;
  });
  if (engine) {
    const server = await serve(dist, { watch: true });
    engineSuite(runner, { ...shared, ...addresses(server.origin) }, engine);
    offlineEngineSuite(runner, shared, engine);
    const endRecipes = await recipeEngineSuite(runner, shared, engine);
    await runner.run();
    await endRecipes();
    await engine.close();
    await server.close();
  } else {
    await runner.run();
  }
}

console.log(`# ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exitCode = runner.finish() ? 0 : 1;
