/**
 * Node and Chromium as places to measure in: each starts workers, one for each library, and talks with them in the
 * same words (answering.js is the other end).
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from '../architecture/files.js';
import { launchChromium } from '../browser/chromium.js';

/**
 * @typedef {object} Talk
 * @property {string} url  What the worker imports to have its library.
 * @property {(command: string, parameters?: object, most?: number) => Promise<any>} ask
 *   Resolves to undefined when `most` ms are over; rejects with what the worker threw, or when it died.
 * @property {() => Promise<unknown>} stop
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {(entry: string) => Promise<Talk>} start
 * @property {(entry: string) => number | undefined} shipped  Bytes (brotli) that were fetched for it.
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Places
 * @property {string} worker  The worker's script.
 * @property {Record<string, string>} entries  The script of each library in this engine.
 * @property {number} [shared]  Bytes of memory that every worker gets by the command `share`.
 */

/** Commands to a worker, each answered or given up. */
class Conversation {
  #post;
  #waiting = new Map();
  #last = 0;

  constructor(post) {
    this.#post = post;
  }

  ask(command, parameters = {}, most = 600_000) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve(undefined);
      }, most);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#post({ id, command, ...parameters });
    });
  }

  answer({ id, value, error }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error));
    else waiting.resolve(value);
  }

  /** The worker is dead: nobody waits any longer. */
  fail(error) {
    for (const id of [...this.#waiting.keys()]) this.answer({ id, error });
  }
}

/** @param {Places} places @returns {Engine} */
export function nodeEngine({ worker: script, entries, shared }) {
  const memory = shared && new SharedArrayBuffer(shared);
  return {
    name: `Node ${process.versions.node} (V8 ${process.versions.v8})`,
    async start(entry) {
      const worker = new Worker(script);
      const conversation = new Conversation((message) => worker.postMessage(message));
      worker.on('message', (message) => conversation.answer(message));
      worker.on('error', (error) => conversation.fail(String(error)));
      if (memory) worker.postMessage({ command: 'share', memory });
      return {
        url: pathToFileURL(entries[entry]).href,
        ask: (...parameters) => conversation.ask(...parameters),
        stop: () => worker.terminate(),
      };
    },
    shipped: () => undefined,
    async close() {},
  };
}

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

const fileName = (entry) => entry.replace(/\W+/g, '-');

/** Each entry in a folder of its own, so that what it ships can be counted. */
async function bundle(entries, folder, say) {
  for (const [entry, file] of Object.entries(entries)) {
    say(`Bundling ${entry}`);
    await build({
      configFile: false,
      root: path.dirname(file),
      base: './',
      logLevel: 'error',
      build: {
        outDir: path.join(folder, fileName(entry)),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: false,
        target: 'esnext',
        rolldownOptions: {
          input: file,
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'entry.js' },
        },
      },
    });
  }
}

/** What the page may fetch: the bundles, and the workers' own scripts where they stand in the repository. */
function fileFor(pathname, folder) {
  const own = /^\/(tests\/bench|web\/pages)\//.test(pathname);
  const file = path.join(own ? ROOT : folder, decodeURIComponent(pathname));
  const inside = file.startsWith((own ? ROOT : folder) + path.sep);
  return inside && existsSync(file) ? { file, own } : undefined;
}

/** Serves on an origin that is isolated: its clock ticks finely, and its workers share memory. */
async function serveIsolated(folder, served) {
  const head = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') {
      response.writeHead(200, { ...head, 'Content-Type': 'text/html' }).end('<!doctype html>');
      return;
    }
    const found = fileFor(pathname, folder);
    if (!found) {
      response.writeHead(404, head).end();
      return;
    }
    const bytes = readFileSync(found.file);
    if (!found.own) served.set(pathname, bytes);
    const type = TYPES[path.extname(found.file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...head, 'Content-Type': type }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * @param {Places & { folder: string, flags?: string[], say: (text: string) => void }} places  `folder` takes the bundles.
 * @returns {Promise<Engine>}
 */
export async function chromiumEngine({ worker: script, entries, shared, folder, flags, say }) {
  await bundle(entries, folder, say);
  const served = new Map();
  const server = await serveIsolated(folder, served);
  const browser = await launchChromium(flags, { whole: true });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const conversations = new Map();
  await page.exposeFunction('answered', (worker, message) =>
    conversations.get(worker)?.answer(message),
  );
  await page.exposeFunction('died', (worker, error) => conversations.get(worker)?.fail(error));
  await page.evaluate((bytes) => {
    globalThis.workers = new Map();
    if (bytes) globalThis.memory = new SharedArrayBuffer(bytes);
  }, shared);
  const scriptUrl = `/${path.relative(ROOT, script)}`;
  let count = 0;
  return {
    name: `Chromium ${browser.version()}`,
    async start(entry) {
      count += 1;
      const number = count;
      const conversation = new Conversation((message) =>
        page.evaluate(
          ([to, what]) => globalThis.workers.get(to).postMessage(what),
          [number, message],
        ),
      );
      conversations.set(number, conversation);
      await page.evaluate(
        ([to, url]) => {
          const worker = new Worker(url, { type: 'module' });
          worker.addEventListener('message', ({ data }) => globalThis.answered(to, data));
          worker.addEventListener('error', ({ message }) => globalThis.died(to, message));
          if (globalThis.memory) {
            worker.postMessage({ command: 'share', memory: globalThis.memory });
          }
          globalThis.workers.set(to, worker);
        },
        [number, scriptUrl],
      );
      return {
        url: `/${fileName(entry)}/entry.js`,
        ask: (...parameters) => conversation.ask(...parameters),
        stop: () =>
          page.evaluate((to) => {
            globalThis.workers.get(to).terminate();
            globalThis.workers.delete(to);
          }, number),
      };
    },
    /** Each file compressed by itself. */
    shipped: (entry) =>
      [...served]
        .filter(([name]) => name.startsWith(`/${fileName(entry)}/`))
        .reduce(
          (sum, [, bytes]) =>
            sum +
            brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
          0,
        ),
    async close() {
      await browser.close();
      server.close();
    },
  };
}
