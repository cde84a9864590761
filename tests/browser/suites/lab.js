/** The lab: programs run in their closed frame, are judged by the C++, and touch nothing else. */
import assert from 'node:assert/strict';
import { exercises } from '../../../web/lab/exercises/index.js';
import { LIMIT_MS } from '../../../web/lab/sandbox.js';
import { axe } from '../axe.js';
import { none } from '../runner.js';

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 };
const [first, second] = exercises;
const teach = exercises.at(-1);

export function labSuite(runner, context) {
  const check = (name, run, options) =>
    runner.check(`lab: ${name}`, () => context.withPage(run, options));
  const open = async (page, { id } = first, file = 'lab.html') => {
    await page.goto(`${context.address(file)}#${id}`);
    await page.waitForSelector('html.live');
  };
  const shown = (page) => page.locator('.lab-exercise:not([hidden])');
  const editor = (page) => shown(page).locator('.cm-content');
  const write = async (page, code) => {
    await editor(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(code);
  };
  const verdict = async (page) => {
    const place = shown(page).locator('.lab-verdict:is([data-phase=right], [data-phase=wrong])');
    await place.waitFor();
    return (await place.textContent()).replace(/\s+/g, ' ').trim();
  };
  const run = async (page) => {
    await shown(page).locator('.lab-run').click();
    return verdict(page);
  };
  const answer = async (page, code) => {
    await write(page, code);
    return run(page);
  };
  const printed = (page) => shown(page).locator('.lab-output pre').first().textContent();

  for (const exercise of exercises) {
    check(`${exercise.id}: the given program is wrong, its solution right`, async (page) => {
      await open(page, exercise);
      assert.match(await run(page), /^✗/);
      assert.match(await answer(page, exercise.solution), /^✓.*Right: on all \d inputs/);
      assert.equal(await page.locator('.lab-nav .lab-solved:visible').count(), 1);
    });
  }

  check('an answer that is written down is found out on drawn numbers', async (page) => {
    await open(page);
    const told = await answer(page, 'const lookUp = () => [6.21762];');
    assert.match(told, /^✗.*6\.2176.*6\.21/);
    const exact = await answer(
      page,
      `const lookUp = ({ keys }) => keys.length === 2
        ? [3 + 4 / (1 + Math.exp(-2 / Math.sqrt(2)))] : [1, 2, 3];`,
    );
    assert.match(exact, /^✗.*but not on others/);
  });

  check('a loop that never ends is ended, and the next run works', async (page) => {
    await open(page);
    const began = performance.now();
    const told = await answer(page, "function lookUp() { console.log('before'); while (true) {} }");
    assert.match(told, /stopped after 5 seconds.*loop that never ends/);
    assert.ok(performance.now() - began >= LIMIT_MS);
    assert.equal((await printed(page)).trim(), 'before');
    assert.match(await answer(page, first.solution), /^✓/);
  });

  check('a run of another exercise ends the one that still goes on', async (page) => {
    await open(page);
    await write(page, 'function lookUp() { for (;;); }');
    await shown(page).locator('.lab-run').click();
    await shown(page).locator('.lab-verdict[data-phase=running]').waitFor();
    await page.goto(`${context.address('lab.html')}#${second.id}`);
    await write(page, second.solution);
    assert.match(await run(page), /^✓/);
  });

  check('a loop can be stopped by hand', async (page) => {
    await open(page);
    await write(page, 'console.log("on"); for (;;) {}');
    await shown(page).getByRole('button', { name: 'Run', exact: true }).click();
    await shown(page).locator('.lab-output pre').waitFor();
    await shown(page).getByRole('button', { name: 'Stop' }).click();
    assert.match(await verdict(page), /You stopped it/);
    assert.match(await answer(page, first.solution), /^✓/);
  });

  for (const [what, code, sentence, line] of [
    [
      'thrown',
      '\n\nfunction lookUp() {\n  return missing + 1;\n}',
      /Line 4: ReferenceError: missing/,
      4,
    ],
    ['of the text', 'const a = 1;\nconst b = ;\nfunction lookUp() {}', /Line 2: SyntaxError/, 2],
    ['at the end of the text', 'function lookUp() {\n  return [', /Line 2: SyntaxError/, 2],
    ['while it is read', '\nnull.x;\nfunction lookUp() {}', /Line 2: TypeError/, 2],
    [
      'thrown later',
      'async function lookUp() {\n  await 0;\n  throw new RangeError("far");\n}',
      /Line 3: RangeError: far/,
      3,
    ],
    [
      'of the C++',
      'function lookUp() {\n\n  return core.softmax({ x: [1], n: 2, m: 2 });\n}',
      /Line 3: .*x must hold 4 numbers/,
      3,
    ],
    ['that is no error', 'function lookUp() { throw "so"; }', /so/],
  ]) {
    check(`an error ${what} is told with its line`, async (page) => {
      await open(page);
      assert.match(await answer(page, code), sentence);
      const marked = shown(page).locator('.lab-wrong-line');
      assert.equal(await marked.count(), line ? 1 : 0);
      if (line) assert.equal(await marked.textContent(), code.split('\n')[line - 1]);
    });
  }

  for (const [what, code, sentence] of [
    ['no function of that name', 'function other() {}', /no function lookUp/],
    ['nothing', 'function lookUp() {}', /Nothing came back/],
    ['a function', 'const lookUp = () => () => 1;', /no data/],
    ['a proxy', 'const lookUp = () => new Proxy([], {});', /no data/],
    ['a list of lists of text', 'const lookUp = () => [["a"]];', /something else came back/],
  ]) {
    check(`${what} as an answer is told in a sentence`, async (page) => {
      await open(page);
      assert.match(await answer(page, code), sentence);
    });
  }

  check('what a program says is text, and there is an end to it', async (page) => {
    await open(page);
    const html = '<img src=x onerror=alert(1)><b>bold</b>';
    await answer(
      page,
      `function lookUp() { for (let i = 0; i < 1000; i += 1) console.log('${html}', i); throw new Error('${html}'); }`,
    );
    assert.ok((await printed(page)).includes(`${html} 0`));
    assert.match(await printed(page), /and more, which is not shown/);
    const made = await page.evaluate(() => document.querySelectorAll('main img, main b').length);
    assert.equal(made, 0);
  });

  check(
    'a program has no network, no storage, no page, and no other origin',
    async (page) => {
      await open(page);
      // Inside the frame its own policy refuses; the page around it must stay calm.
      await answer(
        page,
        `async function lookUp() {
        const tried = {};
        const attempt = async (name, act) => {
          try { await act(); tried[name] = 'worked'; } catch (error) { tried[name] = 'refused'; }
        };
        await attempt('fetch', () => fetch('${context.address('index.html')}'));
        await attempt('script', () => importScripts('${context.address('assets/')}none.js'));
        await attempt('module', () => import('https://example.org/x.js'));
        await attempt('code', () => new Function('return 1')());
        await attempt('database', () => indexedDB.open('x'));
        await attempt('caches', () => caches.open('x'));
        tried.origin = self.origin;
        tried.page = typeof document + typeof localStorage;
        console.log(JSON.stringify(tried));
        return tried;
      }`,
      );
      const tried = JSON.parse(await printed(page));
      assert.deepEqual(tried, {
        fetch: 'refused',
        script: 'refused',
        module: 'refused',
        code: 'refused',
        database: 'refused',
        caches: 'refused',
        origin: 'null',
        page: 'undefinedundefined',
      });
    },
    { expect: [/example\.org/, /Content Security Policy/, /^policy:/, /none\.js/] },
  );

  check(
    'the frame does nothing by itself, nor in a frame of the site’s own origin',
    async (page) => {
      await page.goto(context.address('lab.html'));
      const heard = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const frame = document.createElement('iframe');
            frame.src = 'sandbox.html';
            addEventListener('message', ({ source, data }) => {
              if (source === frame.contentWindow) resolve(data);
            });
            frame.addEventListener('load', () => setTimeout(resolve, 300, 'nothing'));
            document.body.append(frame);
          }),
      );
      assert.equal(heard, 'nothing');
    },
  );

  check('only the frame has a policy of its own', async () => {
    const policyIn = (html) => /content-security-policy" content="([^"]+)"/.exec(html)[1];
    for (const name of context.pages) {
      const policy = policyIn(context.page(name)).replaceAll('&#39;', "'");
      if (name === 'sandbox.html') {
        assert.match(
          policy,
          /^default-src 'none'; script-src 'sha256-[\w+/=]+' blob: 'wasm-unsafe-eval'; worker-src blob:/,
        );
        assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|connect-src|https?:/);
      } else assert.doesNotMatch(policy, /blob:/, name);
    }
  });

  check('the lab itself may not make a worker of text', async (page, { troubles }) => {
    await open(page);
    const refused = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('securitypolicyviolation', ({ blockedURI }) => resolve(blockedURI));
          try {
            const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
            worker.onmessage = () => resolve('it ran');
          } catch {
            // The event says it as well.
          }
        }),
    );
    assert.match(refused, /^blob/);
    troubles.length = 0;
  });

  check(
    'what is solved and written is there after a reload, and forgotten when asked',
    async (page) => {
      await open(page, second);
      await answer(page, second.solution);
      await page.reload();
      await page.waitForSelector('html.live');
      assert.match(await page.locator('#lab-count').textContent(), /^1 of 10 solved/);
      assert.equal((await editor(page).innerText()).split('\n')[0], second.solution.split('\n')[0]);
      assert.match(await run(page), /^✓/);
      await shown(page).getByRole('button', { name: 'Back to the start' }).click();
      assert.match(await editor(page).innerText(), /one row: \[n_q\]\[d_v\] is wanted/);
      await page.getByRole('button', { name: 'Forget all' }).click();
      assert.match(await page.locator('#lab-count').textContent(), /^None of 10/);
      assert.equal(await page.evaluate(() => localStorage.length), 0);
    },
  );

  check('by the keyboard alone: into the editor, run, and out again', async (page) => {
    await open(page);
    await editor(page).focus();
    await page.keyboard.press('Tab');
    assert.ok((await page.evaluate(() => deckTest.focused())).name.includes('Program of'));
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+Enter');
    assert.match(await verdict(page), /^✗/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const { name, ringed } = await page.evaluate(() => deckTest.focused());
    assert.match(name, /Run/);
    assert.ok(ringed);
    assert.equal(await shown(page).locator('.lab-verdict').getAttribute('role'), 'status');
    await page.keyboard.press('Shift+Tab');
    assert.ok((await page.evaluate(() => deckTest.focused())).name.includes('Program of'));
  });

  check('the list leads to each exercise, and the address names it', async (page) => {
    await open(page);
    for (const { id, title } of exercises) {
      await page.locator(`.lab-nav [data-to="${id}"]`).click();
      await page.locator(`#${id}`).waitFor();
      assert.equal(await shown(page).count(), 1);
      assert.ok((await shown(page).locator('h2').textContent()).endsWith(title));
      assert.ok(page.url().endsWith(`#${id}`));
    }
  });

  check('teaching shows the loss and the map, and each step can be chosen', async (page) => {
    await open(page, teach);
    await answer(page, teach.solution);
    const weights = () =>
      shown(page)
        .locator('.lab-map .lab-target')
        .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
    const end = await weights();
    assert.ok(end.length === 6 && end.every((percent) => percent > 80), end.join(' '));
    const slider = shown(page).getByRole('slider');
    await slider.focus();
    await page.keyboard.press('Home');
    const start = await weights();
    assert.ok(
      start.every((percent) => percent < 40),
      start.join(' '),
    );
    assert.match(await shown(page).locator('.lab-at').textContent(), /Step 0, loss 1\.79/);
  });

  for (const size of [DESK, PHONE]) {
    for (const [file, scheme] of [
      ['lab.html', 'light'],
      ['lab.html', 'dark'],
      ['pt-BR/lab.html', 'light'],
    ]) {
      check(
        `${file} fits ${size.width}x${size.height} without a violation, ${scheme}`,
        async (page) => {
          const found = [];
          for (const exercise of exercises) {
            await open(page, exercise, file);
            if (exercise === teach) await answer(page, teach.solution);
            if (exercise === first) await answer(page, 'let a = 1\nlet b = ;');
            await shown(page).locator('summary').first().click();
            await shown(page).locator('summary').last().click();
            const seen = await page.evaluate(() => ({
              outside: deckTest.outside(document.querySelector('main')),
              sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
              small: deckTest.texts(document.body).filter(({ size: px }) => px < 15.95),
              targets: deckTest
                .targets(document)
                .filter(({ width, height }) => width < 23.95 || height < 23.95),
            }));
            found.push(
              ...seen.outside.map((text) => `${exercise.id}: outside: ${text}`),
              ...seen.small.map(({ text, size: px }) => `${exercise.id}: ${px} px: ${text}`),
              ...seen.targets.map(({ name }) => `${exercise.id}: small: ${name}`),
              ...(seen.sideways > 0 ? [`${exercise.id}: sideways by ${seen.sideways}`] : []),
              ...(await axe(page, exercise.id)),
            );
          }
          none(found);
        },
        { ...size, scheme },
      );
    }
  }

  check(
    'print: every task with its program as it is written, and no buttons',
    async (page) => {
      await open(page);
      await write(page, '// mine\n');
      await page.emulateMedia({ media: 'print' });
      const seen = await page.evaluate(() => ({
        background: getComputedStyle(document.body).backgroundColor,
        buttons: [...document.querySelectorAll('button')].filter(deckTest.isShown).length,
        listings: [...document.querySelectorAll('.lab-code .lab-listing')].filter(deckTest.isShown)
          .length,
        first: document.querySelector('.lab-code code').textContent,
        titles: [...document.querySelectorAll('h2')].filter(deckTest.isShown).length,
      }));
      assert.deepEqual(seen, {
        background: 'rgb(255, 255, 255)',
        buttons: 0,
        listings: 10,
        first: '// mine\n',
        titles: 10,
      });
    },
    { ...DESK, scheme: 'dark' },
  );

  check(
    'a frame that does not come up is told in a sentence',
    async (page) => {
      await page.route(/sandbox\.html/, (route) => route.abort());
      await open(page);
      assert.match(await run(page), /did not come up/);
    },
    { expect: [/ERR_FAILED/] },
  );

  check('the slide of the lab knows what is solved', async (page) => {
    await open(page);
    await answer(page, first.solution);
    await page.goto(context.slideAddress('37'));
    const solved = page.locator('[data-slide="37"] [data-lab] .lab-solved:visible');
    await solved.waitFor();
    assert.equal(await solved.count(), 1);
  });

  check('in Portuguese: judged in it, and what is solved is shared with English', async (page) => {
    await open(page, first, 'pt-BR/lab.html');
    assert.match(
      await run(page),
      /^✗.*Para a resposta, na posição 1: o seu é 16,9706, o C\+\+ tem 6,2177/,
    );
    assert.match(await answer(page, first.solution), /^✓.*Certo: nas 2 entradas/);
    await page.locator(`.lab-nav [data-to="${teach.id}"]`).click();
    await page.locator('[data-language]').click();
    await page.waitForURL(
      (url) => url.pathname.endsWith('/lab.html') && !url.pathname.includes('pt-BR'),
    );
    await page.waitForSelector('html.live');
    assert.ok(page.url().endsWith(`#${teach.id}`));
    assert.match(await page.locator('#lab-count').textContent(), /^1 of 10 solved/);
    await page.goto(`${context.address('pt-BR/index.html')}#/slide-37`);
    const link = page.locator(`[data-lab="${first.id}"] a`).first();
    assert.ok((await link.evaluate(({ href }) => href)).endsWith(`/pt-BR/lab.html#${first.id}`));
  });
}
