/**
 * `npm run bench:size [-- --json] [--dist dist]`: what each simulator costs a page that embeds it, in KB after brotli, and
 * what else the site offers as one file. Ends with 1 when a simulator is over the limit.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LIMIT_BYTES, compressed, embedSizes } from '../../web/build/embed-size.mjs';
import { models } from '../architecture/figures.js';
import { ROOT } from '../architecture/files.js';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    dist: { type: 'string', default: path.join(ROOT, 'dist') },
  },
});
const dist = path.resolve(options.dist);
if (!existsSync(path.join(dist, 'index.html'))) {
  console.error(`There is no built site in ${dist}: run npm run build first.`);
  process.exit(2);
}

const all = Object.values(await models());
const sizes = embedSizes(all, dist).sort((one, other) => other.bytes - one.bytes);
const over = sizes.filter(({ bytes }) => bytes > LIMIT_BYTES);

/** Pages that bring all that they need, as they lie there: what opens them from a disk compresses nothing. */
const single = readdirSync(dist)
  .filter(
    (file) => file === 'lecture.html' || all.some(({ tag }) => file === `${tag.slice(5)}.html`),
  )
  .map((file) => {
    const bytes = readFileSync(path.join(dist, file));
    return { file, bytes: bytes.length, brotli: compressed(bytes) };
  });

/** What a state may ask for beside: the texts of another language, and the vocabulary of a slide that cuts a text. */
const beside = readdirSync(path.join(dist, 'assets'))
  .filter((file) => /^pt-BR-.*\.js$|\.(bpe|maps)$/.test(file))
  .map((file) => ({ file, brotli: compressed(readFileSync(path.join(dist, 'assets', file))) }));

/** The whole site, vocabularies, fonts and single files apart: all of it, and what one reader's browser can come to fetch. */
const alone = new Set(single.map(({ file }) => file));
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(bpe|woff2)$/.test(entry.name))
  .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)))
  .filter((file) => !alone.has(file))
  .map((file) => ({ file, brotli: compressed(readFileSync(path.join(dist, file))) }));
const weigh = (part) => part.reduce((sum, { brotli }) => sum + brotli, 0);
const site = {
  brotli: weigh(files),
  // One language, and of each module one variant.
  reader: weigh(files.filter(({ file }) => !/pt-BR|\.(scalar|relaxed)-/.test(file))),
};

if (options.json) {
  const rows = sizes.map(({ files: _, ...row }) => row);
  console.log(JSON.stringify({ limit: LIMIT_BYTES, sizes: rows, single, beside, site }, null, 2));
} else {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
  const row = (name, module, ...cells) =>
    console.log(`${name.padEnd(16)}${module.padEnd(20)}${cells.join('')}`);
  console.log(
    'One simulator in a page, KB after brotli: all files that such a page fetches for it.\n',
  );
  row(
    'simulator',
    'module',
    ...['wasm', 'glue', 'scripts', 'sum', 'files'].map((head) => head.padStart(8)),
  );
  for (const { name, module, variant, parts, bytes, requests } of sizes) {
    const cells = [parts.wasm, parts.glue, parts.scripts, bytes].map(kilobytes);
    row(name, `${module}.${variant}`, ...cells, String(requests).padStart(8));
  }
  console.log(`\nThe limit is ${LIMIT_BYTES / 1000} KB.`);
  for (const { file, brotli } of beside) {
    console.log(`Beside, where it is asked for: ${file}${kilobytes(brotli)} KB`);
  }
  for (const { file, bytes, brotli } of single) {
    console.log(`${file}:${kilobytes(bytes)} KB as it is,${kilobytes(brotli)} KB after brotli`);
  }
  console.log(
    `The whole site, vocabularies, fonts and single files apart:${kilobytes(site.brotli)} KB after brotli; in one language and one variant of the modules:${kilobytes(site.reader)} KB`,
  );
}
if (over.length > 0) {
  const names = over.map(({ name }) => name).join(', ');
  console.error(`Over ${LIMIT_BYTES / 1000} KB: ${names}.`);
  process.exitCode = 1;
}
