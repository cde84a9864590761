/**
 * What a hosted site has beside its pages: the service worker with the list of what it keeps, the hashes for
 * `integrity="…"`, and the headers of those hosts that read them from a file; and on its pages what is known last, the sizes of
 * what the worker keeps and of the single files. All of it is made from the files as they stand, so it is the last step of whatever
 * changes them: of the site's build, and of that of the single files once more.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatDecimalBytes } from '../../shared/number.js';
import { filesIn } from './check.mjs';
import { LANGUAGES, SOURCE, inLanguage } from './language.mjs';
import { isSingleFile } from './policy.mjs';
import { fillSingleLinks } from './single-links.mjs';

export const WORKER = 'sw.js';
/** Stands in a page for the bytes that the worker keeps, until they are known. */
export const UNKNOWN_BYTES = '?';
const PLACE = /data-offline="[^"]*"/;

const INTEGRITY = 'integrity.json';
const HEADERS = '_headers';

/** What a reader's device never keeps: what describes the site, what is a whole lecture by itself, what is for hosts. */
const NEVER = [
  WORKER,
  INTEGRITY,
  HEADERS,
  '.nojekyll',
  'custom-elements.json',
  'attention-deck.d.ts',
];
/** GPT-2's vocabulary is the one that slides open with. */
const LARGE_VOCABULARY = /^assets\/(?!gpt2-)[^/]*\.bpe$/;
/** Pages for those who build pages of their own. */
const FOR_HOSTS = /^([a-z]{2}(-[A-Z]{2})?\/)?(elements\/|embed\.html$)/;
const VARIANTS = ['scalar', 'simd', 'relaxed'];
const MODULE = /^assets\/(\w+)\.(scalar|simd|relaxed)-[^/]*\.(wasm|js)$/;

/**
 * When the worker keeps a file: from the start (`now`), with a variant of the modules, or once it was `used`; none of these
 * if never. The bundler makes one file of two variants that are the same, under the name of the one.
 * @param {string} file from the top of the site
 * @param {string[]} names of all files
 * @returns {('now' | 'used' | 'scalar' | 'simd' | 'relaxed')[]}
 */
export function whenKept(file, names) {
  if (NEVER.includes(file)) return [];
  // The whole lecture or a whole simulator in one file, at the top of the site or of a language.
  const [, alone] = /^(?:[a-z]{2}(?:-[A-Z]{2})?\/)?([\w-]+)\.html$/.exec(file) ?? [];
  if (alone === 'lecture' || names.includes(`simulators/${alone}.html`)) return [];
  const [, module, own, suffix] = MODULE.exec(file) ?? [];
  if (module) {
    const isOwn = (variant) =>
      names.some(
        (name) => name.startsWith(`assets/${module}.${variant}-`) && name.endsWith(suffix),
      );
    const shared = VARIANTS.findLast(isOwn);
    return VARIANTS.filter((one) => one === own || (own === shared && !isOwn(one)));
  }
  return LARGE_VOCABULARY.test(file) || FOR_HOSTS.test(file) ? ['used'] : ['now'];
}

const hash = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('base64');

/** Immutable where the name carries a hash; every file may be embedded from elsewhere, as GitHub Pages sends it anyway. */
const headers = () => `/*
  Access-Control-Allow-Origin: *
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/** The worker's script, one file of today's JavaScript: a module as worker is not known to every browser. */
async function workerScript(root, site) {
  // Only here, as the server of the built site, which knows the worker's name from this file, needs no bundler.
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: { SITE: JSON.stringify(site) },
    build: {
      write: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: path.join(root, 'web/offline/worker.js'),
        output: { format: 'iife', entryFileNames: WORKER },
      },
    },
  });
  const [{ code }, ...others] = output;
  if (others.length > 0) throw new Error('web/offline/worker.js is not one file');
  return code;
}

const languageOf = (name) => LANGUAGES.find((one) => name.startsWith(`${one}/`)) ?? SOURCE;

/** Links to the single files that are there, with their sizes. */
async function linkSingleFiles(fresh, names, { read, write }) {
  const isSingle = (name) => isSingleFile(name, (other) => names.includes(other));
  const bytesOf = (file) =>
    names.includes(file) ? statSync(path.join(fresh, file)).size : undefined;
  for (const name of names.filter((one) => one.endsWith('.html') && !isSingle(one))) {
    const page = read(name).toString();
    if (!page.includes('data-single=')) continue;
    const filled = () => fillSingleLinks(page, bytesOf, formatDecimalBytes);
    write(name, await inLanguage(languageOf(name), filled));
  }
}

/**
 * @param {string} root of the project
 * @param {string} fresh the folder of the built site, which is changed
 * @returns {Promise<{bytes: number}>} what a device with 128-bit vectors keeps
 */
export async function prepareHosting(root, fresh) {
  const names = filesIn(fresh)
    .map((file) => path.relative(fresh, file).split(path.sep).join('/'))
    .sort();
  const read = (name) => readFileSync(path.join(fresh, name));
  const write = (name, text) => writeFileSync(path.join(fresh, name), text);

  await linkSingleFiles(fresh, names, { read, write });

  // The worker is written last, and by a second run again; no page names it with a hash.
  const scripts = names.filter(
    (name) => name !== WORKER && /^(assets\/)?[^/]+\.(js|css|wasm)$/.test(name),
  );
  const integrity = scripts.map((name) => [name, `sha384-${hash('sha384', read(name))}`]);
  write(INTEGRITY, `${JSON.stringify(Object.fromEntries(integrity), null, 2)}\n`);
  write(HEADERS, headers());

  const kept = names
    .map((name) => ({ name, when: whenKept(name, names) }))
    .filter(({ when }) => when.length > 0);
  const bytes = kept
    .filter(({ when }) => when.includes('now') || when.includes('simd'))
    .reduce((sum, { name }) => sum + read(name).length, 0);
  for (const name of names.filter((one) => /(^|\/)contents\.html$/.test(one))) {
    const page = read(name).toString();
    if (!PLACE.test(page)) throw new Error(`${name} has no place for what the worker keeps`);
    write(name, page.replace(PLACE, `data-offline="${bytes}"`));
  }

  const files = Object.fromEntries(
    kept.map(({ name, when }) => {
      const content = read(name);
      return [name, { bytes: content.length, sha256: hash('sha256', content), when }];
    }),
  );
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  write(WORKER, await workerScript(root, { version, files }));
  return { bytes };
}
