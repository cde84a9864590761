/** The module does not arrive: each way says in a sentence what is wrong and what to do, where the figure is. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../runner.js';
import { expectedNumbers } from '../simulator.js';

const WASM = /\.wasm(\?|$)/;

export function failureSuite(runner, context) {
  const entry = context.simulators.find(({ name }) => name === 'query');
  const told = (page) =>
    page.evaluate(
      async ([slide, tag]) => {
        location.hash = `#slide-${slide}`;
        const host = document.querySelector(`[data-slide="${slide}"] ${tag}`);
        const alert = await deckTest.until(
          () => deckTest.deepAll('[role=alert]', host)[0] ?? host.querySelector('[role=alert]'),
          'a sentence where the simulator is',
          20_000,
        );
        await deckTest.until(() => deckTest.isShown(alert), 'the sentence to be seen');
        const figure = [...host.querySelectorAll('[data-num]')];
        return {
          text: alert.textContent.trim().replace(/\s+/g, ' '),
          figure: figure.filter((node) => deckTest.isShown(node)).length,
          spinner: deckTest.deepAll('[aria-busy=true], progress', host).length,
        };
      },
      [entry.slide, entry.tag],
    );

  const failing = (name, pattern, options) =>
    runner.check(`failure: ${name}`, () =>
      context.withPage(
        async (page) => {
          await page.goto(context.slideAddress(entry.slide));
          const { text, figure, spinner } = await told(page);
          assert.match(text, pattern);
          assert.ok(text.length > 40, `“${text}” does not say what to do`);
          assert.ok(figure > 0, 'the opening figure is gone');
          assert.equal(spinner, 0);
        },
        { expect: [/./], ...options },
      ),
    );

  failing('the module is not found (404)', /not found|404|missing/i, {
    routes: [
      [
        WASM,
        (route) => route.fulfill({ status: 404, body: 'not found', contentType: 'text/plain' }),
      ],
    ],
  });
  failing('the module comes with a wrong type', /sends .* instead of the WebAssembly module/, {
    routes: [
      [
        WASM,
        (route) =>
          route.fulfill({
            status: 200,
            body: '<!doctype html><p>Welcome',
            contentType: 'text/html',
          }),
      ],
    ],
  });
  failing('the module is cut short', /damaged|incomplete|broken|again|reload/i, {
    routes: [
      [
        WASM,
        async (route) => {
          const response = await route.fetch();
          const body = await response.body();
          await route.fulfill({
            status: 200,
            body: body.subarray(0, body.length >> 1),
            contentType: 'application/wasm',
          });
        },
      ],
    ],
  });
  failing('the network breaks', /connection|network|reach|again|reload/i, {
    routes: [[WASM, (route) => route.abort('connectionreset')]],
  });
  failing('the browser has no WebAssembly', /WebAssembly/, {
    init: () => {
      delete globalThis.WebAssembly;
    },
  });
  failing('there is too little memory', /memory/i, {
    init: () => {
      const refuse = () => {
        throw new RangeError('WebAssembly.Memory(): could not allocate memory');
      };
      WebAssembly.Memory = new Proxy(WebAssembly.Memory, { construct: refuse });
      for (const name of ['instantiate', 'instantiateStreaming']) {
        WebAssembly[name] = () =>
          Promise.reject(
            new RangeError(
              'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance',
            ),
          );
      }
    },
  });

  runner.check('failure: a module of the wrong type is still used when its bytes are right', () =>
    context.withPage(
      async (page) => {
        await page.goto(context.slideAddress(entry.slide));
        await page.evaluate((slide) => deckTest.show(slide), entry.slide);
      },
      {
        expect: [/MIME|streaming/i],
        routes: [
          [
            WASM,
            async (route) => {
              const response = await route.fetch();
              await route.fulfill({
                status: 200,
                body: await response.body(),
                contentType: 'application/octet-stream',
              });
            },
          ],
        ],
      },
    ),
  );

  runner.check('failure: without script the figures and words stand', () =>
    context.withPage(async (page, { browser }) => {
      const plain = await browser.newContext({
        javaScriptEnabled: false,
        viewport: { width: 390, height: 844 },
      });
      const still = await plain.newPage();
      await still.goto(context.address('index.html'));
      const text = await still.locator('body').innerText();
      await plain.close();
      assert.ok(page);
      for (const wanted of ['0.620', '0.85', '0.475'])
        assert.ok(text.includes(wanted), `${wanted} is not on the page`);
    }),
  );

  runner.check('failure W4: opened by double click, the page says why it stands still', () =>
    context.withPage(
      async (page) => {
        await page.goto(pathToFileURL(path.join(context.dist, 'index.html')).href);
        const seen = await page.evaluate(async () => {
          const looks = () =>
            [
              ...document.querySelectorAll(
                '[role=alert], .notice, noscript + *, [data-file-notice]',
              ),
            ].concat(deckTest.deepAll('[role=alert]'));
          const notice = await deckTest.until(
            () => looks().find((node) => deckTest.isShown(node) && node.textContent.trim()),
            'a sentence',
            20_000,
          );
          return {
            text: notice.textContent.trim().replace(/\s+/g, ' '),
            figures: document.body.textContent.includes('0.620'),
          };
        });
        assert.match(seen.text, /file|double.click|server|npm start/i);
        assert.ok(seen.text.length > 40, seen.text);
        assert.ok(seen.figures, 'the opening figures are gone');
      },
      { expect: [/./] },
    ),
  );

  runner.check(
    'failure: after the module is lost, a fresh one gives the same numbers for the same state',
    () =>
      context.withPage(
        async (page) => {
          await page.goto(context.slideAddress(entry.slide));
          const simulator = await context.simulator(page, entry);
          const kept = { ...(await simulator.state()), q: [2, -1] };
          const agrees = async (state) =>
            assert.deepEqual(
              await simulator.numbers(),
              await expectedNumbers(entry, context.modules, state),
            );
          await simulator.host.evaluate((element, state) => element.setState(state), kept);
          await agrees(kept);
          const made = await page.evaluate(() => globalThis.instances);
          await page.evaluate(() => {
            globalThis.armed = true;
          });
          await simulator.field('q.0').fill('-3');
          await simulator.field('q.0').press('Enter');
          await page.evaluate(
            (before) => deckTest.until(() => globalThis.instances > before, 'a fresh instance'),
            made,
          );
          await page.evaluate(() => deckTest.frame());
          assert.equal(
            await page.evaluate(() => globalThis.armed),
            false,
            'the module was never lost',
          );
          await agrees(await simulator.state());
          await simulator.field('q.0').fill('-2');
          await simulator.field('q.0').press('Enter');
          assert.deepEqual(await simulator.state(), { ...kept, q: [-2, -1] });
          await agrees({ ...kept, q: [-2, -1] });
        },
        {
          expect: [/module stopped/],
          init: trapWhenArmed,
        },
      ),
  );

  runner.check('a state that stops every module starts no module for ever', () =>
    context.withPage(
      async (page) => {
        await page.goto(context.address('simulators/query.html'));
        const simulator = await context.simulator(page, { ...entry, slide: undefined });
        const kept = await simulator.numbers();
        await page.evaluate(() => {
          globalThis.armed = 'for good';
        });
        await simulator.field('q.0').fill('-3');
        await simulator.field('q.0').press('Enter');
        // Long enough for some hundred instances.
        await page.waitForTimeout(1500);
        const made = await page.evaluate(() => globalThis.instances);
        assert.ok(made <= 6, `${made} instances`);
        assert.deepEqual(await simulator.numbers(), kept, 'the last good numbers were lost');
        // What stopped it is over: the next state is computed.
        await page.evaluate(() => {
          globalThis.armed = false;
        });
        await eventually(async () => {
          await simulator.field('q.0').fill('-2');
          await simulator.field('q.0').press('Enter');
          assert.equal((await simulator.state()).q[0], -2);
        });
      },
      { expect: [/module stopped/], init: trapWhenArmed },
    ),
  );
}

/** The next call out of the module traps, as an abort does; armed ‘for good’, each of them. */
function trapWhenArmed() {
  const { instantiate } = WebAssembly;
  globalThis.instances = 0;
  globalThis.armed = false;
  const trapping = (run) =>
    function trap(...values) {
      if (globalThis.armed) {
        globalThis.armed = globalThis.armed === 'for good' && 'for good';
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return run.apply(this, values);
    };
  WebAssembly.instantiate = (what, imports) => {
    globalThis.instances += 1;
    const watched = Object.fromEntries(
      Object.entries(imports ?? {}).map(([space, members]) => [
        space,
        Object.fromEntries(
          Object.entries(members).map(([name, member]) => [
            name,
            typeof member === 'function' ? trapping(member) : member,
          ]),
        ),
      ]),
    );
    return instantiate.call(WebAssembly, what, watched);
  };
}
