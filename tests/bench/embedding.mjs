/** How long a stranger's page waits for a simulator that it embeds: its own origin, the site's another, nothing cached. */
import { createServer } from 'node:http';
import { serve } from '../browser/server.js';

/** Small and large ones, of five modules. */
const NAMES = ['query', 'kv-cache', 'rope', 'tokens', 'tiles'];

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{dist: string, loads: number}} options
 * @returns {Promise<Record<string, number[]>>} by simulator, of each load the ms from when the page sends for the script to the
 *   event `ready`
 */
export async function timeEmbeds(browser, { dist, loads }) {
  const site = await serve(dist, { cors: true });
  const host = createServer((request, response) => {
    const name = request.url.slice(1);
    const found = NAMES.includes(name);
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      found &&
        `<!doctype html><html lang="en"><head><title>Host page</title><script type="module" src="${site.origin}/attention-deck.js"></script></head><body><attn-${name}></attn-${name}></body></html>`,
    );
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  const times = {};
  for (const name of NAMES) {
    times[name] = [];
    for (let load = 0; load < loads; load += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      const page = await context.newPage();
      await page.addInitScript(() => {
        addEventListener('ready', () => (globalThis.readyAt ??= performance.now()));
      });
      await page.goto(`http://127.0.0.1:${host.address().port}/${name}`);
      await page.waitForFunction(() => globalThis.readyAt);
      times[name].push(
        await page.evaluate(() => {
          const script = document.querySelector('script[type=module]');
          const [{ startTime }] = performance.getEntriesByName(script.src);
          return globalThis.readyAt - startTime;
        }),
      );
      await context.close();
    }
  }
  await Promise.all([site.close(), new Promise((resolve) => host.close(resolve))]);
  return times;
}
