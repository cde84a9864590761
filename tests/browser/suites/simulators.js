/** What the lecture asks of every simulator, tried on each of them in Chromium. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse, parseFragment } from 'parse5';
import { displayed, rounds } from '../../architecture/figure-check.js';
import { elementsBelow } from '../../architecture/slides.js';
import { decodeState, encodeState } from '../../../web/shared/permalink.js';
import { canPredict } from '../../../web/shared/frame.js';
import { formatNumber } from '../../../web/shared/number.js';
import { stateOfCase } from '../../../web/shared/opening.js';
import { fieldAt, valueAt, withValue } from '../../../web/shared/schema.js';
import { copied } from '../clipboard.js';
import { COLOURS, axe } from '../axe.js';
import { none } from '../runner.js';
import { Simulator, another, computed as computedBy, expectedNumbers } from '../simulator.js';

const flat = (value) =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value).flatMap(flat) : [value];

/** Runs in the page: whether a simulator holds an element of a kind, in a place, or with attributes, that it had not before. */
function bringsNew([slide, tag]) {
  const host = document.querySelector(`section[data-slide="${slide}"] ${tag}`);
  const kinds = (globalThis.kindsSeen ??= new Set());
  const before = kinds.size;
  for (const element of deckTest.deepAll('*', host)) {
    const kindOf = (node) => `${node.localName}.${node.getAttribute('class') ?? ''}`;
    const attributes = [...element.attributes]
      .filter(({ name }) => /^(role|aria-|tabindex|disabled|hidden|type)/.test(name))
      .map(({ name, value }) =>
        /label|described|valuetext|valuenow/.test(name) ? name : `${name}=${value}`,
      );
    const parent = element.parentElement;
    kinds.add(
      [
        parent ? kindOf(parent) : '',
        kindOf(element),
        deckTest.isShown(element),
        ...attributes,
      ].join(' '),
    );
  }
  return kinds.size > before;
}

export function simulatorSuite(runner, context) {
  const { modules, simulators, rows } = context;
  const golden = new Map(rows.map((row) => [row.id, row]));

  for (const entry of simulators) {
    const { name, tag, slide, model, scenario } = entry;
    const check = (what, run, options) =>
      runner.check(`simulator ${name}: ${what}`, () => context.withPage(run, options));
    /** Checks that need no page of their own, as they leave nothing behind but another state. */
    const together = [];
    const alsoCheck = (what, run) =>
      together.push({
        name: `simulator ${name}: ${what}`,
        async run(page, opened) {
          await run(page, opened);
          none(opened.troubles.splice(0));
        },
      });
    /** The opening state of pages that are there already. */
    const openings = new WeakMap();
    const start = async (page) => {
      const simulator = new Simulator(page, entry);
      if (openings.has(page)) {
        await simulator.host.evaluate((element, state) => {
          element.shadowRoot.activeElement?.blur();
          element.setState(state);
        }, openings.get(page));
        await simulator.snapshot();
        return simulator;
      }
      await page.goto(context.slideAddress(slide));
      await simulator.ready();
      openings.set(page, await simulator.state());
      return simulator;
    };
    const computed = (state) => computedBy(entry, modules, state);
    // Where one line draws many fields, a scenario may name those that stand for all.
    const tried = scenario.tried ?? (() => true);
    const said = (state) => model.sentence(computed(state)).replace(/\s+/g, ' ');
    const agrees = async (simulator, state) => {
      const numbers = await expectedNumbers(entry, modules, state);
      const shown = { state, numbers, sentence: said(state), misled: [] };
      assert.deepEqual(await simulator.snapshot(), shown);
    };

    check(
      'opens at its numbers, the same in the page as built and in the page as live',
      async (page) => {
        const built = context.page('index.html');
        const [place] = elementsBelow(parse(built), (node) => node.tagName === tag);
        assert.ok(place, `<${tag}> is not in the built page`);
        const { childNodes } = place;
        const still = elementsBelow({ childNodes }, (node) =>
          node.attrs?.some(({ name: key }) => key === 'data-num'),
        );
        const text = (node) =>
          node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(text).join('');
        const before = still.map((node) => text(node).replace(/\s+/g, ' ').trim());
        assert.ok(before.length > 0, 'the built page holds no opening figure');
        const simulator = await start(page);
        const state = await simulator.state();
        await agrees(simulator, state);
        assert.deepEqual(before, await simulator.numbers());
      },
    );

    check('turns live without moving what stands around it', async (page) => {
      // The module is held back until the opening figure has been measured.
      let release;
      const held = new Promise((resolve) => (release = resolve));
      await page.route(/\.(wasm|bpe)(\?|$)/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(context.slideAddress(slide), { waitUntil: 'domcontentloaded' });
      const measure = () =>
        page.evaluate(
          async ([number, wanted]) => {
            await deckTest.until(
              () => document.documentElement.classList.contains('live'),
              'the deck',
            );
            await document.fonts.ready;
            await deckTest.until(
              () =>
                getComputedStyle(document.querySelector(`section[data-slide="${number}"]`))
                  .opacity === '1',
              'the slide to be seen',
            );
            await deckTest.frame();
            const host = document.querySelector(`section[data-slide="${number}"] ${wanted}`);
            const { width, height, top } = host.getBoundingClientRect();
            const inside = deckTest
              .deepAll('[data-num], .cell, .piece, .text-box, button, th, .sentence', host)
              .filter(deckTest.isShown)
              .map((node) => {
                const box = node.getBoundingClientRect();
                const what = `${node.localName} “${String(node.value || node.textContent)
                  .trim()
                  .slice(0, 30)}”`;
                return { what, left: box.left, top: box.top };
              });
            return { width, height, top, inside };
          },
          [slide, tag],
        );
      const before = await measure();
      release();
      await new Simulator(page, entry).ready();
      const after = await measure();
      assert.ok(before.height > 50, 'the opening figure is not drawn');
      for (const key of ['width', 'height', 'top']) {
        const moved = Math.abs(before[key] - after[key]);
        assert.ok(moved <= 2, `${key} ${before[key]} → ${after[key]}`);
      }
      // Not the box alone: every number, field and button stays where it stood.
      assert.equal(after.inside.length, before.inside.length);
      none(
        after.inside.flatMap(({ what, left, top }, i) => {
          const was = before.inside[i];
          const moved = Math.max(Math.abs(left - was.left), Math.abs(top - was.top));
          return moved <= 2 ? [] : [`${was.what} → ${what} moved by ${moved.toFixed(1)} px`];
        }),
      );
    });

    alsoCheck('shows the golden figures of each case', async (page) => {
      const simulator = await start(page);
      let looked = 0;
      for (const { case: id, state: change, figures } of scenario.shows) {
        const base = id === undefined ? structuredClone(model.defaults) : stateOfCase(model, id);
        assert.ok(base, `there is no case ${id}`);
        const state = { ...base, ...change };
        await simulator.host.evaluate((element, wanted) => element.setState(wanted), state);
        await agrees(simulator, state);
        // Pieces stand side by side without a space in the text.
        const rows = await simulator.host.evaluate((element) =>
          [...element.shadowRoot.querySelectorAll('.pieces')].map((row) =>
            [...row.querySelectorAll('.piece-text')]
              .map((node) => node.textContent.trim())
              .join(' '),
          ),
        );
        const words = `${await simulator.allText()} ${rows.join(' ')}`;
        const seen = displayed(
          `${(await simulator.numbers()).join(' ; ')} ; ${await simulator.sentence()}`,
        );
        for (const [figure, pick] of Object.entries(figures)) {
          const row = golden.get(figure);
          assert.ok(row, `no golden figure ${figure}`);
          const wanted = flat(
            pick === true
              ? row.computed
              : pick.reduce((value, index) => value[index], row.computed),
          );
          for (const value of wanted) {
            if (typeof value === 'string') {
              assert.ok(words.includes(value), `${figure}: “${value}” is not shown`);
              looked += 1;
              continue;
            }
            const hit = seen.some(
              (number) =>
                number.value === value ||
                (number.half < 0.02 * Math.max(1, Math.abs(value)) && rounds(number, value)),
            );
            assert.ok(hit, `${figure}: ${value} is not shown in the case ${id ?? 'by default'}`);
            looked += 1;
          }
        }
      }
      assert.ok(looked > 0, 'the scenario names no figure');
    });

    if (model.cases.length > 0) {
      alsoCheck('reproduces every named case by its button', async (page) => {
        const simulator = await start(page);
        for (const { id, label } of [...model.cases].reverse()) {
          await simulator.button(label).click();
          await agrees(simulator, stateOfCase(model, id));
          assert.equal(await simulator.button(label).getAttribute('aria-pressed'), 'true');
        }
      });
    }

    const casesOf = () => [undefined, ...model.cases.map(({ id }) => id)];
    const eachCase = async (page, visit) => {
      const simulator = await start(page);
      const found = [];
      for (const id of casesOf()) {
        const state = id === undefined ? structuredClone(model.defaults) : stateOfCase(model, id);
        await simulator.host.evaluate((element, wanted) => element.setState(wanted), state);
        await agrees(simulator, state);
        await page.evaluate(() => deckTest.frame());
        const lines = await visit(id ?? 'by default');
        found.push(...lines.map((line) => `${id ?? 'by default'}: ${line}`));
      }
      none(found);
    };

    alsoCheck(
      'fits its slide in every case: inside it, clear of the sources, nothing small',
      (page) =>
        eachCase(page, () =>
          page.evaluate(
            ([number, wanted]) => {
              const section = document.querySelector(`section[data-slide="${number}"]`);
              const host = section.querySelector(wanted);
              const sources = section.querySelector('.sources');
              const bottom = Math.min(
                innerHeight,
                ...deckTest
                  .deepAll('[role=toolbar]')
                  .filter((bar) => !section.contains(bar) && bar.getRootNode() === document)
                  .filter((bar) => deckTest.isShown(bar))
                  .map((bar) => bar.getBoundingClientRect().top)
                  .filter((top) => top > innerHeight / 2),
              );
              const box = (node) => node.getBoundingClientRect();
              // What lies in a part that scrolls by itself is cut there and covers nothing.
              const reach = (node) => {
                let lowest = box(node).bottom;
                for (let up = node.parentElement; up; up = up.parentElement) {
                  if (/(auto|scroll|hidden|clip)/.test(getComputedStyle(up).overflowY))
                    lowest = Math.min(lowest, box(up).bottom);
                }
                return lowest;
              };
              const low = sources
                ? deckTest
                    .deepAll('*', host)
                    .filter((node) => deckTest.isShown(node) && !node.closest('[popover]'))
                    .filter((node) => reach(node) > box(sources).top + 1)
                    .map((node) => `${node.localName}.${node.className} reaches the sources`)
                : [];
              const ids = [...host.shadowRoot.querySelectorAll('[id]')].map(({ id }) => id);
              const { scrollWidth, scrollHeight, clientWidth } = document.documentElement;
              return [
                ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice: #${id}`),
                ...deckTest.outside(section, { bottom }).map((text) => `outside: ${text}`),
                ...deckTest.clipped(section).map((text) => `cut: ${text}`),
                ...low.slice(0, 4),
                ...deckTest.tooSmall(host),
                ...(scrollWidth > clientWidth ? ['the page scrolls sideways'] : []),
                ...(scrollHeight > innerHeight ? ['the page scrolls down'] : []),
              ];
            },
            [slide, tag],
          ),
        ),
    );

    check(
      'fits a phone in every case: no sideways scroll, nothing small or outside',
      (page) =>
        eachCase(page, () =>
          page.evaluate(
            ([number, wanted]) => {
              const section = document.querySelector(`section[data-slide="${number}"]`);
              const host = section.querySelector(wanted);
              const { scrollWidth, clientWidth } = document.documentElement;
              return [
                ...deckTest.outside(section).map((text) => `outside: ${text}`),
                ...deckTest.clipped(section).map((text) => `cut: ${text}`),
                ...(scrollWidth > clientWidth ? ['the page scrolls sideways'] : []),
                ...deckTest.tooSmall(host),
              ];
            },
            [slide, tag],
          ),
        ),
      { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 },
    );

    check(
      'axe finds nothing in any case, light or dark',
      (page) =>
        eachCase(page, async () => {
          // A case that only brings other numbers shows axe nothing that it has not seen.
          if (!(await page.evaluate(bringsNew, [slide, tag]))) return [];
          const look = (scheme, rules) => axe(page, scheme, `#slide-${slide}`, rules);
          const found = await look('light');
          await page.emulateMedia({ colorScheme: 'dark' });
          await page.evaluate(() => deckTest.frame());
          found.push(...(await look('dark', COLOURS)));
          await page.emulateMedia({ colorScheme: 'light' });
          return found;
        }),
      // A colour that is still on its way from one scheme to the other is no finding.
      { reducedMotion: 'reduce' },
    );

    check(
      'every field can be edited where it stands, every slider and choice too',
      async (page) => {
        const simulator = await start(page);
        const opening = await simulator.state();
        // What is shown may depend on a value, so each edit starts from the opening state.
        const back = async () => {
          await simulator.host.evaluate((element) => element.undo());
          await agrees(simulator, opening);
        };
        const paths = (await simulator.fieldPaths()).filter(tried);
        assert.ok(paths.length > 0, 'no field is editable');
        for (const path of paths) {
          const value = another(model.schema, path, valueAt(opening, path));
          await simulator.enter(path, value);
          await agrees(simulator, withValue(opening, path, value));
          await back();
        }
        for (const path of await simulator.sliderPaths()) {
          const slider = simulator.slider(path);
          const min = Number(await slider.getAttribute('min'));
          await slider.evaluate((input, to) => {
            input.value = to;
            input.dispatchEvent(new Event('input', { bubbles: true }));
            input.dispatchEvent(new Event('change', { bubbles: true }));
          }, String(min));
          await agrees(simulator, withValue(opening, path, min));
          assert.equal(
            await simulator.field(path).inputValue(),
            formatNumber(min, { decimals: 6, trim: true }),
          );
          await back();
        }
        for (const path of await simulator.choicePaths()) {
          for (const option of model.schema[path].options ?? []) {
            if (option === opening[path]) continue;
            await simulator.option(path, option).locator('xpath=..').click();
            await agrees(simulator, withValue(opening, path, option));
            await back();
          }
        }
      },
    );

    alsoCheck(
      'refuses a bad value beside its field and keeps the last valid state',
      async (page) => {
        const simulator = await start(page);
        const before = await simulator.snapshot();
        const paths = (await simulator.fieldPaths()).filter(tried);
        const [firstNumber] = await simulator.numberPaths();
        for (const path of paths) {
          const { field: description, rules } = fieldAt(model.schema, path);
          const bad = ['NaN', 'inf', 'Infinity', '-', 'abc', '', '1,5', '1e999', '0x10'];
          if (rules.min !== undefined) bad.push(String(rules.min - 1));
          if (rules.integer) bad.push('1.5');
          if (rules.max !== undefined) bad.push(String(rules.max * 10 + 1));
          bad.push('<b>1</b>');
          const field = simulator.field(path);
          // One field takes everything; the others, which share its parser, what depends on their own rules.
          const texts =
            description.kind === 'text'
              ? ['<b>'.repeat(Math.ceil((description.longest + 1) / 3))]
              : path === firstNumber
                ? bad
                : bad.slice(-2);
          for (const text of texts) {
            const what = `${path} with “${text.slice(0, 20)}”`;
            await simulator.enter(path, text);
            assert.deepEqual(await simulator.snapshot(), before, what);
            const seen = await field.evaluate((input) => {
              const id = input.getAttribute('aria-describedby');
              const node = id && input.getRootNode().getElementById(id);
              if (!node) return { invalid: input.getAttribute('aria-invalid'), text: '' };
              const [one, other] = [input.getBoundingClientRect(), node.getBoundingClientRect()];
              return {
                invalid: input.getAttribute('aria-invalid'),
                typed: input.value,
                text: node.textContent.trim(),
                gap: Math.max(
                  other.top - one.bottom,
                  one.top - other.bottom,
                  other.left - one.right,
                  one.left - other.right,
                ),
                shown: deckTest.isShown(node),
                markup: node.children.length,
              };
            });
            assert.equal(seen.invalid, 'true', `${what} is not marked`);
            assert.ok(seen.text.length > 15, `${what} has no message`);
            assert.equal(seen.typed, text, `${what}: what was typed is lost`);
            assert.ok(
              seen.shown && seen.gap < 60,
              `${what}: not beside it: ${JSON.stringify(seen)}`,
            );
            assert.equal(seen.markup, 0, `${what} became markup`);
          }
          await simulator.enter(path, valueAt(before.state, path));
          assert.equal(
            await field.getAttribute('aria-invalid'),
            null,
            `${path} stays marked when right`,
          );
        }
        await agrees(simulator, before.state);
      },
    );

    check('keeps nothing of a refused value that was typed key by key', async (page) => {
      const simulator = await start(page);
      const before = await simulator.snapshot();
      const path = (await simulator.fieldPaths()).find((one) =>
        /number|vector|matrix/.test(fieldAt(model.schema, one).field.kind),
      );
      if (path === undefined) return;
      await simulator.field(path).focus();
      // Its first key alone would be a good value.
      await page.keyboard.type('5e9');
      await page.keyboard.press('Enter');
      assert.deepEqual(await simulator.snapshot(), before);
      assert.equal(await simulator.field(path).getAttribute('aria-invalid'), 'true');
      await simulator.host.evaluate((element) => element.undo());
      assert.deepEqual(await simulator.snapshot(), before, 'there was something to take back');
    });

    alsoCheck('shows long numbers whole, and none leaves the slide', async (page) => {
      const simulator = await start(page);
      const opening = await simulator.state();
      for (const wanted of [-2.75, -100]) {
        const state = structuredClone(opening);
        const filled = (value, limits) =>
          Array.isArray(value)
            ? value.map((item) => filled(item, limits))
            : Math.max(limits.min ?? wanted, wanted);
        for (const [key, field] of Object.entries(model.schema)) {
          if (/vector|matrix/.test(field.kind)) state[key] = filled(state[key], field);
        }
        await simulator.host.evaluate((element, to) => element.setState(to), state);
        const seen = await simulator.host.evaluate(async (element) => {
          await element.updateComplete;
          const cut = [...element.shadowRoot.querySelectorAll('input[data-path]')]
            .filter((input) => input.scrollWidth > input.clientWidth)
            .map((input) => `${input.dataset.path} shows ${input.value} in part`);
          return [...cut, ...deckTest.outside(element)];
        });
        assert.deepEqual(seen, [], `with ${wanted}`);
      }
    });

    check('takes edits back and does them again, a gesture at a time', async (page) => {
      const simulator = await start(page);
      const states = [await simulator.state()];
      const [path] = await simulator.fieldPaths();
      for (let step = 0; step < 3; step += 1) {
        const value = another(model.schema, path, valueAt(states.at(-1), path));
        await simulator.enter(path, value);
        states.push(withValue(states.at(-1), path, value));
      }
      const [sliderPath] = await simulator.sliderPaths();
      // A simulator without a slider takes its fourth gesture, many values long, in the field.
      const mover = sliderPath ? simulator.slider(sliderPath) : simulator.field(path);
      await mover.evaluate((input) => {
        if (input.type !== 'range') {
          const text = input.value;
          for (let part = 1; part <= 4; part += 1) {
            input.value = /^\d+$/.test(text) ? String((Number(text) + part) % 5) : text + part;
            input.dispatchEvent(new Event('input', { bubbles: true }));
          }
          input.dispatchEvent(new Event('change', { bubbles: true }));
          return;
        }
        const [from, to] = [Number(input.min), Number(input.max)];
        for (let part = 0; part <= 4; part += 1) {
          input.value = String(from + ((to - from) * part) / 4);
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      states.push(await simulator.state());
      assert.notDeepEqual(states[4], states[3]);
      // With the focus on a control which has no undo of its own, the keys belong to the simulator.
      if (sliderPath) await mover.focus();
      else await simulator.button('Reset').focus();
      for (let index = 3; index >= 0; index -= 1) {
        await page.keyboard.press('Control+z');
        await agrees(simulator, states[index]);
      }
      await page.keyboard.press('Control+z');
      await agrees(simulator, states[0]);
      for (let index = 1; index <= 4; index += 1) {
        await page.keyboard.press('Control+Shift+z');
        await agrees(simulator, states[index]);
      }
      // In a field the browser takes back what is being typed; what was settled is the simulator's.
      await simulator.field(path).focus();
      await page.keyboard.press('Control+z');
      await agrees(simulator, states[3]);
      await page.keyboard.press('Control+Shift+z');
      await agrees(simulator, states[4]);
      if (scenario.toolbar === false) return;
      await simulator.button('Undo').focus();
      for (let press = 0; press < 5; press += 1) await page.keyboard.press('Enter');
      await agrees(simulator, states[0]);
      const focused = await page.evaluate(() => deckTest.focused());
      assert.equal(focused?.label, 'Undo', 'the focus is lost where there is nothing left to undo');
    });

    alsoCheck(
      'is called by voice as it is labelled: each name begins with the words seen',
      async (page) => {
        const simulator = await start(page);
        const views = Object.entries(model.schema)
          .filter(([, { kind }]) => kind === 'choice')
          .flatMap(([key, { options }]) => options.map((option) => ({ [key]: option })));
        const found = [];
        for (const state of [
          {},
          ...views,
          ...model.cases.map(({ id }) => stateOfCase(model, id)),
        ]) {
          const lines = await simulator.host.evaluate(async (element, more) => {
            element.setState({ ...element.getState(), ...more });
            await deckTest.drawn(element);
            const words = (text) =>
              text
                .toLowerCase()
                .replaceAll('_', '')
                .replace(/[^\p{L}\p{N}]+/gu, ' ')
                .trim();
            const seen = (node) => {
              const copy = node.cloneNode(true);
              for (const hidden of copy.querySelectorAll('.spoken, select, .problem'))
                hidden.remove();
              return copy.textContent;
            };
            /** What stands beside a control or on it, as it is seen. */
            const labelOf = (control) => {
              const row = control.closest('.slider-row, .select-row, .kv-field');
              const beside = row?.querySelector('.slider-label, .select-label, .kv-field-name');
              if (beside) return seen(beside);
              const around = control.closest('label');
              if (around) return seen(around);
              return /^(button|summary|a)$/.test(control.localName) ? seen(control) : '';
            };
            return [...element.shadowRoot.querySelectorAll('[aria-label]')]
              .filter((node) => /^(input|select|button|summary|textarea|a)$/.test(node.localName))
              .map((node) => [words(labelOf(node)), words(node.getAttribute('aria-label'))])
              .filter(([label, spoken]) => !`${spoken} `.startsWith(label && `${label} `))
              .map(([label, spoken]) => `“${label}” is called “${spoken}”`);
          }, state);
          found.push(...lines);
        }
        none(found);
      },
    );

    check('answers the arrow keys in its controls, and the slide stays', async (page) => {
      const simulator = await start(page);
      await context.rememberSlide(page);
      for (const path of await simulator.sliderPaths()) {
        const slider = simulator.slider(path);
        await slider.focus();
        const before = valueAt(await simulator.state(), path);
        const step = Number(await slider.getAttribute('step'));
        const max = Number(await slider.getAttribute('max'));
        const up = before + step <= max + 1e-9;
        await slider.press(up ? 'ArrowRight' : 'ArrowLeft');
        const after = valueAt(await simulator.state(), path);
        assert.ok(
          Math.abs(Math.abs(after - before) - step) < 1e-9,
          `${path}: ${before} → ${after}`,
        );
        for (const key of [
          'ArrowLeft',
          'ArrowUp',
          'ArrowDown',
          'PageDown',
          'PageUp',
          'Home',
          'End',
          'Space',
          'b',
          'n',
          'p',
          'o',
          'f',
          's',
          '?',
          '.',
        ]) {
          await slider.press(key);
        }
        await context.sameSlide(page, `keys on the slider of ${path}`);
        assert.equal(valueAt(await simulator.state(), path), max, 'End goes to the end');
      }
      const [fieldPath] = await simulator.numberPaths();
      if (fieldPath) {
        const field = simulator.field(fieldPath);
        await field.focus();
        const before = valueAt(await simulator.state(), fieldPath);
        for (const key of [...'Space b f o s n p ArrowLeft ArrowRight Home End . ?'.split(' ')])
          await field.press(key);
        await context.sameSlide(page, 'keys in a field');
        assert.equal(valueAt(await simulator.state(), fieldPath), before);
        await simulator.enter(fieldPath, before);
        const { max = Infinity } = fieldAt(model.schema, fieldPath).rules;
        await field.press(before < max ? 'ArrowUp' : 'ArrowDown');
        assert.notEqual(
          valueAt(await simulator.state(), fieldPath),
          before,
          'the arrow does not step the field',
        );
      }
      for (const path of await simulator.textPaths()) {
        const field = simulator.field(path);
        const before = valueAt(await simulator.state(), path);
        await field.focus();
        await field.press('Control+End');
        for (const key of 'Space b f o s n p . ? ArrowUp ArrowDown PageDown Home'.split(' '))
          await field.press(key);
        await context.sameSlide(page, 'keys in a text');
        // They are letters here, and the arrows move in the text and step nothing.
        assert.equal(valueAt(await simulator.state(), path), `${before} bfosnp.?`);
        await field.blur();
      }
      for (const button of await simulator.inside.getByRole('button').all()) {
        if (await button.isDisabled()) continue;
        await button.focus();
        for (const key of ['ArrowRight', 'ArrowLeft', 'b', 'o']) await button.press(key);
        await context.sameSlide(page, 'keys on a button');
      }
      const opening = await simulator.opening();
      for (const path of await simulator.choicePaths()) {
        await simulator.host.evaluate((element, state) => element.setState(state), opening);
        const before = valueAt(await simulator.state(), path);
        const radio = simulator.option(path, before);
        await radio.focus();
        for (const key of ['b', 'o', 'ArrowDown']) await radio.press(key);
        assert.notEqual(valueAt((await simulator.snapshot()).state, path), before, `${path} stays`);
        await page.keyboard.press('Space');
        await context.sameSlide(page, 'keys on a choice');
      }
    });

    check('says its answer once the hand rests, in one polite region', async (page) => {
      const simulator = await start(page);
      const regions = await simulator.host.evaluate((element) =>
        [
          ...element.shadowRoot.querySelectorAll(
            '[aria-live]:not([aria-live=off]), output, [role=status]',
          ),
        ].map(
          (node) => node.getAttribute('aria-live') ?? node.getAttribute('role') ?? node.localName,
        ),
      );
      assert.deepEqual(regions, ['polite']);
      const [sliderPath] = await simulator.sliderPaths();
      const [path] = await simulator.fieldPaths();
      const mover = sliderPath ? simulator.slider(sliderPath) : simulator.field(path);
      await mover.evaluate(async (input) => {
        const region = input.getRootNode().querySelector('[aria-live]');
        globalThis.said = [];
        new MutationObserver(() => globalThis.said.push(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
        const from = input.value;
        for (let part = 1; part <= 10; part += 1) {
          if (input.type === 'range')
            input.value = String(Number(input.min) + part * Number(input.step));
          else input.value = /^\d+$/.test(from) ? String((Number(from) + part) % 7) : from + part;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          await input.getRootNode().host.updateComplete;
        }
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.evaluate(() =>
        deckTest.until(() => globalThis.said.length > 0, 'the answer to be said'),
      );
      await page.waitForTimeout(500);
      assert.deepEqual(
        await page.evaluate(() => globalThis.said.map((text) => text.replace(/\s+/g, ' '))),
        [said(await simulator.state())],
      );
    });

    check('can hide its answer until a guess is made', async (page) => {
      if (!model.predict) {
        assert.equal(
          scenario.predict,
          false,
          `model.predict is missing and the scenario does not say that it may be`,
        );
        return;
      }
      const simulator = await start(page);
      const state = await simulator.state();
      const shownBefore = await simulator.allText();
      await simulator.button('Predict first').click();
      const numbers = computed(state);
      const secret = scenario.secret(numbers);
      assert.ok(secret.length > 0);
      const hidden = await simulator.allText();
      for (const text of secret) {
        assert.ok(shownBefore.includes(text), `the scenario's secret ${text} is never shown`);
        assert.ok(!hidden.includes(text), `${text} shows before the guess`);
      }
      assert.notEqual(await simulator.sentence(), said(state));
      const titles = await simulator.host.evaluate((element) =>
        [...element.shadowRoot.querySelectorAll('[title]')].map((node) => node.title).join(' '),
      );
      for (const value of scenario.secretValues?.(numbers) ?? []) {
        assert.ok(!titles.includes(String(value)), `${value} stands in a title`);
      }
      const guesses = simulator.inside.locator('[part~=guess]').getByRole('radio');
      assert.equal(await guesses.count(), model.predict.options(numbers).length);
      const show = simulator.button('Show the answer');
      assert.equal(await show.isDisabled(), true, 'the answer can be had without a guess');
      await guesses.first().check({ force: true });
      await show.click();
      const verdict = model.predict.isRight(numbers, 0) ? /right/ : /not/;
      assert.match(await simulator.text('[part~=sentence]'), verdict);
      if (model.predict.aboutNext) {
        assert.equal(
          await simulator.sentence(),
          '',
          'what is said of now stands beside the verdict',
        );
        await simulator.button('Predict first').click();
      }
      await agrees(simulator, state);
    });

    alsoCheck('shows every digit on demand', async (page) => {
      if (!scenario.exact) return;
      const simulator = await start(page);
      const text = await simulator.allText();
      await simulator.button('Exact values').click();
      const exact = await simulator.allText();
      const wanted = scenario.exact(computed(await simulator.state()));
      assert.ok(wanted.length > 0);
      for (const value of wanted) {
        const digits = String(value).replace('-', '\u2212');
        assert.ok(!text.includes(digits), `${digits} shows before it is asked for`);
        assert.ok(exact.includes(digits), `${digits} does not show`);
      }
      await simulator.button('Exact values').click();
    });

    check(
      'resets, and a link to the state opens the same state elsewhere',
      async (page, { context: browser, origin }) => {
        const simulator = await start(page);
        const opening = await simulator.state();
        const [path] = await simulator.fieldPaths();
        const value = another(model.schema, path, valueAt(opening, path));
        await simulator.enter(path, value);
        const edited = await simulator.state();
        assert.notDeepEqual(edited, opening);
        let link;
        if (scenario.toolbar === false) {
          link = `${context.slideAddress(slide).replace('#', `?${tag}=${encodeState(edited)}#`)}`;
        } else {
          link = await copied(page, async () => {
            await simulator.button(/^Copy .*link/).click();
            await page.evaluate(() => deckTest.frame());
          });
        }
        assert.ok(link.startsWith(`${origin}/`), link);
        const carried = decodeState(new URL(link).searchParams.get(tag));
        assert.deepEqual(carried.raw, edited);
        const second = await browser.newPage();
        await second.addInitScript(context.library);
        await second.goto(link);
        const other = await new Simulator(second, entry).ready();
        await agrees(other, edited);
        await second.close();
        if (scenario.toolbar === false) await simulator.host.evaluate((element) => element.reset());
        else await simulator.button('Reset').click();
        await agrees(simulator, structuredClone(model.defaults));
      },
    );

    alsoCheck('exports its table with every digit and its picture without script', async (page) => {
      const simulator = await start(page);
      const csv = await simulator.host.evaluate((element) => element.toCSV());
      const state = await simulator.state();
      const expected = model
        .rows(computed(state))
        .map((row) =>
          row.map((item) =>
            typeof item === 'number' ? String(Object.is(item, -0) ? 0 : item) : item,
          ),
        );
      const read = csv
        .trimEnd()
        .split('\r\n')
        .map((line) =>
          [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map((match) => match[1]),
        )
        .map((cells) =>
          cells.map((cell) =>
            cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
          ),
        );
      assert.deepEqual(
        read.map((row) => row.map(String)),
        expected.map((row) => row.map(String)),
      );
      assert.ok(!/\d,\d{3}\b.*"/.test(csv));
      const svg = await simulator.host.evaluate((element) => element.toSVG());
      const picture = await page.evaluate((text) => {
        const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
        return {
          broken: tree.querySelector('parsererror')?.textContent ?? null,
          root: tree.documentElement.localName,
          size: [
            tree.documentElement.getAttribute('width'),
            tree.documentElement.getAttribute('height'),
          ].map(Number),
          scripts: tree.querySelectorAll('script, foreignObject, use, image').length,
          handlers: [...tree.querySelectorAll('*')]
            .flatMap((node) => [...node.attributes])
            .filter((item) => /^on|href$/.test(item.name)).length,
          texts: [...tree.querySelectorAll('text')].map((node) => node.textContent),
        };
      }, svg);
      assert.equal(picture.broken, null);
      assert.equal(picture.root, 'svg');
      assert.equal(picture.scripts + picture.handlers, 0);
      assert.ok(picture.size.every((side) => side > 100));
      const drawn = model.picture(computed(state));
      for (const cell of drawn.rows.flat())
        assert.ok(picture.texts.includes(cell), `the picture lacks “${cell}”`);
      assert.ok(parseFragment(svg).childNodes.length > 0);
      if (scenario.toolbar === false) return;
      for (const [label, start_] of [
        ['Table (CSV)', Buffer.from(csv.slice(0, 8))],
        ['Picture (SVG)', Buffer.from('<svg')],
        ['Picture (PNG)', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
      ]) {
        const menu = simulator.inside.locator('details');
        if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          simulator.button(label).click(),
        ]);
        const bytes = await readFile(await download.path());
        assert.deepEqual(bytes.subarray(0, start_.length), start_, label);
        assert.equal(await menu.getAttribute('open'), null, 'the menu stays over the figure');
        assert.match(download.suggestedFilename(), new RegExp(`^${tag}\\.`));
      }
    });

    check('can be worked from the first to the last control by keyboard alone', async (page) => {
      const simulator = await start(page);
      await context.rememberSlide(page);
      const seen = [];
      let inside = null;
      // Forward through the whole simulator: every control is reached, seen and not covered.
      for (let press = 0; press < 150; press += 1) {
        await page.keyboard.press('Tab');
        inside = await page.evaluate(() => deckTest.focused());
        if (inside?.host !== tag) {
          if (seen.length > 0) break;
          continue;
        }
        assert.ok(inside.visible, `${inside.name} has the focus and is not seen`);
        assert.ok(inside.ringed, `${inside.name} shows no focus`);
        assert.equal(
          await page.evaluate(() => deckTest.focusCovered()),
          false,
          `${inside.name} is covered`,
        );
        seen.push(inside);
      }
      assert.notEqual(inside?.host, tag, 'the focus cannot leave');
      const reached = new Set(seen.map(({ name: control }) => control));
      const expected = await simulator.host.evaluate((element) => {
        const groups = new Set();
        return [
          ...element.shadowRoot.querySelectorAll(
            'button, input, select, textarea, summary, [tabindex="0"]',
          ),
        ].filter((node) => {
          if (node.disabled || !deckTest.isShown(node.closest('label') ?? node)) return false;
          if (node.type !== 'radio') return true;
          if (groups.has(node.name)) return false;
          groups.add(node.name);
          return true;
        }).length;
      });
      assert.equal(seen.length, expected, `reached: ${[...reached].join(', ')}`);

      /** Tabs on, backwards, until a control fits. */
      const tabTo = async (fits, what) => {
        for (let press = 0; press < 300; press += 1) {
          const here = await page.evaluate(() => deckTest.focused());
          if (here?.host === tag && fits(here)) return here;
          await page.keyboard.press('Shift+Tab');
        }
        throw new Error(`the keyboard does not reach ${what}`);
      };
      const named = (label) => (here) =>
        here.tag === 'button' &&
        (here.text === label || here.label === label || here.label.startsWith(label));

      if (model.cases.length > 1) {
        const last = model.cases.at(-1);
        await tabTo(named(last.label), last.label);
        await page.keyboard.press('Enter');
        await agrees(simulator, stateOfCase(model, last.id));
      }
      const [path] = await simulator.fieldPaths();
      const value = another(model.schema, path, valueAt(await simulator.state(), path));
      await tabTo((here) => here.path === path, `the field of ${path}`);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(String(value));
      await page.keyboard.press('Enter');
      assert.equal(valueAt(await simulator.state(), path), value);
      const [sliderPath] = await simulator.sliderPaths();
      if (sliderPath) {
        await tabTo((here) => here.slider === sliderPath, `the slider of ${sliderPath}`);
        await page.keyboard.press('Home');
        assert.equal(
          valueAt(await simulator.state(), sliderPath),
          Number(await simulator.slider(sliderPath).getAttribute('min')),
        );
      }
      if (canPredict(model, computed(await simulator.state()))) {
        await tabTo(named('Predict first'), 'Predict first');
        await page.keyboard.press('Space');
        await tabTo((here) => here.radio === 'guess', 'the guess');
        await page.keyboard.press('Space');
        await page.keyboard.press('Tab');
        let here = await page.evaluate(() => deckTest.focused());
        for (let press = 0; press < 60 && here.text !== 'Show the answer'; press += 1) {
          await page.keyboard.press('Tab');
          here = await page.evaluate(() => deckTest.focused());
        }
        assert.equal(here.text, 'Show the answer');
        await page.keyboard.press('Enter');
        assert.equal(await simulator.sentence(), said(await simulator.state()));
        const after = await page.evaluate(() => deckTest.focused());
        assert.equal(after?.host, tag, 'the focus is lost when the answer shows');
      }
      if (scenario.toolbar !== false) {
        await tabTo(named('Reset'), 'Reset');
        await page.keyboard.press('Enter');
        await agrees(simulator, structuredClone(model.defaults));
      }
      await context.sameSlide(page, 'working the simulator');
      await page.keyboard.press('Escape');
      const left = await page.evaluate(() => deckTest.focused());
      assert.notEqual(left?.host, tag, 'Escape does not give the keyboard back');
      await page.keyboard.press(slide === context.slides.at(-1) ? 'ArrowLeft' : 'ArrowRight');
      await page.evaluate(
        (number) => deckTest.until(() => deckTest.currentSlide() !== number, 'the next slide'),
        slide,
      );
    });

    runner.series(together, (use) => context.withPage(use));

    if (scenario.drag) {
      check('follows the pointer, and the keyboard does the same', async (page) => {
        const simulator = await start(page);
        const before = await simulator.state();
        const handle = await simulator.inside.locator(scenario.drag.handle).boundingBox();
        const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x - 20, y + 15, { steps: 4 });
        await page.mouse.up();
        const after = await simulator.state();
        for (const [path, sign] of scenario.drag.moves) {
          const change = valueAt(after, path) - valueAt(before, path);
          assert.equal(Math.sign(change), sign, `${path} moved by ${change}`);
        }
        await agrees(simulator, after);
        await simulator.host.evaluate((element) => element.undo());
        await agrees(simulator, before);
      });
    }
  }
}
