/** Chromium, driven by playwright-core; each page notes whatever a calm page would not do. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Chromium without its own windows and menus, which cost more than half of what a check takes. */
const SHELLS = ['/usr/bin/chromium-headless-shell'];
const WHOLE = [
  process.env.ATTN_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * @param {string[]} [extra] flags
 * @param {{whole?: boolean}} [options] `whole`: the browser that readers have, which knows more flags
 */
export async function launchChromium(extra = [], { whole = false } = {}) {
  const candidates = whole || process.env.ATTN_CHROMIUM ? WHOLE : [...SHELLS, ...WHOLE];
  const executablePath = candidates.find((file) => file && existsSync(file));
  if (!executablePath) {
    throw new Error(
      'Chromium is missing. On Debian: apt-get install chromium. Elsewhere set ATTN_CHROMIUM.',
    );
  }
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...FLAGS, ...root, ...extra] });
}

/** What a page can leave behind in its profile, but for files that are fetched again and again. */
const LEFT_BEHIND =
  'cookies,local_storage,indexeddb,file_systems,websql,service_workers,cache_storage';

/**
 * Profiles of a browser that are used again: one that a check has left in order is emptied and handed to the next check
 * that wants the same kind. The deck opens there in half the time that it takes in a new profile.
 */
export class Profiles {
  #browser;
  #idle = new Map();

  constructor(browser) {
    this.#browser = browser;
  }

  #ofKind(options) {
    const kind = JSON.stringify(options);
    if (!this.#idle.has(kind)) this.#idle.set(kind, []);
    return this.#idle.get(kind);
  }

  /** @param {object} options as of Playwright's newContext */
  async newContext(options) {
    return this.#ofKind(options).pop() ?? this.#browser.newContext(options);
  }

  /** Takes a profile back. @param {string} origin whose pages were open in it */
  async giveBack(context, options, origin) {
    const [page, ...more] = context.pages();
    const session = await context.newCDPSession(page);
    await Promise.all(more.map((other) => other.close()));
    // Nothing of the page may run on and write anew what is emptied.
    await page.goto('about:blank');
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: LEFT_BEHIND });
    await page.close();
    this.#ofKind(options).push(context);
  }
}

/**
 * Opens a page in a profile of its own. `troubles` collects errors on the console, uncaught errors, violations of the
 * content policy and requests that leave the origin; `expect` names those that a check provokes itself.
 * @param {Profiles | import('playwright-core').Browser} browser where the profile comes from
 */
export async function openPage(browser, origin, options = {}) {
  const {
    width = 1280,
    height = 720,
    scheme = 'light',
    reducedMotion = 'no-preference',
    init,
    routes = [],
    media,
    expect = [],
    mobile = false,
    deviceScaleFactor,
  } = options;
  const profile = {
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion,
    hasTouch: mobile,
    isMobile: mobile,
    deviceScaleFactor,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  };
  const context = await browser.newContext(profile);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const troubles = [];
  const note = (kind, text) => {
    if (!expect.some((pattern) => pattern.test(text))) troubles.push(`${kind}: ${text}`);
  };
  page.on('console', (message) => {
    if (message.type() === 'error')
      note('console', `${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => note('uncaught', String(error)));
  page.on('request', (request) => {
    const url = request.url();
    const inside = url.startsWith(`${origin}/`) || /^(data|blob|about|file):/.test(url);
    if (!inside) note('request', url);
  });
  await page.exposeFunction('noteViolation', (text) => note('policy', text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      globalThis.noteViolation(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile ?? ''} ${event.sample ?? ''}`,
      );
    });
  });
  if (init) await page.addInitScript(init);
  for (const [pattern, handler] of routes) await page.route(pattern, handler);
  if (media) await page.emulateMedia({ media });
  return {
    page,
    context,
    troubles,
    /** What went wrong leaves nobody knows what behind: that profile is not used again. */
    close: ({ failed = false } = {}) =>
      failed || !browser.giveBack ? context.close() : browser.giveBack(context, profile, origin),
  };
}
