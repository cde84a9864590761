/**
 * Single files, made of the built site: `node web/build/offline/build.mjs [--site dist] [--only lecture,query]`.
 *
 * `lecture.html` is the whole lecture, `<simulator>.html` one simulator: pages, scripts, styles, typefaces, modules in two
 * variants and GPT-2's vocabulary, in one file that needs no server.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { prepareHosting } from '../site/hosting.mjs';
import { LANGUAGES, SOURCE, inLanguage } from '../site/language.mjs';
import { hashOf } from '../site/policy.mjs';
import { attributeOf, elements, escapeText, setAttribute } from '../site/tree.mjs';
import { VARIANTS, bundle } from './bundle.mjs';
import { loadedBy } from './loads.mjs';
import { LECTURE_MODULES, limitOf } from './limits.mjs';
import { encode85 } from '../../single/base85.js';
import { words } from '../../single/words.js';
import { SitePage, styles } from './page.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const began = performance.now();
const say = (text) => console.log(`single files: ${text}`);
const source = (file) => readFileSync(path.join(ROOT, file), 'utf8');

const placeOf = (language, file) => (language === SOURCE ? file : `${language}/${file}`);

/** Compressed, in letters that mean nothing to a parser of HTML. */
const packed = (bytes) => encode85(gzipSync(bytes, { level: 9 }));

/** Files of the runtime, by their names in a single file. */
const moduleFiles = (modules) =>
  modules.flatMap((name) =>
    VARIANTS.map((variant) => {
      const file = `${name}.${variant}.wasm`;
      return [file, readFileSync(path.join(ROOT, 'web/runtime/modules', file))];
    }),
  );

const vocabulary = () => [
  'gpt2.bpe',
  readFileSync(path.join(ROOT, 'web/runtime/vocabularies/gpt2.bpe')),
];

const recording = () => [
  'smollm2.maps',
  readFileSync(path.join(ROOT, 'web/runtime/recordings/smollm2.maps')),
];

/**
 * A script's text as it may stand in a page: what would end it, or begin a comment of old, is written otherwise.
 * @param {string} code
 */
function inline(code) {
  const text = code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
  return `\n${text.replaceAll('\r', '')}\n`;
}

/** What is seen of a page that is compressed where no script runs, and where its script fails. */
async function emptyBody() {
  const said = [];
  for (const language of LANGUAGES) {
    await inLanguage(language, () =>
      said.push(`<p class="page-notice" lang="${language}">${escapeText(words.noScript())}</p>`),
    );
  }
  return `<body>
<noscript>${said.join('')}</noscript>
<p class="page-notice" id="trouble" role="alert" hidden></p>`;
}

/**
 * @param {object} what
 * @param {string} what.site
 * @param {Record<string, string>} what.pages  the files of the site by their names here, the file's own first
 * @param {(page: string, language: string) => (target: string, fragment: string) => string | undefined} what.inside
 * @param {boolean} [what.packs]  whether the own page stands in the file compressed as well
 * @param {(page: SitePage) => void} [what.change]
 * @param {string} what.script
 * @param {() => [string, string | Uint8Array][]} what.files
 * @param {{scripts?: string[], directives?: string[]}} [what.policy]  what it allows beside the file's own
 */
async function file({ site, pages, packs = false, inside, change, script, files, policy = {} }) {
  const names = Object.keys(pages);
  const [own] = names;
  const taken = [];
  for (const language of LANGUAGES) {
    for (const name of names) {
      await inLanguage(language, () => {
        const page = new SitePage(site, placeOf(language, pages[name]));
        page.turnLinks(inside(name, language));
        change?.(page);
        taken.push({ name, language, page });
      });
    }
  }
  const [{ page: first }] = taken;
  const { texts, fonts } = styles(
    site,
    taken.flatMap(({ page }) => page.styleSheets),
  );
  const css = (page) => page.styleSheets.map((one) => texts.get(one));
  const blocked = (packs ? taken : taken.slice(1)).map(({ name, language, page }) => [
    `${name}.${language}.html`,
    // The sheets of a page that stands open stay where only its language changes.
    `<title>${escapeText(page.title)}</title>${
      name === own && !packs
        ? ''
        : css(page)
            .map((text) => `<script type="text/css">${text}</script>`)
            .join('')
    }${page.bodyMarkup({ withScripts: true })}`,
  ]);
  const always = `${fonts}\nhtml.choosing:not(.still) body{visibility:hidden}`;
  const ownStyles = packs ? [] : css(first);
  const scripts = {
    choose: inline(source('web/single/choose.js')),
    early: inline(source('web/deck/early.js')),
    main: inline(script),
  };
  const allowed = [
    "default-src 'none'",
    `script-src ${[...Object.values(scripts), ...(policy.scripts ?? [])].map((text) => `'${hashOf(text)}'`).join(' ')} 'wasm-unsafe-eval'${policy.blob ? ' blob:' : ''}`,
    `style-src ${[always, ...ownStyles].map((text) => `'${hashOf(text)}'`).join(' ')}`,
    'font-src data:',
    'img-src data:',
    ...(policy.directives ?? []),
    "base-uri 'none'",
  ].join('; ');
  const written = new Map();
  const blocks = [...blocked, ...files()]
    .map(([name, content]) => {
      const text = packed(content);
      const same = written.get(text);
      if (same === undefined) written.set(text, name);
      const more = same === undefined ? '' : ` data-same="${same}"`;
      return `<script type="text/plain" data-file="${name}"${more}>${same === undefined ? text : ''}</script>`;
    })
    .join('\n');
  const icon = encodeURIComponent(source('web/pages/icon.svg').trim());
  const body = packs ? await emptyBody() : first.bodyMarkup().replace(/<\/body>$/, '');
  return `<!doctype html>
<html lang="${SOURCE}">
<head>
<meta http-equiv="content-security-policy" content="${escapeText(allowed)}" />
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escapeText(first.title)}</title>
<meta name="description" content="${escapeText(first.meta('description'))}" />
<meta name="color-scheme" content="light dark" />
<link rel="icon" href="data:image/svg+xml,${icon}" type="image/svg+xml" />
${LANGUAGES.map((one) => `<link rel="alternate" hreflang="${one}" href="?lang=${one}" />`).join('\n')}
<style>${always}</style>
${ownStyles.map((text) => `<style data-own>${text}</style>`).join('\n')}
<script data-pages="${names.join(' ')}" data-languages="${LANGUAGES.join(' ')}">${scripts.choose}</script>
<script data-single>${scripts.early}</script>
</head>
${body}
${blocks}
<script type="module">${scripts.main}</script>
</body>
</html>
`;
}

/** `?lab&lang=pt-BR#root`: a page of this file, in a language. */
function addressIn(pages, target, fragment) {
  for (const language of LANGUAGES) {
    for (const [at, [name, file]] of Object.entries(pages).entries()) {
      if (target === placeOf(language, file))
        return `?${at === 0 ? '' : `${name}&`}lang=${language}${fragment}`;
    }
  }
  return undefined;
}

/** What the lab hands to its frame: texts of this file, by their names. */
function labFiles(site) {
  const files = new Map([['sandbox.html', readFileSync(path.join(site, 'sandbox.html'))]]);
  const keep = (address, name) => {
    files.set(name, readFileSync(path.join(site, address)));
    return `inside:${name}`;
  };
  const change = (page) => {
    for (const lab of elements(page.body, (node) => attributeOf(node, 'id') === 'lab')) {
      const at = (address) => page.resolve(address);
      setAttribute(lab, 'data-frame', 'inside:sandbox.html');
      setAttribute(lab, 'data-worker', keep(at(attributeOf(lab, 'data-worker')), 'lab-worker.js'));
      const modules = Object.entries(JSON.parse(attributeOf(lab, 'data-modules'))).map(
        ([name, builds]) => [
          name,
          Object.fromEntries(
            VARIANTS.map((variant) => [
              variant,
              // One glue serves both (bundle.mjs).
              [`inside:${name}.${variant}.wasm`, keep(at(builds.simd[1]), `${name}.mjs`)],
            ]),
          ),
        ],
      );
      setAttribute(lab, 'data-modules', JSON.stringify(Object.fromEntries(modules)));
    }
    // That from a file nothing runs does not hold here.
    for (const notice of elements(page.body, (node) => attributeOf(node, 'id') === 'trouble'))
      setAttribute(notice, 'data-file', undefined);
  };
  return { files, change };
}

async function lecture(site) {
  const pages = { deck: 'index.html', speaker: 'speaker.html', lab: 'lab.html' };
  const lab = labFiles(site);
  const sandbox = lab.files.get('sandbox.html').toString();
  const notebooks = LANGUAGES.map((language) => placeOf(language, 'attention-lab.ipynb')).filter(
    (file) => existsSync(path.join(site, file)),
  );
  const script = await bundle({
    root: ROOT,
    entry: 'web/single/lecture.js',
    modules: LECTURE_MODULES,
  });
  const more = [
    ...moduleFiles(LECTURE_MODULES),
    vocabulary(),
    recording(),
    ...notebooks.map((file) => [file, readFileSync(path.join(site, file))]),
  ];
  return file({
    site,
    pages,
    // The slides alone are an eighth of what a file may weigh.
    packs: true,
    script,
    inside: () => (target, fragment) =>
      notebooks.includes(target) ? `inside:${target}` : addressIn(pages, target, fragment),
    change: lab.change,
    // The lab's are known when its page was changed.
    files: () => [...more, ...lab.files],
    policy: {
      // The lab's frame is a text of this file, and such a frame is held to this policy beside its own.
      scripts: [...sandbox.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text),
      blob: true,
      directives: ['worker-src blob:', "frame-src 'self'"],
    },
  });
}

async function simulator(site, name) {
  const pages = { simulator: `simulators/${name}.html` };
  const { model } = await import(`../../simulators/${name}/${name}.model.js`);
  // What a simulator fetches when it is asked to (a timed run, a file of the reader's) has to be in its file as well.
  const modules = [
    ...new Set([
      model.module ?? 'core',
      ...loadedBy(path.join(ROOT, `web/simulators/${name}/index.js`)),
    ]),
  ];
  const script = await bundle({
    root: ROOT,
    entry: 'web/single/simulator.js',
    modules,
    simulators: [name],
  });
  return file({
    site,
    pages,
    script,
    inside: () => (target, fragment) => addressIn(pages, target, fragment),
    files: () => [
      ...moduleFiles(modules),
      ...(modules.includes('tokens') ? [vocabulary()] : []),
      ...(modules.includes('reading') ? [recording()] : []),
    ],
  });
}

async function main() {
  const { values } = parseArgs({
    options: {
      site: { type: 'string', default: path.join(ROOT, 'dist') },
      only: { type: 'string' },
    },
  });
  const site = path.resolve(values.site);
  const simulators = readdirSync(path.join(site, 'simulators'))
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replace(/\.html$/, ''));
  const wanted = values.only?.split(',') ?? ['lecture', ...simulators];
  const weights = [];
  for (const name of wanted) {
    const text = name === 'lecture' ? await lecture(site) : await simulator(site, name);
    const bytes = Buffer.byteLength(text);
    const limit = limitOf(name);
    say(`${name}.html ${(bytes / 1000).toFixed(0)} kB`);
    if (bytes > limit) throw new Error(`${name}.html has ${bytes} bytes; ${limit} are allowed`);
    writeFileSync(path.join(site, `${name}.html`), text);
    weights.push(bytes);
  }
  // The pages link to these files with their sizes, and the worker's list holds the pages.
  await prepareHosting(ROOT, site);
  const all = weights.reduce((sum, bytes) => sum + bytes, 0);
  say(
    `${weights.length} files, ${(all / 1e6).toFixed(1)} MB, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

try {
  await main();
} catch (error) {
  console.error(`single files: the build failed. ${error.message}`);
  if (process.env.ATTN_DEBUG) console.dir(error, { depth: 12 });
  process.exitCode = 1;
}
