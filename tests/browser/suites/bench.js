/** The page that measures the reader's own device, on a shortened run. */
import assert from 'node:assert/strict';
import { copied } from '../clipboard.js';
import { axe } from '../axe.js';
import { none } from '../runner.js';

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };

export function benchSuite(runner, context) {
  const check = (name, run, options) =>
    runner.check(`bench: ${name}`, () => context.withPage(run, options));
  const open = (page) => page.goto(`${context.address('bench.html')}?quick`);
  const run = async (page) => {
    await open(page);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForSelector('[data-phase="done"]', { timeout: 90_000 });
  };

  for (const [size, scheme] of [
    [DESK, 'light'],
    [DESK, 'dark'],
    [PHONE, 'light'],
  ]) {
    check(
      `runs, and its table and roofline fit ${size.width}x${size.height}, ${scheme}`,
      async (page) => {
        await run(page);
        const seen = await page.evaluate(() => ({
          outside: deckTest.outside(document.querySelector('main')),
          clipped: deckTest.clipped(document.body),
          sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          small: deckTest.texts(document.body).filter(({ size: px }) => px < 15.95),
          scrolled:
            document.querySelector('.bench-scroll').scrollWidth -
            document.querySelector('.bench-scroll').clientWidth,
        }));
        none([
          ...seen.outside.map((text) => `outside: ${text}`),
          ...seen.clipped.map((text) => `cut: ${text}`),
          ...seen.small.map(({ text, size: px }) => `${px} px: ${text}`),
          ...(seen.sideways > 0 ? [`the page scrolls sideways by ${seen.sideways}`] : []),
          ...(seen.scrolled > 0 ? [`the table scrolls sideways by ${seen.scrolled}`] : []),
          ...(await axe(page, 'bench.html')),
        ]);
      },
      { ...size, scheme },
    );
  }

  check('each shape has a time of every back end and of JavaScript, and a mark', async (page) => {
    await run(page);
    const seen = await page.evaluate(() => ({
      shapes: document.querySelectorAll('.bench-table tbody').length,
      contestants: document.querySelectorAll('.bench-key').length,
      times: [...document.querySelectorAll('.bench-table tbody td:nth-of-type(1)')].map((cell) =>
        cell.textContent.trim(),
      ),
      marks: document.querySelectorAll('.roofline .point').length,
      best: document.querySelectorAll('.roofline .best').length,
      labels: document.querySelectorAll('.roofline .label').length,
    }));
    assert.ok(seen.shapes >= 3 && seen.contestants >= 2, JSON.stringify(seen));
    assert.equal(seen.times.length, seen.shapes * seen.contestants);
    for (const time of seen.times) assert.match(time, /^\d+(\.\d+)? (µs|ms|s)$/);
    assert.equal(seen.marks, seen.times.length);
    assert.deepEqual([seen.best, seen.labels], [seen.shapes, seen.shapes]);
  });

  check('what is copied is what was measured, as text, CSV and JSON', async (page) => {
    await run(page);
    const copiedAs = (words) =>
      copied(page, async () => {
        await page.getByRole('button', { name: `Copy as ${words}` }).click();
        await page.getByText(`Copied as ${words}.`).waitFor();
      });
    const text = await copiedAs('text');
    const csv = await copiedAs('CSV');
    const { rows, about, device } = JSON.parse(await copiedAs('JSON'));
    const results = rows.flatMap((row) => row.results);
    assert.ok(rows.length >= 3 && results.every(({ wrong }) => wrong === false));
    assert.ok(['scalar', 'simd', 'relaxed'].includes(about.variant));
    assert.ok(text.includes(device.browser) && text.includes('decode 9/3, 4096, 64'));
    const lines = csv.trim().split('\r\n');
    assert.equal(lines.length, 1 + results.length);
    assert.ok(lines[1].includes(String(results[0].fastest)));
  });

  check('by the keyboard alone it runs and stops, and the button keeps the focus', async (page) => {
    await page.goto(context.address('bench.html'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('progressbar').waitFor();
    assert.match((await page.evaluate(() => deckTest.focused())).name, /Stop/);
    await page.getByText(/^2 of \d+: /).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-phase="stopped"]');
    const { name, ringed } = await page.evaluate(() => deckTest.focused());
    assert.match(name, /Run again/);
    assert.ok(ringed);
    assert.equal(await page.locator('.bench-table tbody').count(), 1);
  });

  check(
    'a module that does not come is told in a sentence',
    async (page) => {
      await page.route(/kernels\..*\.wasm/, (route) => route.abort());
      await open(page);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.waitForSelector('[data-phase="failed"]');
      assert.match(await page.getByRole('status').textContent(), /could not be fetched/);
    },
    { expect: [/ERR_FAILED/] },
  );

  check(
    'print: white, the table whole, no buttons',
    async (page) => {
      await run(page);
      await page.emulateMedia({ media: 'print' });
      const seen = await page.evaluate(() => ({
        background: getComputedStyle(document.body).backgroundColor,
        buttons: [...document.querySelectorAll('button')].filter(deckTest.isShown).length,
        table: deckTest.isShown(document.querySelector('.bench-table')),
      }));
      assert.deepEqual(seen, { background: 'rgb(255, 255, 255)', buttons: 0, table: true });
    },
    { ...DESK, scheme: 'dark' },
  );
}
