/** The short suite for Firefox and WebKit: load, compute, answer the keyboard, stay quiet. */
import assert from 'node:assert/strict';
import { exercises } from '../../../web/lab/exercises/index.js';
import { installLibrary } from '../page-library.js';
import { expectedNumbers } from '../simulator.js';
import { stateOfCase } from '../../../web/shared/opening.js';
import { fieldAt, valueAt, withValue } from '../../../web/shared/schema.js';

export function engineSuite(runner, context, engine) {
  const { simulators, modules } = context;
  const check = (what, run) => runner.check(`${engine.name}: ${what}`, run);
  const quiet = async () => assert.deepEqual(await engine.evaluate(() => globalThis.troubles), []);
  const open = async (address, size) => {
    // A change of the fragment alone would not load the page anew.
    await engine.open('about:blank');
    await engine.open(address, size);
    await engine.evaluate(installLibrary);
  };

  check('every slide comes up with its simulators live, and nothing complains', async () => {
    await open(context.address('index.html'));
    for (const slide of context.slides)
      await engine.evaluate((number) => deckTest.show(number), slide);
    await quiet();
    const requests = await engine.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => !name.startsWith(location.origin) && !/^(data|blob):/.test(name)),
    );
    assert.deepEqual(requests, []);
  });

  check('the column at 390x844 comes up, and never scrolls sideways', async () => {
    await open(context.address('index.html'), { width: 390, height: 844 });
    for (const slide of context.slides)
      await engine.evaluate((number) => deckTest.show(number), slide);
    const [inner, sideways] = await engine.evaluate(() => [
      innerWidth,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ]);
    assert.ok(inner < 900, `the window is ${inner} px wide`);
    assert.ok(sideways <= 0, `it scrolls sideways by ${sideways}`);
    await quiet();
  });

  for (const entry of simulators) {
    const { name, tag, slide, model } = entry;
    const inPage = (run, ...values) => engine.evaluate(run, slide, tag, ...values);
    const seen = () =>
      inPage(async (number, wanted) => {
        const host = document.querySelector(`[data-slide="${number}"] ${wanted}`);
        await deckTest.drawn(host);
        return {
          state: host.getState(),
          numbers: deckTest.numberTexts(host),
          variant: host.core?.variant ?? null,
        };
      });
    const agrees = async (state) => {
      const { state: found, numbers } = await seen();
      assert.deepEqual(found, state);
      assert.deepEqual(numbers, await expectedNumbers(entry, modules, state));
    };

    check(
      `${name} computes what the module computes in Node, for its opening, each case and an edit`,
      async () => {
        await open(context.slideAddress(slide));
        await engine.evaluate((number) => deckTest.show(number), slide);
        await agrees((await seen()).state);
        for (const state of [
          ...model.cases.map(({ id }) => stateOfCase(model, id)),
          structuredClone(model.defaults),
        ]) {
          await inPage(
            (number, wanted, next) =>
              document.querySelector(`[data-slide="${number}"] ${wanted}`).setState(next),
            state,
          );
          await agrees(state);
        }
        await quiet();
      },
    );

    check(`${name} answers the keyboard, and the slide stays`, async () => {
      await open(context.slideAddress(slide));
      await engine.evaluate((number) => deckTest.show(number), slide);
      const start = await inPage((number, wanted) => {
        const host = document.querySelector(`[data-slide="${number}"] ${wanted}`);
        const control =
          host.shadowRoot.querySelector('[data-slider]') ??
          host.shadowRoot.querySelector('input[type=radio]:checked') ??
          host.shadowRoot.querySelector('[data-path]');
        control.focus();
        return {
          state: host.getState(),
          path: control.dataset.slider ?? null,
          step: Number(control.step),
          max: Number(control.max),
          value: Number(control.value),
        };
      });
      let state;
      const up = start.path === null || start.value + start.step <= start.max;
      await engine.press(up ? 'ArrowRight' : 'ArrowLeft');
      if (start.path !== null) {
        ({ state } = await seen());
        const moved = valueAt(state, start.path) - start.value;
        assert.ok(Math.abs(moved - (up ? start.step : -start.step)) < 1e-9, `moved by ${moved}`);
        await agrees(withValue(start.state, start.path, valueAt(state, start.path)));
      }
      await engine.press('Space');
      await engine.press('b');
      assert.equal(await engine.evaluate(() => deckTest.currentSlide()), slide);
      const paths = await inPage((number, wanted) =>
        [
          ...document
            .querySelector(`[data-slide="${number}"] ${wanted}`)
            .shadowRoot.querySelectorAll('[data-path]'),
        ].map((field) => field.dataset.path),
      );
      const path = paths.find((one) => model.schema[one.split('.')[0]].kind !== 'text') ?? paths[0];
      await inPage((number, wanted, one) => {
        const field = document
          .querySelector(`[data-slide="${number}"] ${wanted}`)
          .shadowRoot.querySelector(`[data-path="${one}"]`);
        field.focus();
        field.select();
      }, path);
      // The least that the field takes, so that it is taken.
      const typed = String(Math.max(1, fieldAt(model.schema, path).rules?.min ?? 1));
      for (const digit of typed) await engine.press(digit);
      await engine.press('Enter');
      ({ state } = await seen());
      assert.equal(String(valueAt(state, path)), typed);
      await agrees(state);
      await engine.press('Escape');
      await engine.press(slide === context.slides.at(-1) ? 'ArrowLeft' : 'ArrowRight');
      await engine.evaluate(
        (number) => deckTest.until(() => deckTest.currentSlide() !== number, 'the next slide'),
        slide,
      );
      await quiet();
    });
  }

  check(
    'the lab runs a program, ends one that never ends, and tells the line of an error',
    async () => {
      const [first] = exercises;
      const verdictOf = async (code) => {
        await open(context.address('lab.html'));
        await engine.evaluate(
          (key, text) => localStorage.setItem(key, text),
          `attn-lab-code-${first.id}`,
          code,
        );
        await open(context.address('lab.html'));
        return engine.evaluate(async (id) => {
          const section = document.getElementById(id);
          await deckTest.until(() => document.querySelector('html.live'), 'the lab');
          section.querySelector('.lab-run').click();
          const verdict = section.querySelector('.lab-verdict');
          await deckTest.until(
            () => /right|wrong/.test(verdict.dataset.phase),
            'a verdict',
            40_000,
          );
          return verdict.textContent.trim();
        }, first.id);
      };
      assert.match(await verdictOf(first.solution), /^✓/);
      assert.match(await verdictOf('for (;;) {}'), /stopped after/);
      assert.match(await verdictOf('const a = 1;\nconst b = ;'), /Line 2: SyntaxError/);
      assert.match(await verdictOf('\nfunction lookUp() {\n  return a.b;\n}'), /Line 3: /);
      await quiet();
      await engine.evaluate(() => localStorage.clear());
    },
  );

  check('notices a trouble: an inline style and an error on the console are noted', async () => {
    await open(context.address('index.html'));
    const noted = await engine.evaluate(async () => {
      const node = document.createElement('p');
      node.setAttribute('style', 'color: red');
      document.body.append(node);
      console.error('on purpose');
      await deckTest.until(() => globalThis.troubles.length > 1, 'two troubles');
      return globalThis.troubles;
    });
    assert.ok(
      noted.some((text) => text.startsWith('securitypolicyviolation')),
      noted.join(),
    );
    assert.ok(
      noted.some((text) => text.includes('on purpose')),
      noted.join(),
    );
  });
}
