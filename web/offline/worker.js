/**
 * The service worker of the hosted site, so that a lecture hall without network keeps working after one visit.
 *
 * It holds the files of one build of the site, each by the hash of what is in it, and answers from them alone; whatever is
 * no file of that build passes untouched. The next build comes with a worker of its own, which brings its files
 * into a place of its own while the old one goes on, and takes over between two pages, never under one.
 */
import { relaxedSimd, simd } from 'wasm-feature-detect';

/* global SITE */
/**
 * Filled in by web/build/site/hosting.mjs. `when`: kept from the start, with these variants of the
 * modules, or once somebody used it.
 * @type {{version: string, files: Record<string, {bytes: number, sha256: string, when: ('now' | 'scalar' | 'simd' | 'relaxed' | 'used')[]}>}}
 */
const { version, files } = SITE;

const SCOPE = self.registration.scope;
/** Other sites may live at the same origin, and other copies of this one in other folders. */
const OURS = `attention-deck ${new URL(SCOPE).pathname} `;
const CACHE = OURS + version;
/** So many files are brought side by side: the page that is being read comes first. */
const TOGETHER = 3;

const addressOf = (file) => new URL(file, SCOPE).href;

/** From this build's place only; opening it would make it again after the reader removed it. */
const kept = (file, cacheName = CACHE) =>
  caches.match(addressOf(file), { cacheName, ignoreVary: true });

/** The build of the modules that the loader chooses here, by the same two questions (web/runtime/loader.js). */
async function variant() {
  if (!(await simd())) return 'scalar';
  return (await relaxedSimd()) ? 'relaxed' : 'simd';
}

async function wanted() {
  const own = await variant();
  return Object.keys(files).filter((file) =>
    files[file].when.some((when) => when === 'now' || when === own),
  );
}

const older = async () =>
  (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);

async function isRight(file, bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return files[file].sha256 === btoa(String.fromCharCode(...digest));
}

/**
 * Keeps a file if it is what this build has under that name; a server may be between two builds, or send something else
 * with a friendly status.
 * @returns {Promise<boolean>} whether it was right
 */
async function keep(cache, file, response) {
  const bytes = response.ok ? await response.arrayBuffer() : undefined;
  if (!bytes || !(await isRight(file, bytes))) return false;
  const headers = new Headers(response.headers);
  // They were about the transfer. A new response is also one that was not redirected, which no page may come from.
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  await cache.put(addressOf(file), new Response(bytes, { headers }));
  return true;
}

/** Brings a file from an older build where its name says that it is the same, else from the network. */
async function bring(cache, file, olderCaches) {
  const hashed = file.startsWith('assets/');
  if (hashed) {
    for (const name of olderCaches) {
      const same = await kept(file, name);
      if (same && (await keep(cache, file, same))) return;
    }
  }
  const how = { cache: hashed ? 'default' : 'no-cache', priority: 'low' };
  if (!(await keep(cache, file, await fetch(addressOf(file), how)))) {
    throw new Error(`${file} is not the one of this build`);
  }
}

/** Brings all that is not here yet. One failure, of the network or of the space, and nothing new is left behind. */
async function fill() {
  const isNew = !(await caches.has(CACHE));
  try {
    const cache = await caches.open(CACHE);
    const here = new Set((await cache.keys()).map(({ url }) => url));
    const missing = (await wanted()).filter((file) => !here.has(addressOf(file)));
    const olderCaches = await older();
    const work = async () => {
      for (let file = missing.shift(); file; file = missing.shift()) {
        if (!(await caches.has(CACHE))) throw new Error('the copy was removed meanwhile');
        await bring(cache, file, olderCaches);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, work));
  } catch (error) {
    if (isNew) await caches.delete(CACHE);
    throw error;
  }
}

/** The file of this build that an address means; a server may leave out `.html`, and `index.html` always. */
function fileAt(address) {
  const { origin, pathname } = new URL(address);
  const at = origin + pathname;
  if (!at.startsWith(SCOPE)) return undefined;
  const name = at.slice(SCOPE.length);
  const names = name === '' || name.endsWith('/') ? [`${name}index.html`] : [name, `${name}.html`];
  return names.find((one) => Object.hasOwn(files, one));
}

/**
 * Lets the next build take over where it is ready and no other window would have it slipped under it.
 * @returns {Promise<string | undefined>} where that build's files are
 */
async function nextBuild() {
  const { waiting } = self.registration;
  if (!waiting) return undefined;
  const windows = await self.clients.matchAll({ type: 'window' });
  // The one is the page that is being left.
  if (windows.length > 1) return undefined;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, 1000);
    waiting.postMessage('take over', [port2]);
  });
}

async function answer(event, file) {
  const { request } = event;
  if (request.mode === 'navigate' && request.destination === 'document') {
    const next = await nextBuild();
    const page = next && (await kept(file, next));
    if (page) return page;
  }
  const here = await kept(file);
  if (here) return here;
  const response = await fetch(request);
  if (response.ok && (await caches.has(CACHE))) {
    const copy = response.clone();
    // Whoever has no room for it goes on without.
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => keep(cache, file, copy))
        .catch(() => {}),
    );
  }
  return response;
}

/** A script of the next build, while its page is already here and its worker is just about to be. */
async function answerFromAny(request) {
  for (const cacheName of await older()) {
    const here = await caches.match(request, { cacheName, ignoreVary: true });
    if (here) return here;
  }
  return fetch(request);
}

/** Bytes of what is kept. */
async function size() {
  if (!(await caches.has(CACHE))) return 0;
  const here = await (await caches.open(CACHE)).keys();
  return here.reduce((sum, { url }) => sum + (files[fileAt(url)]?.bytes ?? 0), 0);
}

self.addEventListener('install', (event) => event.waitUntil(fill()));

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      await Promise.all((await older()).map((name) => caches.delete(name)));
      // The page of the first visit is answered from here too: the files that it may still ask for carry their hash.
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const file = fileAt(request.url);
  if (file) event.respondWith(answer(event, file));
  else if (request.url.startsWith(`${SCOPE}assets/`)) event.respondWith(answerFromAny(request));
});

self.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.data === 'take over') {
    self.skipWaiting();
    port?.postMessage(CACHE);
  }
  if (event.data === 'size') event.waitUntil(size().then((bytes) => port?.postMessage(bytes)));
  if (event.data === 'fill') {
    event.waitUntil(
      fill().then(
        () => port?.postMessage('filled'),
        () => port?.postMessage('failed'),
      ),
    );
  }
});
