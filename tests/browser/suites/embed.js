/** One script in other people's pages, what they may hide and lock, frames that tell their height, guesses in forms. */
import assert from 'node:assert/strict';
import { copied } from '../clipboard.js';
import { eventually } from '../runner.js';
import { serve } from '../server.js';
import { expectedNumbers } from '../simulator.js';

const SCRIPT = '<script type="module" src="/attention-deck.js"></script>';

const document_ = (body, { head = SCRIPT, lang = 'en' } = {}) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Host page</title><link rel="stylesheet" href="/embed/host.css">${head}</head><body>${body}</body></html>`,
});

/** Pages of strangers; served beside the site. */
export function embedPages() {
  const ten = Array.from({ length: 10 }, () => '<attn-query></attn-query>').join('');
  return {
    '/embed/host.css': {
      type: 'text/css',
      body: '.far { height: 6000px } .dark { background: #191919; color: #fff } body { font-family: "Courier New", monospace } .loud { font: italic 700 20px monospace; letter-spacing: 3px; text-transform: uppercase; text-indent: 2em; white-space: nowrap }',
    },
    '/embed/ten.html': document_(ten),
    '/embed/far.html': document_(
      '<p>Above</p><div class="far"></div><attn-query id="one"></attn-query><attn-query></attn-query>',
    ),
    '/embed/dark.html': document_(
      '<section class="dark"><attn-query id="one"></attn-query></section><attn-query id="two"></attn-query>',
    ),
    '/embed/loud.html': document_(
      '<attn-query id="one"></attn-query><section class="loud"><attn-query id="two"></attn-query></section>',
    ),
    '/embed/limits.html': document_(
      '<attn-query id="one" case="a" hide="toolbar sentence" lock="d-k case"></attn-query><attn-query id="two" lock="all"></attn-query><attn-query id="three" hide="controls"></attn-query>',
    ),
    '/embed/form.html': document_(
      '<form><fieldset><attn-query id="one" name="winner" predicting></attn-query></fieldset></form>',
    ),
    '/embed/frame.html': document_(
      '<iframe id="one" src="/simulators/query.html?hide=title,summary" width="900" height="90" title="a simulator"></iframe><iframe id="other" src="/embed/ten.html" height="90" title="another page"></iframe>',
    ),
    '/embed/slips.html': document_(
      '<attn-qurey></attn-qurey><attn-qurey></attn-qurey><attn-nothing-of-ours></attn-nothing-of-ours><attn-query id="one" d_k="16" kase="a" class="case" title="t" tabindex="0" data-cases="1" nme="x" v-if="case"></attn-query><attn-query d_k="4"></attn-query><section lang="pt"><attn-query id="two"></attn-query></section>',
    ),
    '/embed/bare.html': document_('', { head: '' }),
    '/embed/plain.html': document_('<attn-query id="one"></attn-query>', { head: '', lang: 'fr' }),
  };
}

/** Counts how often a module is made alive. */
function countInstances() {
  globalThis.instances = 0;
  const { instantiate, Instance } = WebAssembly;
  WebAssembly.instantiate = (...values) => {
    globalThis.instances += 1;
    return instantiate.apply(WebAssembly, values);
  };
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, values) {
      globalThis.instances += 1;
      return new target(...values);
    },
  });
}

export function embedSuite(runner, context) {
  const entry = context.simulators.find(({ name }) => name === 'query');
  const { model } = entry;
  const at = (name) => `${context.origin}/embed/${name}.html`;
  const check = (what, run, options = {}) =>
    runner.check(`embed: ${what}`, () =>
      context.withPage(run, { ...options, expect: [/favicon/, ...(options.expect ?? [])] }),
    );
  const state = (changes) => ({ ...structuredClone(model.defaults), ...changes });
  const ready = (page, id = 'one') =>
    page.evaluate(async (name) => {
      const element = document.getElementById(name);
      await deckTest.ready(element);
      return { state: element.getState(), numbers: deckTest.numberTexts(element) };
    }, id);
  const fetched = (page) => {
    const files = [];
    page.on('request', (request) => files.push(new URL(request.url()).pathname));
    return files;
  };

  check(
    'ten of a kind share one module, made alive once',
    async (page) => {
      const files = fetched(page);
      await page.goto(at('ten'));
      const seen = await page.evaluate(async () => {
        const all = [...document.querySelectorAll('attn-query')];
        // Most of them are far below, where nothing is computed unasked.
        await customElements.whenDefined('attn-query');
        await Promise.all(all.map((element) => element.start()));
        for (const element of all) await deckTest.ready(element);
        return {
          instances: globalThis.instances,
          numbers: all.map((element) => deckTest.numberTexts(element)),
        };
      });
      assert.equal(seen.instances, 1);
      assert.equal(files.filter((file) => file.endsWith('.wasm')).length, 1, files.join());
      assert.equal(seen.numbers.length, 10);
      const expected = await expectedNumbers(entry, context.modules, model.defaults);
      for (const numbers of seen.numbers) assert.deepEqual(numbers, expected);
    },
    { init: countInstances },
  );

  check('what is far away costs nothing until it comes near, or is printed', async (page) => {
    const files = fetched(page);
    await page.goto(at('far'));
    await page.waitForTimeout(500);
    const scripts = files.filter((file) => /\.(js|mjs|wasm)$/.test(file));
    assert.match(scripts.join(' '), /^\/attention-deck\.js \/assets\/embed-[\w-]+\.js$/);
    await page.evaluate(() => document.getElementById('one').scrollIntoView());
    await ready(page);
    await page.goto(at('far'));
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await ready(page);
    await page.evaluate(async () => {
      // One that comes later, and in a shadow tree.
      const { wake, load } = await import('/attention-deck.js');
      const late = document.createElement('attn-dot-product');
      document.body.prepend(late);
      await deckTest.ready(late);
      const root = document.body
        .appendChild(document.createElement('div'))
        .attachShadow({ mode: 'open' });
      wake(root);
      root.innerHTML = '<attn-mask></attn-mask>';
      root.host.scrollIntoView();
      await deckTest.ready(root.firstChild);
      if (typeof (await load('core')).attention !== 'function') throw new Error('no core');
    });
  });

  check(
    'from another origin, twice, in the language that its address asks for',
    async (page) => {
      const other = await serve(context.dist, { cors: true });
      const host = await serve(context.dist, { policy: false, extra: embedPages() });
      try {
        await page.goto(`${host.origin}/embed/plain.html`);
        const wanted = state({ q: [3, 1] });
        await page.evaluate(
          ([origins, before]) => {
            document.getElementById('one').state = before;
            for (const address of origins) {
              const script = document.createElement('script');
              script.type = 'module';
              script.src = address;
              document.head.append(script);
            }
          },
          [
            [
              `${other.origin}/attention-deck.js?lang=pt-BR`,
              `${other.origin}/attention-deck.js?lang=pt-BR`,
              `${host.origin}/attention-deck.js`,
            ],
            wanted,
          ],
        );
        assert.deepEqual((await ready(page)).state, wanted);
        const words = await page.evaluate(() => {
          const element = document.getElementById('one');
          document.body.prepend(element);
          return [element.lang, element.shadowRoot.querySelector('[part=sentence]').textContent];
        });
        assert.equal(words[0], 'pt-BR');
        assert.match(words[1], /palavra|sai como|ouve/);
        assert.deepEqual((await ready(page)).state, wanted);
      } finally {
        await other.close();
        await host.close();
      }
    },
    { expect: [/^http:\/\/127\.0\.0\.1:/] },
  );

  check(
    'a script that does not arrive is told in its place',
    async (page) => {
      await page.goto(at('dark'));
      const notice = page.locator('#one').locator('xpath=preceding-sibling::p[@role="alert"]');
      await notice.waitFor();
      assert.match(await notice.textContent(), /script did not arrive/);
    },
    {
      routes: [[/assets\/query-[\w-]+\.js/, (route) => route.abort()]],
      expect: [/ERR_FAILED|Failed to load/],
    },
  );

  check('it is as dark as what stands around it', async (page) => {
    await page.goto(at('dark'));
    const looks = [];
    for (const id of ['one', 'two']) {
      await ready(page, id);
      looks.push(
        await page.evaluate((name) => {
          const element = document.getElementById(name);
          const style = getComputedStyle(element);
          const cell = element.shadowRoot.querySelector('.cell');
          return {
            scheme: style.colorScheme,
            ink: style.color,
            cell: getComputedStyle(cell).backgroundColor,
            lang: element.lang,
          };
        }, id),
      );
    }
    const [dark, light] = looks;
    assert.deepEqual([dark.scheme, light.scheme], ['dark', 'light']);
    assert.deepEqual([dark.ink, light.ink], ['rgb(241, 239, 233)', 'rgb(25, 27, 32)']);
    assert.notEqual(dark.cell, light.cell);
    assert.notEqual(light.cell, 'rgba(0, 0, 0, 0)');
  });

  check(
    'it has a typeface of its own, whatever the page has, until the page names one',
    async (page) => {
      await page.goto(at('loud'));
      const looks = () =>
        page.evaluate(async () => {
          const both = [...document.querySelectorAll('attn-query')];
          for (const element of both) await deckTest.ready(element);
          return both.map((element) => {
            const sentence = element.shadowRoot.querySelector('.sentence');
            const { fontFamily, fontStyle, textTransform, letterSpacing } =
              getComputedStyle(sentence);
            const height = element.offsetHeight;
            return { fontFamily, fontStyle, textTransform, letterSpacing, height };
          });
        });
      const [plain, loud] = await looks();
      assert.deepEqual(loud, plain);
      assert.match(plain.fontFamily, /system-ui/);
      await page.evaluate(() =>
        document.querySelector('.loud').style.setProperty('--attn-font', 'Georgia, serif'),
      );
      const [before, named] = await looks();
      assert.deepEqual(before, plain);
      assert.match(named.fontFamily, /^Georgia/);
    },
  );

  check('what a page hides is not there, and what it locks no hand changes', async (page) => {
    await page.goto(at('limits'));
    for (const id of ['one', 'two', 'three']) await ready(page, id);
    const parts = (id) =>
      page.evaluate((name) => {
        const root = document.getElementById(name).shadowRoot;
        const count = (selector) => root.querySelectorAll(selector).length;
        return {
          cases: count('.cases'),
          toolbar: count('.toolbar'),
          sentence: count('.sentence'),
          sliders: count('.slider'),
          inputs: count('input'),
          openSliders: count('.slider:not(:disabled)'),
          openFields: count('.cell:read-write, input[type=radio]:not(:disabled)'),
          openCases: count('.case:not(:disabled)'),
          numbers: count('.cell'),
        };
      }, id);
    const one = await parts('one');
    assert.deepEqual([one.toolbar, one.sentence, one.cases], [0, 0, 1]);
    assert.deepEqual([one.sliders, one.openSliders, one.openCases], [3, 2, 0]);
    const two = await parts('two');
    assert.deepEqual([two.openSliders, two.openFields, two.openCases], [0, 0, 0]);
    assert.equal(two.sentence, 1);
    const three = await parts('three');
    assert.deepEqual([three.sliders, three.inputs], [0, 0]);
    assert.ok(three.numbers >= 12, 'the numbers of the tables are gone');
    assert.ok(three.openCases > 1);

    const now = (id) => page.evaluate((name) => document.getElementById(name).getState(), id);
    // Keys and a hand on what is locked: nothing moves, and nothing can be taken back.
    const field = page.locator('#one .cell[data-path="d_k"]');
    await field.focus();
    await field.press('ArrowUp');
    await field.press('9');
    await page.locator('#two .cell[data-path="q.0"]').press('ArrowUp');
    assert.deepEqual(
      await now('one'),
      state({
        V: [
          [1, 0],
          [0.5, 0.5],
          [0, 1],
        ],
      }),
    );
    assert.deepEqual(await now('two'), state({}));
    // What is open moves; the page itself goes on setting what it likes, and undo leaves that alone.
    await page.locator('#one .cell[data-path="q.0"]').press('ArrowUp');
    await page.evaluate(() => document.getElementById('one').setAttribute('d-k', '16'));
    await page.locator('#one .cell[data-path="q.0"]').press('Control+z');
    const after = await now('one');
    assert.deepEqual([after.q, after.d_k], [[1, 2], 16]);
    // A link of the reader's may not do what the reader's hands may not.
    const linked = `1.${Buffer.from(JSON.stringify({ d_k: 64, q: [2, 2] })).toString('base64url')}`;
    await page.goto(`${at('limits')}?attn-query=${linked}`);
    const read = (await ready(page)).state;
    assert.deepEqual([read.q, read.d_k], [[2, 2], 2]);
    // A word that means nothing is told, not thrown.
    const told = await page.evaluate(async () => {
      const element = document.getElementById('one');
      const sentences = [];
      element.addEventListener('error', ({ detail }) => sentences.push(detail.message));
      element.setAttribute('lock', 'd-k everything');
      element.hide = 'tolbar';
      await element.updateComplete;
      return sentences;
    });
    assert.deepEqual(told, [
      'There is nothing called “tolbar” here to hide.',
      'There is no field “everything” here to lock.',
    ]);
  });

  check('the page of a simulator alone does what its address says', async (page) => {
    const query =
      'case=a&d-k=16&hide=title,cases,nonsense&lock=d-k&theme=dark&lang=xx&utm_source=x';
    await page.goto(context.address(`simulators/query.html?${query}`));
    const seen = await page.evaluate(async () => {
      const element = document.querySelector('attn-query');
      await deckTest.ready(element);
      return {
        state: element.getState(),
        scheme: getComputedStyle(element).colorScheme,
        title: deckTest.isShown(document.querySelector('h1')),
        cases: element.shadowRoot.querySelectorAll('.cases').length,
        locked: element.shadowRoot.querySelector('[data-slider="d_k"]').disabled,
        said: document.getElementById('trouble').textContent,
      };
    });
    assert.deepEqual(
      seen.state,
      state({
        d_k: 16,
        V: [
          [1, 0],
          [0.5, 0.5],
          [0, 1],
        ],
      }),
    );
    assert.deepEqual([seen.scheme, seen.title, seen.cases, seen.locked], ['dark', false, 0, true]);
    assert.equal(
      seen.said,
      'There is no language “xx” here. There is nothing called “nonsense” here to hide.',
    );
    await page.goto(context.address('simulators/query.html?case=none&d-k=many&lang=pt-BR'));
    await page.waitForURL(/pt-BR\/simulators\/query\.html\?case=none&d-k=many$/);
    await eventually(async () =>
      assert.match(await page.locator('#trouble').textContent(), /“none”.*d_k/s),
    );
  });

  check('a frame is as high as its page says, and no other page is believed', async (page) => {
    await page.goto(at('frame'));
    const heights = () =>
      page.evaluate(() =>
        ['one', 'other'].map((id) => document.getElementById(id).getBoundingClientRect().height),
      );
    const inside = page.frameLocator('#one');
    await inside.locator('attn-query:defined').waitFor();
    await eventually(async () => {
      const wanted = await inside
        .locator('body')
        .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
      const [height] = await heights();
      assert.ok(wanted > 300 && Math.abs(height - wanted) <= 4, `${height}, not ${wanted}`);
    });
    // In a frame it has no margins of its own.
    const left = await inside
      .locator('attn-query')
      .evaluate((node) => node.getBoundingClientRect().x);
    assert.ok(left <= 8, `${left} px`);
    const before = await heights();
    const other = page.frames().find((frame) => frame.url().endsWith('ten.html'));
    const say = (frame, height) =>
      frame.evaluate((value) => {
        const message = {
          source: 'attention-deck',
          type: 'height',
          tag: 'attn-query',
          height: value,
        };
        window.parent.postMessage(message, '*');
      }, height);
    await say(other, 700);
    await say(page.mainFrame(), 700);
    const own = page.frames().find((frame) => frame.url().includes('query.html'));
    for (const height of [12.5, '700', null]) await say(own, height);
    await page.waitForTimeout(200);
    assert.deepEqual(await heights(), before);
    await say(own, 10_000_000);
    await eventually(async () => assert.ok((await heights())[0] <= 8010));
  });

  for (const [name, query] of [
    ['query', ''],
    ['kv-cache', '?case=reserve'],
    ['tokens', ''],
  ]) {
    check(
      `the frame of ${name} that is copied is as high as it has to be, without a script`,
      async (page) => {
        await page.goto(context.address(`simulators/${name}.html${query}`));
        const texts = await page.evaluate(async (tag) => {
          const element = document.querySelector(tag);
          await deckTest.ready(element);
          const root = element.shadowRoot;
          root.querySelector('.save-list button:last-child').click();
          const select = await deckTest.until(
            () => root.querySelector('.embed-column select'),
            'the box',
          );
          const found = [];
          for (const { value } of [...select.options]) {
            select.value = value;
            select.dispatchEvent(new Event('change'));
            for (let turn = 0; turn < 3; turn += 1) await element.updateComplete;
            found.push([Number(value), root.querySelectorAll('.embed-text')[1].value]);
          }
          return found;
        }, `attn-${name}`);
        assert.deepEqual(
          texts.map(([column]) => column),
          [960, 700, 360],
        );
        await page.goto(at('bare'));
        for (const [column, frame] of texts) {
          await page.setViewportSize({ width: column + 16, height: 720 });
          await page.setContent(`<!doctype html>${frame.replace(' loading="lazy"', '')}`);
          const inside = await eventually(async () => {
            const found = page.frames().at(-1);
            assert.match(found.url(), /hide=title,summary,foot&theme=light/);
            return found;
          });
          await inside.waitForSelector(`attn-${name}:state(ready)`);
          await eventually(async () => {
            const [wanted, given] = await inside.evaluate(() => [
              Math.ceil(document.body.getBoundingClientRect().height),
              innerHeight,
            ]);
            assert.ok(
              given >= wanted && given - wanted < 6,
              `${column} px: ${given} for ${wanted}`,
            );
          });
        }
      },
      // Under this server's policy, that frames stay as wide as a slide.
      { expect: [/inline style|style-src/] },
    );
  }

  check(
    'a misspelt tag or attribute is told once, and a language that is not spoken',
    async (page) => {
      const warned = [];
      page.on('console', (message) => {
        if (message.type() === 'warning' && /attention-deck/.test(message.text()))
          warned.push(message.text().replace(/^attention-deck: /, ''));
      });
      await page.goto(at('slips'));
      await ready(page);
      await ready(page, 'two');
      await page.evaluate(() => {
        const late = document.createElement('attn-ropes');
        document.body.append(late, document.createElement('other-query'));
        // Another's element of such a name is nobody's slip.
        customElements.define('attn-querty', class extends HTMLElement {});
        document.body.append(document.createElement('attn-querty'));
      });
      const wanted = [
        /^all simulators of a page speak one language, here en\./,
        /^there is no element <attn-nothing-of-ours>\. There are attn-.*, attn-query, /,
        /^there is no element <attn-qurey>\. Did you mean <attn-query>\?$/,
        /^there is no element <attn-ropes>\. Did you mean <attn-rope>\?$/,
        /^<attn-query> has no attribute “d_k”\. Did you mean “d-k”\?$/,
        /^<attn-query> has no attribute “kase”\. Did you mean “case”\?$/,
      ];
      await eventually(() => assert.ok(warned.length >= wanted.length, warned.join('\n')));
      for (const pattern of wanted) {
        const [found, more] = warned.filter((text) => pattern.test(text));
        assert.ok(found && !more, `${pattern}: ${warned.join('\n')}`);
      }
      assert.equal(warned.length, wanted.length, warned.join('\n'));
      // What is said is English, whatever stands around it.
      assert.equal(await page.evaluate(() => document.getElementById('two').lang), 'en');
    },
  );

  check('a guess is a field of the form around it', async (page) => {
    await page.goto(at('form'));
    await ready(page);
    const form = () =>
      page.evaluate(() => {
        const element = document.getElementById('one');
        return {
          data: [...new FormData(document.querySelector('form'))],
          guess: element.guess ?? null,
          states: [element.matches(':state(ready)'), element.matches(':state(predicting)')],
          belongs: element.form === document.querySelector('form'),
        };
      });
    assert.deepEqual(await form(), { data: [], guess: null, states: [true, true], belongs: true });
    await page.locator('#one .guess input').nth(1).check();
    assert.deepEqual((await form()).data, []);
    await page.locator('#one').getByRole('button', { name: 'Show the answer' }).click();
    const made = await form();
    assert.deepEqual(made.data, [['winner', 'bank']]);
    assert.deepEqual(made.guess, { choice: 1, words: 'bank', right: false });
    const again = await page.evaluate(async () => {
      document.querySelector('form').reset();
      const element = document.getElementById('one');
      await element.updateComplete;
      const cleared = [...new FormData(document.querySelector('form'))].length;
      element.formStateRestoreCallback('2', 'restore');
      document.querySelector('fieldset').disabled = true;
      await element.updateComplete;
      return [cleared, element.guess.words, element.shadowRoot.querySelectorAll('.guess').length];
    });
    assert.deepEqual(again, [0, 'river', 0]);
  });

  for (const [width, height] of [
    [1280, 720],
    [320, 640],
  ]) {
    check(
      `the box for other people’s slides, ${width} px wide`,
      async (page) => {
        await page.goto(context.address('simulators/query.html?case=a&d-k=16'));
        await eventually(async () =>
          assert.equal(await page.evaluate(() => document.querySelector('attn-query').d_k), 16),
        );
        await page.evaluate(() => deckTest.ready(document.querySelector('attn-query')));
        const inside = page.locator('attn-query [part=simulator]').last();
        const menu = inside.locator('.save summary');
        await menu.focus();
        await page.keyboard.press('Enter');
        const entry_ = inside.getByRole('button', { name: 'Put this in your slides' });
        await entry_.focus();
        await page.keyboard.press('Enter');
        const box = inside.getByRole('group', { name: 'Put this in your slides' });
        await box.waitFor();
        const texts = () =>
          box.locator('textarea').evaluateAll((fields) => fields.map(({ value }) => value));
        const address = (rest) => context.address(rest).replaceAll('&', '&amp;');
        const [tag, frame, link] = await texts();
        assert.equal(
          tag,
          `<script type="module" src="${context.address('attention-deck.js')}"></script>\n<attn-query case="a" d-k="16"></attn-query>`,
        );
        assert.ok(
          frame.startsWith(
            `<iframe src="${address('simulators/query.html?case=a&d-k=16&hide=title,summary,foot&theme=light')}" title="One query, three keys" `,
          ),
          frame,
        );
        assert.equal(link, context.address('simulators/query.html?case=a&d-k=16'));
        // The keyboard is in it already.
        const taken = await copied(page, async () => {
          await page.keyboard.press('Enter');
          await eventually(async () =>
            assert.equal(
              await box.getByRole('status').textContent(),
              'The tag is on the clipboard.',
            ),
          );
        });
        assert.equal(taken, tag);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px`);
        const place = await box.boundingBox();
        assert.ok(place.x >= 0 && place.x + place.width <= width);
        // Every line of what is copied can be read.
        const cut = await box
          .locator('textarea')
          .evaluateAll(
            (fields) => fields.filter((one) => one.scrollHeight > one.clientHeight).length,
          );
        assert.equal(cut, 0, 'a line of the code is cut');
        // A state that no attribute can say.
        await page.evaluate(() => {
          document.querySelector('attn-query').state = {
            ...document.querySelector('attn-query').state,
            q: [3, 1],
          };
        });
        const [whole, , moved] = await eventually(async () => {
          const now = await texts();
          assert.match(now[0], /<attn-query state="1\.[\w-]+"><\/attn-query>$/);
          return now;
        });
        await page.keyboard.press('Escape');
        assert.equal(await box.count(), 0);
        await page.keyboard.press('Enter');
        await entry_.click();
        await box.getByRole('button', { name: 'Close' }).click();
        assert.equal(await box.count(), 0);
        assert.equal(
          await menu.evaluate((node) => node.getRootNode().activeElement === node),
          true,
        );
        const back = await page.evaluate((text) => {
          const place_ = document.createElement('div');
          place_.innerHTML = text;
          document.body.append(place_);
          return place_.querySelector('attn-query').getState().q;
        }, whole);
        assert.deepEqual(back, [3, 1]);
        await page.goto(moved);
        await page.evaluate(() => deckTest.ready(document.querySelector('attn-query')));
        assert.deepEqual(
          await page.evaluate(() => document.querySelector('attn-query').getState().q),
          [3, 1],
        );
        await page.goto(context.address('simulators/query.html?hide=embed'));
        await page.evaluate(() => deckTest.ready(document.querySelector('attn-query')));
        assert.equal(
          await page.evaluate(
            () =>
              document.querySelector('attn-query').shadowRoot.querySelectorAll('.save-list button')
                .length,
          ),
          3,
        );
      },
      { width, height },
    );
  }
}
