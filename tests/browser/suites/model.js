/** The page that runs a real model, with tiny models whose weights are made of their tensors' names. */
import assert from 'node:assert/strict';
import { axe } from '../axe.js';
import { none } from '../runner.js';
import { tinyGguf } from '../../node/tiny-model.js';
import { tinyGgufVocabulary, tinyTokens } from '../../node/tiny-vocabulary.js';

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };

const config = {
  n_layers: 3,
  context: 256,
  vocab_size: tinyTokens.length,
  rope_base: 10_000,
  d_model: 64,
  n_heads: 4,
  n_kv_heads: 2,
  head_dim: 16,
  d_ff: 96,
};

/** Built once, when the first check wants it. */
const tiny = (() => {
  let file;
  return () =>
    (file ??= Buffer.from(
      tinyGguf(
        { architecture: 'llama', weights: 'Q8_0', config },
        { 'general.name': 'Tiny', ...tinyGgufVocabulary },
      ),
    ));
})();

const fileOf = (buffer) => ({ name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer });
const ADDRESS = 'https://models.example/tiny.gguf';

export function modelSuite(runner, context) {
  const check = (name, run, options) =>
    runner.check(`page of a model: ${name}`, () => context.withPage(run, options));

  const choose = (page, buffer) => page.setInputFiles('#bring input[type=file]', fileOf(buffer));
  const bring = async (page, language = '') => {
    await page.goto(context.address(`${language}model.html`));
    await choose(page, tiny());
    await page.waitForSelector('#cut');
  };
  const press = (page, section) => page.locator(`#${section} .page-button-main`).click();
  const texts = (page, selector) => page.locator(selector).allTextContents();

  for (const [size, scheme, language] of [
    [DESK, 'light', ''],
    [PHONE, 'dark', ''],
    [PHONE, 'light', 'pt-BR/'],
  ]) {
    const where = `${language}model.html`;
    check(
      `all of ${where} at ${size.width}x${size.height}, ${scheme}`,
      async (page) => {
        await bring(page, language);
        const pieces = await texts(page, '#sentence .piece-text');
        assert.deepEqual(pieces.slice(0, 3), ['T', 'h', 'e']);
        assert.equal(pieces[3], '␣c', 'the vocabulary of the file is the one that cuts');

        const maps = page.locator('attn-real-model');
        await maps.scrollIntoViewIfNeeded();
        await maps.getByText('→', { exact: false }).first().waitFor();

        await page.locator('.model-head').nth(5).click();
        await page.locator('.model-token').nth(1).click();
        await page.waitForSelector('.model-compared');

        await page.fill('#generate-count', '6');
        await press(page, 'generate');
        await page.waitForSelector('.model-answer');
        assert.match(await page.locator('.model-answer').textContent(), / 6 /);

        await page.fill('#evict-text', 'the cat sat on the mat, the cat sat on the hat');
        await page.fill('#evict-window', '6');
        await press(page, 'evict');
        await page.waitForSelector('#evict tbody tr:nth-child(3)');

        await press(page, 'pair');
        await page.waitForSelector('#pair .model-column:nth-child(2)');

        const seen = await page.evaluate(() => ({
          outside: deckTest.outside(document.querySelector('main')),
          sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          small: deckTest.texts(document.body).filter(({ size: px }) => px < 15.95),
        }));
        none([
          ...seen.outside.map((text) => `outside: ${text}`),
          ...seen.small.map(({ text, size: px }) => `${px} px: ${text}`),
          ...(seen.sideways > 0 ? [`the page scrolls sideways by ${seen.sideways}`] : []),
          ...(await axe(page, where)),
        ]);
      },
      { ...size, scheme },
    );
  }

  check('the recap’s row: layer 5, head 3, what “it” looks at, and its four keys', async (page) => {
    await bring(page);
    const button = page.locator('.model-recap button');
    assert.equal(await button.isDisabled(), true, 'three layers have no sixth');
    assert.match(
      await page.locator('.model-recap').textContent(),
      /3 layers of 4 heads, so there is no such head/,
    );
    const gpt2 = { ...config, n_layers: 6, n_kv_heads: 4, d_model: 32, d_ff: 32, head_dim: 8 };
    const file = tinyGguf(
      { architecture: 'gpt2', weights: 'Q8_0', config: gpt2 },
      tinyGgufVocabulary,
    );
    await choose(page, Buffer.from(file));
    await button.and(page.locator(':enabled')).click();
    const maps = page.locator('attn-real-model');
    await maps.getByText('t →').waitFor();
    const { layer, head, row } = await maps.evaluate((element) => element.getState());
    const pieces = await texts(page, '#sentence .piece-text');
    assert.deepEqual([layer, head], [5, 3]);
    assert.equal(
      pieces
        .slice(0, row + 1)
        .join('')
        .replaceAll('␣', ' ')
        .slice(-11),
      ' because it',
    );
    assert.equal(await maps.locator('.row-table tbody tr').count(), 4);
    assert.doesNotMatch(await page.locator('.model-recap').textContent(), /no GPT-2/);
  });

  check('what is cut changes what comes next, and whole again it does not', async (page) => {
    await bring(page);
    const whole = () => texts(page, '.model-compared tbody td:nth-of-type(1)');
    const cut = () => texts(page, '.model-compared tbody td:nth-of-type(3)');
    await page.getByRole('button', { name: 'All heads of layer 1' }).click();
    await page.waitForSelector('.model-compared');
    assert.equal(await page.locator('.model-head[aria-pressed=true]').count(), config.n_heads);
    assert.notDeepEqual(await cut(), await whole());
    await page.getByRole('button', { name: 'Make it whole again' }).click();
    await page.waitForSelector('.model-compared', { state: 'detached' });
    assert.equal(await page.locator('.model-head[aria-pressed=true]').count(), 0);
  });

  check(
    'the grid of heads is one stop of the keyboard, and the arrows walk in it',
    async (page) => {
      await bring(page);
      await page.locator('.model-head').first().focus();
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
        await page.keyboard.press(key);
        await page.evaluate(() => deckTest.frame());
      }
      await page.keyboard.press('Space');
      await page.waitForSelector('.model-head[data-head="1.1"][aria-pressed=true]');
      assert.equal(await page.locator('.model-head[tabindex="0"]').count(), 1);
      assert.match((await page.evaluate(() => deckTest.focused())).name, /Layer 1, head 1/);
    },
  );

  check(
    'cache bytes are those of the formula, and the same tokens come with a seed',
    async (page) => {
      await bring(page);
      await page.fill('#generate-count', '4');
      await page.fill('#generate-temperature', '1');
      await page.fill('#generate-seed', '7');
      await press(page, 'generate');
      await page.waitForSelector('.model-answer');
      // 2 · 3 layers · 2 heads · 16 numbers · 4 bytes = 768.
      const said = await page.locator('#generate .model-hint').textContent();
      assert.match(said, /= 768 bytes/);
      const [, formula, counted] = /makes ([\d,]+) bytes; the cache itself counts ([\d,]+)/.exec(
        said,
      );
      assert.equal(formula, counted);
      assert.match(await page.locator('.model-answer').textContent(), /The same 4 tokens/);
    },
  );

  check('a broken file is told in a sentence, and the next one is read', async (page) => {
    await page.goto(context.address('model.html'));
    const good = tiny();
    for (const [buffer, words] of [
      [Buffer.from('this is no model'), /GGUF/],
      [good.subarray(0, good.length - 5000), /cut short|ends|beyond/],
      [Buffer.alloc(0), /./],
    ]) {
      await choose(page, buffer);
      const alert = page.locator('#bring [role=alert]');
      await alert.waitFor();
      assert.match(await alert.textContent(), words);
      assert.equal(await page.locator('#sentence').count(), 0);
    }
    await choose(page, good);
    await page.waitForSelector('#cut');
    assert.equal(await page.locator('#bring [role=alert]').count(), 0);
  });

  check(
    'from an address: kept with leave, used without network, forgotten',
    async (page) => {
      let asked = 0;
      const serveIt = (route) => {
        asked += 1;
        const headers = { 'access-control-allow-origin': '*', etag: '"1"' };
        return route.fulfill({ status: 200, headers, body: tiny() });
      };
      await page.route(ADDRESS, serveIt);
      await page.goto(context.address('model.html'));
      await page.getByRole('checkbox').check();
      await page.fill('#model-address', ADDRESS);
      await page.getByRole('button', { name: 'Fetch' }).click();
      await page.waitForSelector('#cut');
      assert.ok(asked >= 1);
      await page.unroute(ADDRESS);
      await page.route(ADDRESS, (route) => route.abort());
      await page.reload();
      await page.getByRole('button', { name: 'Use tiny.gguf' }).click();
      await page.waitForSelector('#cut');
      await page.getByRole('button', { name: 'Forget tiny.gguf' }).click();
      await page.waitForSelector('.model-kept', { state: 'detached' });
      assert.equal(await page.evaluate(() => caches.has('attention-deck-models')), false);
    },
    { expect: [/models\.example/] },
  );

  check('a download is cancelled, goes on, and is lost and goes on', async (page) => {
    // The first answer stops half-way; then the network is away, for as long as is tried again; then all comes.
    await page.addInitScript(
      ({ address, file }) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        const real = globalThis.fetch;
        let calls = 0;
        globalThis.fetch = async (asked, how) => {
          if (asked !== address) return real(asked, how);
          calls += 1;
          // Each try asks twice, with a range and without.
          if (calls > 1 && calls < 10) throw new TypeError('Failed to fetch');
          const begin = Number(/bytes=(\d+)-/.exec(how.headers.range)[1]);
          const body = new ReadableStream({
            start(controller) {
              const isWhole = calls > 1;
              controller.enqueue(bytes.slice(begin, isWhole ? undefined : 1000));
              if (isWhole) controller.close();
              else how.signal.addEventListener('abort', () => controller.error(how.signal.reason));
            },
          });
          const { length } = bytes;
          const range = `bytes ${begin}-${length - 1}/${length}`;
          return new Response(body, { status: 206, headers: { 'content-range': range } });
        };
      },
      { address: ADDRESS, file: tiny().toString('base64') },
    );
    await page.goto(context.address('model.html'));
    await page.fill('#model-address', ADDRESS);
    await page.keyboard.press('Enter');
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Stopped. What came is kept.').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('#bring [role=alert]').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForSelector('#cut');
  });

  check(
    'a host that does not let the page read is told, with a link that downloads',
    async (page) => {
      await page.route('https://models.example/**', (route) => route.abort());
      await page.goto(context.address('model.html'));
      await page.fill('#model-address', ADDRESS);
      await page.keyboard.press('Enter');
      await page.locator('#bring [role=alert]').waitFor();
      assert.match(await page.locator('#bring [role=alert]').textContent(), /CORS/);
      assert.equal(await page.locator('.model-download').getAttribute('href'), ADDRESS);
      await page.fill('#model-address', 'no address');
      await page.keyboard.press('Enter');
      await page.getByText('This is no address').waitFor();
    },
    { expect: [/models\.example|ERR_FAILED/] },
  );
}
