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

/**
 * Opens a page in a fresh profile. `troubles` collects errors on the console, uncaught errors, violations of
 * the content policy and requests that leave the origin; `expect` names those that a check provokes itself.
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
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion,
    hasTouch: mobile,
    isMobile: mobile,
    deviceScaleFactor,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
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
    close: () => context.close(),
  };
}
