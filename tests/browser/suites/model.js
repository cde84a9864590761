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
  /** From now on each call of a model waits, so that a check can come in between. */
  const slowDown = (page) =>
    page.evaluate(() => {
      const real = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, transfer) {
        const wait = message.call === 'ask' ? 150 : 0;
        setTimeout(() => real.call(this, message, transfer), wait);
      };
    });
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
    'a bad file takes no model away: what was wrong is said, and the last one goes on',
    async (page) => {
      await bring(page);
      const before = await texts(page, '#sentence .model-table tbody td');
      for (const [name, buffer] of [
        ['words.gguf', Buffer.from('this is no model')],
        ['half.gguf', tiny().subarray(0, tiny().length - 5000)],
      ]) {
        await page.setInputFiles('#bring input[type=file]', { ...fileOf(buffer), name });
        const alert = page.locator('#bring [role=alert]').filter({ hasText: name });
        await alert.waitFor();
        assert.match(await alert.textContent(), /could not be opened\.\s+\S/);
        assert.match(await page.locator('#bring [role=status]').textContent(), /tiny\.gguf stays/);
        assert.deepEqual(await texts(page, '#sentence .model-table tbody td'), before);
      }
      await page.fill('#model-text', 'red green');
      await press(page, 'sentence');
      await page.waitForFunction(
        () => document.querySelectorAll('#sentence .piece-text').length === 9,
      );
      await page.getByRole('button', { name: 'Let go of it' }).click();
      await page.waitForSelector('#sentence', { state: 'detached' });
      assert.match(await page.locator('#bring [role=status]').textContent(), /let go/);
      assert.equal((await page.evaluate(() => deckTest.focused())).name, 'h2 “Bring a model”');
      await choose(page, tiny());
      await page.waitForSelector('#cut');
    },
  );

  check(
    'a model that comes while the one before is at work takes its place at once',
    async (page) => {
      await bring(page);
      await slowDown(page);
      await page.fill('#generate-count', '64');
      await press(page, 'generate');
      await page
        .locator('#generate')
        .getByText(/token [1-9]/)
        .waitFor();
      await page.setInputFiles('#bring input[type=file]', {
        ...fileOf(tiny()),
        name: 'other.gguf',
      });
      await page.getByText('other.gguf is in use').waitFor();
      await page.locator('#sentence .piece-text').first().waitFor();
      assert.equal(await page.locator('#generate [role=status]').textContent(), '');
      await page.fill('#generate-count', '2');
      await press(page, 'generate');
      await page.waitForSelector('.model-answer');
    },
  );

  check(
    'a number that is not allowed stays, is told under its field, and nothing runs',
    async (page) => {
      await bring(page);
      const count = page.locator('#generate-count');
      for (const [typed, words] of [
        ['', /Tokens is empty/],
        ['many', /“many” is not a number/],
        ['1', /Tokens must lie between 2 and 64/],
        ['65', /Tokens must lie between 2 and 64/],
        ['2.5', /Tokens must be a whole number/],
      ]) {
        await count.fill(typed);
        await press(page, 'generate');
        assert.equal(await count.inputValue(), typed, 'what was typed stays');
        assert.equal(await count.getAttribute('aria-invalid'), 'true');
        const said = await count.evaluate((input) =>
          input
            .getAttribute('aria-describedby')
            .split(' ')
            .map((id) => document.getElementById(id).textContent)
            .join(' | '),
        );
        assert.match(said, words);
        assert.match(said, /From 2 to 64/);
        assert.equal(await count.evaluate((input) => input === document.activeElement), true);
        assert.equal(await page.locator('.model-text').count(), 0, 'nothing was written');
        assert.equal(await page.locator('#generate [role=status]').textContent(), '');
      }
      none(await axe(page, 'wrong numbers'));
      await count.fill('3');
      assert.equal(await count.getAttribute('aria-invalid'), null, 'told as soon as it is right');
      await page.fill('#generate-top_p', '0');
      await page.locator('#generate-top_p').blur();
      await page.getByText('Top p must lie between 0.05 and 1').waitFor();
      await page.fill('#generate-top_p', '1');
      await press(page, 'generate');
      await page.waitForSelector('.model-answer');
      assert.match(await page.locator('.model-answer').textContent(), /The same 3 tokens/);
      await page.fill('#evict-sinks', '17');
      await press(page, 'evict');
      await page.getByText('First tokens pinned must lie between 1 and 16').waitFor();
      assert.equal(await page.locator('#evict [role=status]').textContent(), '');
    },
  );

  check(
    'tokens of the text before are not taken for those of another, or of one that is refused',
    async (page) => {
      await bring(page);
      const first = await page.locator('#model-text').inputValue();
      const notes = page.locator('.model-stale');
      assert.equal(await notes.count(), 0);
      await page.fill('#model-text', 'word '.repeat(200));
      await press(page, 'sentence');
      await page.locator('#sentence [role=alert]').waitFor();
      assert.match(await page.locator('#sentence [role=alert]').textContent(), /1,000 tokens/);
      for (const section of ['sentence', 'cut', 'generate']) {
        assert.ok((await page.locator(`#${section} .model-stale`).textContent()).includes(first));
      }
      await page.fill('#model-text', 'red');
      await press(page, 'sentence');
      await notes.first().waitFor({ state: 'detached' });
      assert.deepEqual(await texts(page, '#sentence .piece-text'), ['r', 'e', 'd']);
      assert.equal(await page.locator('#sentence [role=alert]').count(), 0);
    },
  );

  check('what is stopped says what it was, that it stopped, and how far it came', async (page) => {
    await bring(page);
    await slowDown(page);
    await page.fill('#generate-count', '64');
    await press(page, 'generate');
    await page
      .locator('#generate')
      .getByText(/With the cache: token [1-9]\d* of 64/)
      .waitFor();
    await press(page, 'generate');
    await page
      .locator('#generate [role=status]')
      .getByText(/^Stopped: with the cache [1-9]\d* of 64 tokens were written, without it none/)
      .waitFor();
    assert.equal(
      await page
        .locator('#generate .page-button-main')
        .textContent()
        .then((it) => it.trim()),
      'Write both ways',
    );
    await page.fill('#evict-text', 'the cat sat on the mat, the cat sat on the hat, and so on');
    await press(page, 'evict');
    await page
      .locator('#evict')
      .getByText(/Run 1 of 3: token \d+ of/)
      .waitFor();
    await press(page, 'evict');
    await page
      .locator('#evict [role=status]')
      .getByText(/^Stopped in run 1 of 3, at token \d+ of \d+\.$/)
      .waitFor();
    await press(page, 'sentence');
    await press(page, 'sentence');
    await page.getByText('Stopped: the sentence was not read.').waitFor();
    await press(page, 'pair');
    await press(page, 'pair');
    await page.getByText('Stopped: 0 of 2 questions were answered.').waitFor();
  });

  check(
    'who reads the prompt: automatic, the processor, and WebGPU where there is none',
    async (page) => {
      await bring(page);
      await page.fill('#generate-count', '2');
      const select = page.locator('#generate-backend');
      assert.deepEqual(
        (await texts(page, '#generate-backend option')).map((name) => name.trim()),
        ['automatic', 'the processor', 'WebGPU'],
      );
      const prompt = page.locator('.model-prompt');
      for (const [label, notice] of [
        ['automatic', 0],
        ['the processor', 0],
        ['WebGPU', 1],
        ['automatic', 0],
      ]) {
        await select.selectOption({ label });
        await press(page, 'generate');
        await page.waitForSelector('.model-answer');
        assert.match(await prompt.textContent(), /The processor read the prompt’s \d+ tokens in/);
        assert.match(await page.locator('.model-answer').textContent(), /The same 2 tokens/);
        assert.equal(await prompt.locator('[lang=en]').count(), notice, label);
      }
      await select.selectOption({ label: 'WebGPU' });
      await press(page, 'generate');
      await prompt.locator('[lang=en]').waitFor();
      assert.match(
        await prompt.locator('[lang=en]').textContent(),
        /WebGPU.*The processor took the prompt\./,
      );
      assert.equal(await select.evaluate((it) => it.selectedOptions[0].text.trim()), 'WebGPU');
    },
  );

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
