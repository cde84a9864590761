/**
 * Builds the static site: `node web/build/site/build.mjs [--out dist]`.
 *
 * Slides, formulas and opening figures are put together here; scripts and styles are bundled by Vite. All is
 * made in a folder beside the old site and takes its place at the end, so that a build which fails or is
 * interrupted leaves the last good site as it was.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { elementFiles } from '../elements.mjs';
import { checkSite, filesIn } from './check.mjs';
import { Figures } from './figures.mjs';
import { Formulas } from './formulas.mjs';
import { prepareHosting } from './hosting.mjs';
import { LANGUAGES, SOURCE, inLanguage } from './language.mjs';
import { notebookFile } from '../notebook.mjs';
import { Pages, placeOf } from './pages.mjs';
import { readLecture } from './slides.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const began = performance.now();
const say = (text) => console.log(`site: ${text}`);
const inRoot = (...parts) => path.join(ROOT, ...parts);

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string', default: inRoot('dist') } } });
  const site = path.resolve(values.out);
  const work = inRoot('build/site');
  const fresh = path.join(work, 'fresh');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });

  say('1/4 slides, formulas, opening figures');
  const formulas = new Formulas();
  const figures = new Figures(ROOT);
  const lectures = [];
  for (const language of LANGUAGES) {
    const read = () => readLecture(ROOT, { language, formulas, figures });
    lectures.push(await inLanguage(language, read));
  }
  writeFileSync(path.join(work, 'formulas.css'), formulas.css());
  writeFileSync(path.join(work, 'reveal.css'), revealCss());
  say(
    `    ${lectures[0].slides.length} slides, ${formulas.count} formulas, ${figures.count} figures`,
  );

  say('2/4 scripts and styles');
  await build({
    configFile: inRoot('vite.config.js'),
    root: ROOT,
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  const manifestFile = path.join(fresh, '.vite/manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  rmSync(path.dirname(manifestFile), { recursive: true });

  say('3/4 pages');
  const sandbox = await buildSandbox(fresh);
  const early = copyEarly(fresh);
  const write = (file, text) => {
    mkdirSync(path.dirname(path.join(fresh, file)), { recursive: true });
    writeFileSync(path.join(fresh, file), text);
  };
  for (const lecture of lectures) {
    await inLanguage(lecture.language, async () => {
      const pages = new Pages({ root: ROOT, lecture, manifest, early, figures, sandbox });
      const place = (file, html) => write(placeOf(lecture.language, file), html);
      place('index.html', pages.deck());
      place('speaker.html', pages.speaker());
      place('contents.html', await pages.contents());
      for (const { id, html } of pages.readings()) place(`read/${id}.html`, html);
      place('bench.html', pages.bench());
      place('embed.html', await pages.embed());
      place('model.html', pages.model());
      place('lab.html', pages.lab());
      place('attention-lab.ipynb', readFileSync(inRoot(notebookFile(lecture.language))));
      // Nobody reads it: one frame serves the lab in every language.
      if (lecture.language === SOURCE) write('sandbox.html', pages.sandbox());
      for (const { name, html } of await pages.simulators()) place(`simulators/${name}.html`, html);
      for (const { name, html } of await pages.elements()) place(`elements/${name}.html`, html);
    });
  }
  for (const [file, text] of Object.entries(await elementFiles({ root: ROOT }))) write(file, text);
  write('icon.svg', readFileSync(inRoot('web/pages/icon.svg')));
  // GitHub Pages would otherwise treat the folder as sources of a blog.
  write('.nojekyll', '');
  const { bytes: kept } = await prepareHosting(ROOT, fresh);
  say(`    a device keeps ${kilobytes(kept)} for use without network`);

  say('4/4 checks');
  checkSite(fresh);
  putInPlace(fresh, site);
  say(`${path.relative(process.cwd(), site) || site} is ready: ${sizes(site)}, ${seconds()}`);
}

/**
 * Reveal's style sheet, less what would reach further than it should: the pictures of its overlays, which the
 * lecture never opens, are data: addresses that the content policy refuses; and its arrows and its progress
 * line, which are switched off, have names so common that a simulator's own parts answer to them.
 */
function revealCss() {
  const css = readFileSync(createRequire(import.meta.url).resolve('reveal.js/reveal.css'), 'utf8');
  return css
    .replace(/[\w-]+\s*:\s*url\(\s*["']?data:[^)]*\)[^;}]*;?/g, '')
    .replace(/\.(controls|progress)(?![\w-])/g, '.reveal-$1');
}

/**
 * The two scripts of the lab's frame, classic and each whole: the frame's stands in its page, as an origin of its own may
 * load no module, and the worker is made of text.
 * @returns {Promise<{frame: string, worker: string}>} the text of the one, the address of the other
 */
async function buildSandbox(fresh) {
  const built = {};
  for (const name of ['frame', 'worker']) {
    const { output } = await build({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      build: {
        write: false,
        rolldownOptions: {
          checks: { pluginTimings: false },
          input: inRoot(`web/lab/sandbox/${name}.js`),
          output: { format: 'iife', entryFileNames: `assets/lab-${name}-[hash].js` },
        },
      },
    });
    const [{ fileName, code }, ...others] = output;
    if (others.length > 0) throw new Error(`web/lab/sandbox/${name}.js is not one file`);
    built[name] = { fileName, code };
  }
  const { frame, worker } = built;
  writeFileSync(path.join(fresh, worker.fileName), worker.code);
  return { frame: frame.code.trim(), worker: worker.fileName };
}

/** The one classic script: it runs before anything is drawn, and where modules do not run at all. */
function copyEarly(fresh) {
  const text = readFileSync(inRoot('web/deck/early.js'));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const file = `assets/early-${hash}.js`;
  mkdirSync(path.join(fresh, 'assets'), { recursive: true });
  writeFileSync(path.join(fresh, file), text);
  return file;
}

function putInPlace(fresh, site) {
  const old = `${fresh}.old`;
  rmSync(old, { recursive: true, force: true });
  mkdirSync(path.dirname(site), { recursive: true });
  if (existsSync(site)) renameSync(site, old);
  renameSync(fresh, site);
  rmSync(old, { recursive: true, force: true });
}

function sizes(site) {
  const files = filesIn(site);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const first = files
    .filter((file) => /index\.html$|\.css$|assets\/.*\.js$/.test(file))
    .reduce((sum, file) => sum + compressed(file), 0);
  return `${files.length} files, ${kilobytes(bytes)}; pages, scripts and styles ${kilobytes(first)} in brotli`;
}

const compressed = (file) =>
  brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
    .length;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;

try {
  await main();
} catch (error) {
  console.error(`site: the build failed. ${error.message}`);
  if (process.env.ATTN_DEBUG) console.dir(error, { depth: 12 });
  else console.error('site: set ATTN_DEBUG=1 to see where.');
  process.exitCode = 1;
}
