/**
 * What one simulator costs in a page that embeds it: the files of the built site that such a page fetches, compressed. The
 * imports are followed as a browser follows them, in the scripts as they were built.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { VARIANTS } from './build-steps.mjs';
import { inRoot } from './steps.mjs';

/** Module, glue, scripts and styles of one simulator, in bytes after brotli. */
export const LIMIT_BYTES = 110_000;

/** The script that a host page names; where it is not built, what the page of a simulator starts with is counted. */
const ENTRY = 'attention-deck.js';

/** @param {Uint8Array} bytes */
export const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

const STATIC = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g;
const DYNAMIC = /\bimport\(\s*["'`](\.[^"'`]+\.js)["'`]/g;

/** The scripts of a built site, with what each imports. */
export class BuiltSite {
  #folder;
  #scripts = new Map();
  #sizes = new Map();

  /** @param {string} folder as `npm run build` leaves it */
  constructor(folder) {
    this.#folder = folder;
    if (!existsSync(path.join(folder, 'index.html'))) {
      throw new Error(`There is no built site in ${folder}: run npm run build first.`);
    }
  }

  has(file) {
    return existsSync(path.join(this.#folder, file));
  }

  /** @param {string} file from the top of the site */
  bytes(file) {
    if (!this.#sizes.has(file)) {
      this.#sizes.set(file, compressed(readFileSync(path.join(this.#folder, file))));
    }
    return this.#sizes.get(file);
  }

  /** Imports of a script: those that come with it, and those that it may ask for. */
  #importsOf(file) {
    if (!this.#scripts.has(file)) {
      const text = readFileSync(path.join(this.#folder, file), 'utf8');
      const found = (pattern) => [
        ...new Set(
          [...text.matchAll(pattern)].map(([, to]) =>
            path.posix.join(path.posix.dirname(file), to),
          ),
        ),
      ];
      this.#scripts.set(file, { now: found(STATIC), later: found(DYNAMIC) });
    }
    return this.#scripts.get(file);
  }

  /** A script and all that comes with it. @returns {Set<string>} */
  closure(file, files = new Set()) {
    if (files.has(file)) return files;
    files.add(file);
    for (const each of this.#importsOf(file).now) this.closure(each, files);
    return files;
  }

  /** What some scripts may ask for under a name. */
  #askedFor(scripts, name) {
    const pattern = new RegExp(`/${name}-[\\w-]{8}\\.js$`);
    return scripts
      .flatMap((file) => this.#importsOf(file).later)
      .filter((file) => pattern.test(file));
  }

  #one(found, what) {
    if (new Set(found).size !== 1) {
      throw new Error(
        `${what}: ${new Set(found).size} files in the built site, and it should be one`,
      );
    }
    return found[0];
  }

  /**
   * What a page fetches for one simulator.
   * @param {string} name of the simulator
   * @param {string} module that it computes with
   * @param {string} variant of that module
   */
  filesOf(name, module, variant) {
    const assets = readdirSync(path.join(this.#folder, 'assets')).map((file) => `assets/${file}`);
    const startOf = (word) => new RegExp(`/${word}-[\\w-]{8}\\.js$`);
    const start = this.has(ENTRY)
      ? ENTRY
      : this.#one(
          assets.filter((file) => startOf('simulator').test(file)),
          'the page of a simulator',
        );
    // That which knows where the modules are; the workers have another.
    const runtime = this.#one(
      assets.filter(
        (file) =>
          startOf('runtime').test(file) &&
          this.#askedFor([file], `${module}.${variant}`).length > 0,
      ),
      'the runtime',
    );
    // A simulator and a module may have the same name.
    const starting = [...this.closure(start)].filter((file) => file !== runtime);
    const element = this.#one(this.#askedFor(starting, name), `the script of ${name}`);
    const face = this.#one(this.#askedFor([runtime], module), `the face of ${module}`);
    const glue = this.#one(
      this.#askedFor([runtime], `${module}.${variant}`),
      `the glue of ${module}`,
    );
    const builds = (of) =>
      assets.filter(
        (file) => path.basename(file).startsWith(`${module}.${of}-`) && file.endsWith('.wasm'),
      );
    // Where builds have the same bytes the site has one file, under the name of one of them.
    const named = [variant, ...VARIANTS.toReversed()].find((of) => builds(of).length > 0);
    const wasm = this.#one(named ? builds(named) : [], `the ${variant} build of ${module}`);
    // The page's own scripts are the page's; a host's page has the one that it names.
    const scripts = new Set([
      ...(start === ENTRY ? this.closure(start) : []),
      ...this.closure(element),
      ...this.closure(face),
    ]);
    return { wasm: [wasm], glue: [glue], scripts: [...scripts] };
  }
}

/** @returns {{name: string, tag: string, module: string, variant: string, parts: Record<string, number>, bytes: number,
 *   requests: number}[]} the dearest variant of each simulator */
export function embedSizes(models, folder = inRoot('dist')) {
  const site = new BuiltSite(folder);
  return models.map(({ tag, module = 'core' }) => {
    const name = tag.replace(/^attn-/, '');
    const variants = VARIANTS.map((variant) => {
      const files = site.filesOf(name, module, variant);
      const sum = (list) => list.reduce((total, file) => total + site.bytes(file), 0);
      const parts = { wasm: sum(files.wasm), glue: sum(files.glue), scripts: sum(files.scripts) };
      const requests = Object.values(files).flat().length;
      return { variant, parts, requests, files, bytes: parts.wasm + parts.glue + parts.scripts };
    });
    const [dearest] = variants.toSorted((one, other) => other.bytes - one.bytes);
    return { name, tag, module, ...dearest };
  });
}
