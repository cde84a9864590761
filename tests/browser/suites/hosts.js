/** Other people's pages: the script twice, the element first, moved, hidden, shown. */
import assert from 'node:assert/strict';
import { eventually } from '../runner.js';
import { valueAt } from '../../../web/shared/schema.js';
import { changedState, expectedNumbers } from '../simulator.js';

const document_ = (head, body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host page</title>${head}</head><body>${body}</body></html>`;

/**
 * Pages of a stranger that use a simulator's own built script; served beside the site.
 * @param {(name: string) => string} page the text of a built file
 * @param {string[]} files the built files
 */
export function hostPages(page, files, simulators) {
  const pages = {};
  for (const { name, tag } of simulators) {
    const own = new RegExp(`(^|/)(attn-)?${name}(-[\\w-]{8})?\\.js$`);
    const script = files.find((file) => own.test(file) && page(file).includes(`attn-${name}`));
    if (!script) throw new Error(`no built script registers <${tag}>`);
    const module = (suffix = '') => `<script type="module" src="/${script}${suffix}"></script>`;
    const add = (kind, head, body) => {
      pages[`/host/${name}-${kind}.html`] = {
        type: 'text/html; charset=utf-8',
        body: document_(head, body),
      };
    };
    const element = `<${tag} id="one"></${tag}>`;
    add('before', '', element + module());
    add('after', module(), element);
    add('twice', module() + module('?again'), element);
    add('late', '', `${element}<template id="scripts">${module()}</template>`);
    add('none', module(), '<main id="place"></main><aside id="other"></aside>');
  }
  return pages;
}

export function hostSuite(runner, context) {
  for (const entry of context.simulators) {
    const { name, tag, model, slide } = entry;
    const at = (kind) => `${context.origin}/host/${name}-${kind}.html`;
    const check = (what, run, options) =>
      runner.check(`host ${name}: ${what}`, () =>
        context.withPage(run, { expect: [/favicon/], ...options }),
      );
    const { field: changedField, state: changed } = changedState(model);
    /** What an attribute can carry: a single number, a text or a choice. */
    const attributeField = ['vector', 'matrix'].includes(model.schema[changedField].kind)
      ? undefined
      : changedField;
    const ready = (page) =>
      page.evaluate(async (id) => {
        const element = document.getElementById(id);
        await deckTest.ready(element);
        return { state: element.getState(), numbers: deckTest.numberTexts(element) };
      }, 'one');
    const agrees = async (seen, state) => {
      assert.deepEqual(seen.state, state);
      assert.deepEqual(seen.numbers, await expectedNumbers(entry, context.modules, state));
    };
    /** One key on one control must be one step, not two. */
    const oneStep = async (page) => {
      const before = await page.evaluate(() => {
        const element = document.getElementById('one');
        const control = ['[data-slider]', '.cell[data-path]', 'input[type=radio]:checked']
          .map((selector) => element.shadowRoot.querySelector(selector))
          .find(Boolean);
        control.focus();
        globalThis.heardOf = [];
        for (const kind of ['input', 'change', 'statechange'])
          element.addEventListener(kind, () => globalThis.heardOf.push(kind));
        const { type, dataset, value, step, max } = control;
        return { type, path: dataset.slider ?? dataset.path, value: Number(value), step, max };
      });
      const up =
        before.type !== 'range' || before.value + Number(before.step) <= Number(before.max);
      await page.keyboard.press(
        before.type === 'range' ? (up ? 'ArrowRight' : 'ArrowLeft') : 'ArrowUp',
      );
      const { state, heardOf } = await page.evaluate(async () => {
        const element = document.getElementById('one');
        await deckTest.drawn(element);
        await deckTest.frame();
        return { state: element.getState(), heardOf: globalThis.heardOf };
      });
      if (before.path) {
        const moved = Math.abs(valueAt(state, before.path) - before.value);
        const step = Number(before.step || (Number.isInteger(before.value) ? 1 : 0.5));
        assert.ok(Math.abs(moved - step) < 1e-9, `${before.path} moved by ${moved}`);
      }
      assert.equal(heardOf.filter((kind) => kind === 'change').length, 1, heardOf.join());
    };

    for (const kind of ['before', 'after', 'twice']) {
      const words = {
        before: 'the element stands before its script',
        after: 'the script comes first',
        twice: 'the script is loaded twice',
      };
      check(`H4: ${words[kind]}`, async (page) => {
        await page.goto(at(kind));
        await agrees(await ready(page), structuredClone(model.defaults));
        await oneStep(page);
      });
    }

    check('H4: a property set before the definition is kept', async (page) => {
      await page.goto(at('late'));
      await page.evaluate((state) => {
        document.getElementById('one').state = state;
        for (const script of document
          .getElementById('scripts')
          .content.querySelectorAll('script')) {
          const copy = document.createElement('script');
          copy.type = 'module';
          copy.src = script.getAttribute('src');
          document.head.append(copy);
        }
      }, changed);
      await agrees(await ready(page), changed);
      await oneStep(page);
    });

    check(
      'H4: attributes and properties set before the element stands in the page are kept',
      async (page) => {
        await page.goto(at('none'));
        await page.evaluate(
          async ({ wanted, state, field }) => {
            await customElements.whenDefined(wanted);
            const element = document.createElement(wanted);
            element.id = 'one';
            if (field) element.setAttribute(field.replaceAll('_', '-'), String(state[field]));
            else element.state = state;
            document.getElementById('place').append(element);
          },
          { wanted: tag, state: changed, field: attributeField },
        );
        await agrees(await ready(page), changed);
      },
    );

    check(
      'H4: moved in the page it keeps its state and its numbers, and hears each key once',
      async (page, { troubles }) => {
        await page.goto(at('none'));
        await page.evaluate(
          async ({ wanted, state }) => {
            await customElements.whenDefined(wanted);
            const element = document.createElement(wanted);
            element.id = 'one';
            document.getElementById('place').append(element);
            await deckTest.ready(element);
            element.setState(state);
            await element.updateComplete;
            for (let turn = 0; turn < 5; turn += 1) {
              document.getElementById(turn % 2 ? 'place' : 'other').append(element);
              await deckTest.frame();
            }
            element.remove();
            await deckTest.frame();
            document.getElementById('place').append(element);
          },
          { wanted: tag, state: changed },
        );
        await agrees(await ready(page), changed);
        await oneStep(page);
        assert.deepEqual(troubles, []);
      },
    );

    check('forty made and removed leave nothing behind', async (page) => {
      await page.goto(at('none'));
      const session = await page.context().newCDPSession(page);
      const round = (count) =>
        page.evaluate(
          async ({ wanted, times }) => {
            await customElements.whenDefined(wanted);
            globalThis.made ??= [];
            for (let turn = 0; turn < times; turn += 1) {
              const element = document.createElement(wanted);
              globalThis.made.push(new WeakRef(element));
              document.getElementById('place').append(element);
              await deckTest.ready(element);
              element.remove();
            }
            await deckTest.frame();
          },
          { wanted: tag, times: count },
        );
      const alive = async () => {
        // What a task of the browser's own still holds is let go in a later turn.
        for (let turn = 0; turn < 3; turn += 1) {
          await session.send('HeapProfiler.collectGarbage');
          await page.waitForTimeout(100);
        }
        return page.evaluate(() => globalThis.made.filter((one) => one.deref()).length);
      };
      await round(40);
      const held = await alive();
      assert.ok(held <= 2, `${held} of 40 elements are still held`);
      await page.evaluate(() => {
        globalThis.kept = document.createElement('p');
        globalThis.made.push(new WeakRef(globalThis.kept));
      });
      assert.equal(await alive(), held + 1, 'what is held is not seen');
    });

    check('H2: hidden it waits, shown it draws, and resizing never makes it grow', async (page) => {
      await page.goto(at('none'));
      const seen = await page.evaluate(async (wanted) => {
        await customElements.whenDefined(wanted);
        const place = document.getElementById('place');
        place.hidden = true;
        const element = document.createElement(wanted);
        place.append(element);
        await deckTest.frame();
        place.hidden = false;
        await deckTest.ready(element);
        await element.updateComplete;
        const heights = [];
        for (const width of ['900px', '700px', '900px', '700px', '900px']) {
          place.style.width = width;
          await deckTest.frame();
          await deckTest.frame();
          heights.push(element.getBoundingClientRect().height);
        }
        return {
          heights,
          numbers: deckTest.numberTexts(element).length,
          drawings: [...element.shadowRoot.querySelectorAll('svg')].map(
            (node) => node.getBoundingClientRect().width,
          ),
        };
      }, tag);
      assert.ok(seen.numbers > 0);
      assert.ok(seen.heights[0] > 50);
      assert.equal(seen.heights[2], seen.heights[0], seen.heights.join());
      assert.equal(seen.heights[4], seen.heights[0], seen.heights.join());
      assert.equal(seen.heights[3], seen.heights[1], seen.heights.join());
      assert.ok(seen.drawings.length === 0 || Math.max(...seen.drawings) > 10);
    });

    check('H1: in a stranger’s page its keys stay its own', async (page) => {
      await page.goto(at('after'));
      await ready(page);
      await page.evaluate(() => {
        globalThis.heard = [];
        document.addEventListener('keydown', (event) => globalThis.heard.push(event.key));
      });
      const slider = page.locator('#one input[data-slider]');
      if ((await slider.count()) > 0) {
        await slider.first().focus();
        for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'Space', 'b', 'PageDown'])
          await slider.first().press(key);
      }
      const field = page.locator('#one [data-path]').first();
      await field.focus();
      for (const key of ['ArrowRight', 'ArrowUp', 'b', 'Space', 'Home', 'End'])
        await field.press(key);
      assert.deepEqual(await page.evaluate(() => globalThis.heard), []);
    });

    const [numberField] =
      Object.entries(model.schema).find(([, field]) => /number|choice/.test(field.kind)) ?? [];
    check('bad attributes and states are told, not thrown', async (page) => {
      await page.goto(at('none'));
      const seen = await page.evaluate(
        async ({ wanted, field }) => {
          await customElements.whenDefined(wanted);
          const element = document.createElement(wanted);
          const told = [];
          element.addEventListener('error', (event) => told.push(event.detail.message));
          element.setAttribute('case', '<b>none</b>');
          if (field) element.setAttribute(field.replaceAll('_', '-'), 'NaN');
          document.getElementById('place').append(element);
          await deckTest.ready(element);
          const before = JSON.stringify(element.getState());
          const bad = [
            null,
            4,
            [],
            { q: 'x' },
            { nothing: 1 },
            { [Object.keys(element.getState())[0]]: Number.NaN },
          ];
          for (const state of bad) element.setState(state);
          return {
            told,
            same: JSON.stringify(element.getState()) === before,
            wanted: bad.length + (field ? 2 : 1),
          };
        },
        { wanted: tag, field: numberField },
      );
      assert.ok(seen.same, 'a bad state was taken');
      assert.ok(seen.told.length >= seen.wanted, JSON.stringify(seen.told));
    });

    check('its own page shows it live, with its name and the way to its slide', async (page) => {
      await page.goto(context.address(`simulators/${name}.html`));
      const simulator = await context.simulator(page, { ...entry, slide: undefined });
      assert.deepEqual(
        await simulator.numbers(),
        await expectedNumbers(entry, context.modules, await simulator.state()),
      );
      const links = await page.evaluate(() =>
        [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')),
      );
      assert.ok(
        links.some((href) => href.includes(`slide-${slide}`)),
        links.join(),
      );
    });
  }

  runner.check('host: two of a kind on one page do not disturb each other', () =>
    context.withPage(
      async (page) => {
        const { tag, model } = context.simulators.find(({ name }) => name === 'query');
        await page.goto(`${context.origin}/host/query-none.html`);
        const seen = await page.evaluate(
          async ([wanted, state]) => {
            await customElements.whenDefined(wanted);
            const pair = [0, 1].map(() =>
              document.getElementById('place').appendChild(document.createElement(wanted)),
            );
            await Promise.all(pair.map(deckTest.ready));
            const before = deckTest.numberTexts(pair[1]);
            pair[0].setState(state);
            await pair[0].updateComplete;
            return {
              same: JSON.stringify(before) === JSON.stringify(deckTest.numberTexts(pair[1])),
              moved: JSON.stringify(before) !== JSON.stringify(deckTest.numberTexts(pair[0])),
            };
          },
          [tag, { ...model.defaults, q: [3, 3] }],
        );
        assert.deepEqual(seen, { same: true, moved: true });
      },
      { expect: [/favicon/] },
    ),
  );

  runner.check('host: the speaker’s window follows the lecture, and the lecture follows it', () =>
    context.withPage(async (page, { context: browser }) => {
      await page.goto(context.slideAddress('15'));
      await page.evaluate(() => deckTest.show('15'));
      const speaker = await browser.newPage();
      await speaker.addInitScript(context.library);
      await speaker.goto(context.address('speaker.html'));
      const notes = () =>
        speaker.evaluate(() =>
          [...document.querySelectorAll('.speaker-notes *')]
            .filter((node) => node.children.length === 0 && deckTest.isShown(node))
            .map((node) => node.textContent)
            .join(' ')
            .trim(),
        );
      await speaker.evaluate(() =>
        deckTest.until(
          () =>
            [...document.querySelectorAll('.speaker-notes p')].some((node) =>
              deckTest.isShown(node),
            ),
          'notes',
        ),
      );
      const first = await notes();
      assert.ok(first.length > 40, 'no notes are shown');
      await page.evaluate(() => deckTest.show('16'));
      await eventually(async () =>
        assert.notEqual(await notes(), first, 'the notes do not follow the lecture'),
      );
      await speaker.getByRole('button', { name: 'Previous slide' }).click();
      await page.evaluate(() =>
        deckTest.until(() => deckTest.currentSlide() === '15', 'the lecture to follow'),
      );
      await eventually(async () => assert.equal(await notes(), first));
      await speaker.getByRole('combobox', { name: 'Go to a slide' }).selectOption({ index: 0 });
      await page.evaluate(() =>
        deckTest.until(() => deckTest.currentSlide() === '1', 'the lecture to jump'),
      );
    }),
  );

  // From a folder pages have no origin, so no channel joins them: there the two windows alone know each other.
  for (const channel of [true, false]) {
    runner.check(
      `host: the speaker’s window shows the slide as it stands in the hall, ${channel ? 'with' : 'without'} a channel`,
      () =>
        context.withPage(async (page, { context: browser }) => {
          if (!channel) {
            await browser.addInitScript(() => {
              globalThis.BroadcastChannel = class extends EventTarget {
                postMessage() {}
              };
            });
          }
          await page.goto(context.slideAddress('15'));
          await page.evaluate(() => deckTest.show('15'));
          const [speaker] = await Promise.all([
            browser.waitForEvent('page'),
            page.getByRole('button', { name: 'Speaker’s window' }).click(),
          ]);
          const { model } = context.simulators.find(({ name }) => name === 'query');
          const state = { ...model.defaults, q: [3, 1] };
          await page.evaluate(async (wanted) => {
            const element = document.querySelector('#slide-15 attn-query');
            await element.whenReady;
            element.state = wanted;
          }, state);
          const mirror = speaker.frameLocator('iframe[title="The slide that the hall sees"]');
          const shown = () =>
            mirror.locator('#slide-15 attn-query').evaluate((element) => element.state);
          await eventually(async () => assert.deepEqual(await shown(), state));
          await speaker.getByRole('button', { name: 'Next slide', exact: true }).click();
          await page.evaluate(() =>
            deckTest.until(() => deckTest.currentSlide() === '16', 'the lecture to follow, once'),
          );
          await eventually(async () =>
            assert.match(
              speaker
                .frames()
                .map((frame) => frame.url())
                .join(' '),
              /preview=live#slide-16/,
            ),
          );
        }),
    );
  }
}
