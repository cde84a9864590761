/**
 * Keeps a hosted site on the reader's device, for rooms without network. Only the site's own pages do it, at an address that
 * is no developer's, in a window of their own: a simulator in a stranger's page leaves nothing behind.
 */
const STORED = 'attn-offline';
/** What the reader may still be waiting for comes first. */
const REST_MS = 3000;

/** This machine's own addresses: whoever builds the site there wants to see what was built. */
const LOCAL = /^$|^localhost$|\.localhost$|\.local$|^127\.|^0\.0\.0\.0$|^\[::1?\]$/;

/** Where the worker is, as the page's head says (web/build/site/pages.mjs). */
const addressOf = () => document.querySelector('meta[name="attention-deck-worker"]')?.content;

/** Whether this page may keep the site. A page from a file has no such thing. */
export const canKeep = () =>
  isSecureContext &&
  /^https?:$/.test(location.protocol) &&
  !LOCAL.test(location.hostname) &&
  top === self &&
  'serviceWorker' in navigator &&
  Boolean(addressOf());

/** What the reader said: on, off, or nothing. */
function choice() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function choose(value) {
  try {
    localStorage.setItem(STORED, value);
  } catch {
    // It then holds for this visit.
  }
}

/** Unasked, but not where the reader pays for each megabyte, and not after a no. */
export const isWanted = () =>
  choice() === 'on' || (choice() !== 'off' && !navigator.connection?.saveData);

const ask = (worker, words) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(words, [port2]);
  });

/** The registration of this copy of the site, and no other's at the same origin. */
async function ours() {
  const scope = new URL('.', new URL(addressOf(), location.href)).href;
  const all = await navigator.serviceWorker.getRegistrations();
  return all.find((one) => one.scope === scope);
}

/** Settles when a worker is done with bringing the files. @returns {Promise<boolean>} whether it could */
const installed = (worker) =>
  new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'redundant') resolve(false);
      else if (worker.state !== 'installing') resolve(true);
    };
    worker.addEventListener('statechange', look);
    look();
  });

/**
 * Brings the site onto this device.
 * @returns {Promise<boolean>} whether it is here
 */
async function bring() {
  try {
    const registration = await navigator.serviceWorker.register(addressOf());
    const coming = registration.installing;
    if (coming && !registration.active) return await installed(coming);
    // A browser may have thrown away what it kept, and left the worker.
    const { active } = await navigator.serviceWorker.ready;
    return (await ask(active, 'fill')) === 'filled';
  } catch {
    // No worker where storage is switched off: the site is then as it was.
    return false;
  }
}

let bringing;

/** Brings the site once in a page, whoever asks. */
const keepNow = () => (bringing ??= bring());

const loaded = () =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', resolve, { once: true });
  });
const rested = () =>
  new Promise((resolve) => {
    setTimeout(() => {
      if (globalThis.requestIdleCallback) requestIdleCallback(resolve, { timeout: REST_MS });
      else resolve();
    }, REST_MS);
  });

/**
 * Brings the site when the page rests, where the reader has not said otherwise.
 * @returns {Promise<boolean | undefined>} whether it is here; undefined where it is not to be
 */
export async function keepOffline() {
  if (!canKeep() || !isWanted()) return undefined;
  await loaded();
  await rested();
  return isWanted() ? keepNow() : undefined;
}

/** How many bytes are kept; none where nothing is. */
export async function keptBytes() {
  const active = (await ours())?.active;
  return active ? ask(active, 'size') : 0;
}

/** From now on, at the reader's wish. */
export function switchOn() {
  choose('on');
  bringing = undefined;
  return keepNow();
}

/** Removes what is kept, and keeps nothing more. */
export async function switchOff() {
  choose('off');
  const registration = await ours();
  if (registration) {
    await registration.unregister();
    const mine = `attention-deck ${new URL(registration.scope).pathname} `;
    const names = (await caches.keys()).filter((name) => name.startsWith(mine));
    await Promise.all(names.map((name) => caches.delete(name)));
  }
}
