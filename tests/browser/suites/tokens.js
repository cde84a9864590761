/** What is asked of the simulators of tokens alone: playing, vocabularies on demand, any text that there is. */
import assert from 'node:assert/strict';
import { none } from '../runner.js';
import { Simulator, computed, expectedNumbers } from '../simulator.js';
import { decodeState, encodeState } from '../../../web/shared/permalink.js';

const BPE_FILE = /\.bpe(\?|$)/;
const MARKUP = '<img src=x onerror="globalThis.struck=1"><b>&amp;</b>';
/** Each kind of text that breaks something somewhere. */
const TEXTS = {
  emoji: 'a 👩‍👩‍👧‍👦 👍🏽 🇧🇷 b',
  'combining marks': 'e\u0301 n\u0303 Z\u0351\u036b\u0343 नमस्ते',
  controls: 'a\0b\u0007c\u001b[31m\u200b\u202e\ufeff\u0085d',
  'both ways': 'שלום עולם مرحبا',
  'half a character': 'hello \ud800 world \udc00',
  markup: MARKUP,
  nothing: '',
};

export function tokenSuite(runner, context) {
  const { modules } = context;
  const entryOf = (wanted) => context.simulators.find(({ name }) => name === wanted);
  const [bpe, tokens, stages] = ['bpe', 'tokens', 'stages'].map(entryOf);
  const check = (what, run, options) =>
    runner.check(`pieces: ${what}`, () => context.withPage(run, options));
  const start = async (page, entry, parameters) => {
    await page.goto(context.slideAddress(entry.slide, parameters));
    return new Simulator(page, entry).ready();
  };
  const agrees = async (simulator, entry, state) => {
    const { numbers, sentence } = await simulator.snapshot();
    assert.deepEqual(numbers, await expectedNumbers(entry, modules, state));
    assert.equal(
      sentence,
      entry.model
        .sentence(computed(entry, modules, state))
        .replace(/\s+/g, ' ')
        .trim(),
    );
  };
  /** Sets a text that may hold half a character, which does not survive the way into the page as it is. */
  const setText = (simulator, path, text) =>
    simulator.host.evaluate(
      async (element, [key, units]) => {
        element.setState({ ...element.getState(), [key]: String.fromCharCode(...units) });
        await deckTest.drawn(element);
      },
      [path, Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))],
    );
  const unitsOf = (simulator, path) =>
    simulator.host.evaluate(
      (element, key) => Array.from(element.getState()[key].split(''), (c) => c.charCodeAt(0)),
      path,
    );
  const until = (simulator, field, wanted) =>
    simulator.host.evaluate(
      (element, [key, value]) =>
        deckTest.until(() => element.getState()[key] === value, `${key} to be ${value}`),
      [field, wanted],
    );

  /* ---- playing ---------------------------------------------------------------------------------- */

  check(
    'BPE plays to its end a merge at a time, stops there, and is taken back at once',
    async (page) => {
      const simulator = await start(page, bpe);
      const opening = await simulator.state();
      const { total } = computed(bpe, modules, opening);
      await simulator.host.evaluate((element) => {
        globalThis.heard = [];
        for (const kind of ['input', 'change'])
          element.addEventListener(kind, () =>
            globalThis.heard.push(`${kind} ${element.getState().merges}`),
          );
        const region = element.shadowRoot.querySelector('[aria-live]');
        globalThis.said = [];
        new MutationObserver(() => globalThis.said.push(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      });
      await simulator.button('fast').click();
      await simulator.button('Play').click();
      assert.equal(await simulator.button('Pause').count(), 1);
      await until(simulator, 'merges', total);
      await simulator.button('Play').waitFor();
      await page.waitForTimeout(700);
      const steps = Array.from({ length: total - 40 }, (_, i) => `input ${41 + i}`);
      assert.deepEqual(await page.evaluate(() => globalThis.heard), [...steps, `change ${total}`]);
      // While it plays nothing is said; at rest the answer, once.
      const last = { ...opening, merges: total };
      assert.deepEqual(await page.evaluate(() => globalThis.said), [
        bpe.model.sentence(computed(bpe, modules, last)),
      ]);
      await agrees(simulator, bpe, last);
      await simulator.button('Undo').click();
      assert.deepEqual(await simulator.state(), opening);
      assert.equal(
        await simulator.button('Undo').isDisabled(),
        true,
        'playing is one step to undo',
      );
      await simulator.button('Redo').click();
      assert.deepEqual(await simulator.state(), last);
    },
  );

  check('from its end BPE plays from the start, and any edit stops it', async (page) => {
    const simulator = await start(page, bpe);
    await simulator.button('After the last merge').click();
    await simulator.button('fast').click();
    await simulator.button('Play').click();
    await until(simulator, 'merges', 2);
    await simulator.field('sentence').fill('the dog');
    assert.equal(await simulator.button('Play').count(), 1, 'it plays on');
    const { merges } = await simulator.state();
    await page.waitForTimeout(700);
    assert.equal((await simulator.state()).merges, merges);
    await agrees(simulator, bpe, await simulator.state());
  });

  check('BPE is played, paused, stepped and moved by the keyboard alone', async (page) => {
    const simulator = await start(page, bpe);
    await context.rememberSlide(page);
    const tabTo = async (fits, what) => {
      for (let press = 0; press < 120; press += 1) {
        const here = await page.evaluate(() => deckTest.focused());
        if (here?.host === bpe.tag && fits(here)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the keyboard does not reach ${what}`);
    };
    const press = async (label, key = 'Enter') => {
      await tabTo((here) => here.label === label || here.text === label, label);
      await page.keyboard.press(key);
    };
    await press('Before the first merge');
    assert.equal((await simulator.state()).merges, 0);
    await press('Play', 'Space');
    await until(simulator, 'merges', 1);
    const playing = await page.evaluate(() => deckTest.focused());
    assert.equal(playing.label, 'Pause', 'the focus is lost when it plays');
    await page.keyboard.press('Space');
    const { merges } = await simulator.state();
    await page.waitForTimeout(1200);
    assert.equal((await simulator.state()).merges, merges, 'it does not pause');
    await press('One merge on');
    assert.equal((await simulator.state()).merges, merges + 1);
    await press('One merge back');
    assert.equal((await simulator.state()).merges, merges);
    await tabTo((here) => here.slider === 'merges', 'the slider');
    const { total } = computed(bpe, modules, await simulator.state());
    for (const [key, wanted] of [
      ['End', total],
      ['ArrowLeft', total - 1],
      ['Home', 0],
      ['ArrowRight', 1],
    ]) {
      await page.keyboard.press(key);
      assert.equal((await simulator.state()).merges, wanted, key);
    }
    await agrees(simulator, bpe, await simulator.state());
    await context.sameSlide(page, 'playing');
  });

  check('GPT-2’s merges play too, from single bytes to its tokens', async (page) => {
    const simulator = await start(page, bpe);
    await simulator.button('GPT-2').click();
    const state = { ...bpe.model.defaults, view: 'gpt2' };
    await agrees(simulator, bpe, state);
    await simulator.button('Before the first merge').click();
    await agrees(simulator, bpe, { ...state, replayed: 0 });
    await simulator.button('fast').click();
    await simulator.button('Play').click();
    const { total } = computed(bpe, modules, state);
    await until(simulator, 'replayed', total);
    await simulator.button('Play').waitFor();
    await agrees(simulator, bpe, { ...state, replayed: total });
  });

  for (const reducedMotion of ['reduce', 'no-preference']) {
    const still = reducedMotion === 'reduce';
    check(
      still
        ? 'pieces do not move when the system asks for stillness'
        : 'pieces that merge are seen to close, for at most a quarter of a second',
      async (page) => {
        const simulator = await start(page, bpe);
        await simulator.button('Before the first merge').click();
        const durations = await simulator.host.evaluate(async (element) => {
          const found = [];
          for (let merges = 1; merges <= 4; merges += 1) {
            element.setState({ ...element.getState(), merges });
            await element.updateComplete;
            const fresh = element.shadowRoot.querySelector('.piece-fresh');
            if (!fresh) continue;
            for (const animation of fresh.getAnimations({ subtree: true }))
              found.push(animation.effect.getComputedTiming().duration);
          }
          return found;
        });
        if (still)
          assert.ok(
            durations.every((duration) => duration <= 1),
            durations.join(),
          );
        else {
          assert.ok(durations.length > 0, 'no merge is seen');
          assert.ok(Math.max(...durations) <= 250, durations.join());
        }
      },
      { reducedMotion },
    );
  }

  /* ---- predict first ---------------------------------------------------------------------------- */

  check('who predicts first sees the next pair nowhere, and cannot step to it', async (page) => {
    const simulator = await start(page, bpe);
    const state = await simulator.state();
    const { candidates, steps, shown } = computed(bpe, modules, state);
    const everything = () =>
      simulator.host.evaluate(async (element) => {
        await element.updateComplete;
        const root = element.shadowRoot;
        const outside = [...root.querySelectorAll('*')].filter((node) => !node.closest('.guess'));
        const words = outside.flatMap((node) => [
          ...[...node.childNodes]
            .filter((inner) => inner.nodeType === 3)
            .map((inner) => inner.data),
          ...[...node.attributes].map((item) => item.value),
        ]);
        return { words: words.join('\n'), text: root.textContent.replace(/\s+/g, '') };
      });
    const pairs = candidates.map(({ pair }) => `${pair[0]}+${pair[1]}`);
    const result = steps[shown].result;
    const before = await everything();
    for (const pair of pairs) assert.ok(before.text.includes(pair), pair);
    assert.ok(before.words.includes(result));
    await simulator.button('Predict first').click();
    const hidden = await everything();
    assert.ok(!hidden.words.includes(result), `${result} shows`);
    const count = (text, part) => text.split(part).length - 1;
    for (const pair of pairs) {
      // In the question a pair stands once, among others.
      assert.ok(count(hidden.text, pair) <= 1, `${pair} shows beside the question`);
    }
    for (const name of ['One merge on', 'Play'])
      assert.equal(await simulator.button(name).isDisabled(), true, name);
    await simulator.inside
      .locator('[part~=guess]')
      .getByRole('radio')
      .first()
      .check({ force: true });
    await simulator.button('Show the answer').click();
    const after = await everything();
    for (const pair of pairs) assert.ok(after.text.includes(pair), pair);
    await simulator.button('One merge on').click();
    assert.equal((await simulator.state()).merges, state.merges + 1);
    // The next question covers the next pair again.
    assert.equal(await simulator.button('One merge on').isDisabled(), true);
  });

  /* ---- vocabularies on demand -------------------------------------------------------------------- */

  /** The names of the vocabularies that a page has asked for, in order. */
  const watched = (page) => {
    const asked = [];
    page.on('request', (request) => {
      const name = /(\w+)(-[\w-]+)?\.bpe/.exec(request.url())?.[1];
      if (name) asked.push(name);
    });
    return asked;
  };

  check('a vocabulary is fetched when it is asked for, once, and no other', async (page) => {
    const asked = watched(page);
    await page.goto(context.slideAddress('15'));
    await page.evaluate(() => deckTest.show('15'));
    const walk = await start(page, bpe);
    await page.waitForTimeout(500);
    assert.deepEqual(asked, []);
    await walk.button('GPT-2').click();
    await agrees(walk, bpe, { ...bpe.model.defaults, view: 'gpt2' });
    assert.deepEqual(asked, ['gpt2']);
    const texts = await start(page, tokens);
    await page.waitForTimeout(500);
    assert.deepEqual(asked, ['gpt2'], 'what is here is fetched again');
    await texts.option('vocabulary', 'all').locator('xpath=..').click();
    await agrees(texts, tokens, { ...tokens.model.defaults, vocabulary: 'all' });
    assert.deepEqual(asked.toSorted(), ['cl100k', 'gpt2', 'o200k']);
  });

  check('slide 6 asks for GPT-2’s vocabulary alone', async (page) => {
    const asked = watched(page);
    await start(page, tokens);
    await page.waitForTimeout(500);
    assert.deepEqual(asked, ['gpt2']);
  });

  for (const [what, answer, words] of [
    ['is not found', { status: 404, body: 'no', contentType: 'text/plain' }, /404/],
    [
      'is the start page',
      { status: 200, body: '<!doctype html><p>Welcome', contentType: 'text/html' },
      /a web page/,
    ],
  ]) {
    check(
      `a vocabulary that ${what}: a sentence, the last state stays, a second try works`,
      async (page) => {
        const simulator = await start(page, bpe);
        const opening = await simulator.state();
        let fail = true;
        await page.route(BPE_FILE, (route) => (fail ? route.fulfill(answer) : route.continue()));
        await simulator.button('GPT-2').click();
        const notice = simulator.inside.locator('[role=alert]');
        await notice.waitFor();
        const text = await notice.textContent();
        assert.match(text, words);
        assert.ok(text.trim().length > 60, text);
        assert.deepEqual(await simulator.state(), opening);
        await agrees(simulator, bpe, opening);
        // What is chosen on the screen is what the state says.
        assert.equal(await simulator.option('view', 'corpus').isChecked(), true);
        assert.equal(await simulator.button('The sentence').getAttribute('aria-pressed'), 'true');
        await simulator.option('view', 'gpt2').locator('xpath=..').click();
        await simulator.host.evaluate((element) => deckTest.drawn(element));
        assert.equal(await simulator.option('view', 'corpus').isChecked(), true);
        fail = false;
        await simulator.option('view', 'gpt2').locator('xpath=..').click();
        await until(simulator, 'view', 'gpt2');
        await agrees(simulator, bpe, { ...opening, view: 'gpt2' });
        assert.equal(await notice.count(), 0, 'the old trouble is still told');
        await simulator.button('Undo').click();
        assert.deepEqual(await simulator.state(), opening);
      },
      { expect: [/404/] },
    );

    check(
      `slide 6, when its vocabulary ${what}: its figure stands, and a sentence says why`,
      async (page) => {
        await page.goto(context.slideAddress(tokens.slide));
        const seen = await page.evaluate(
          async ([slide, tag]) => {
            const host = document.querySelector(`[data-slide="${slide}"] ${tag}`);
            const alert = await deckTest.until(
              () => deckTest.deepAll('[role=alert]', host)[0],
              'a sentence',
            );
            await deckTest.until(() => deckTest.isShown(alert), 'the sentence to be seen');
            return {
              text: alert.textContent,
              figure: [...host.querySelectorAll('[data-num]')].filter(deckTest.isShown).length,
            };
          },
          [tokens.slide, tokens.tag],
        );
        assert.match(seen.text, words);
        assert.ok(seen.figure > 10, 'the opening figure is gone');
      },
      { expect: [/404/], routes: [[BPE_FILE, (route) => route.fulfill(answer)]] },
    );
  }

  check('an edit while a vocabulary comes is kept, and so is the wish for it', async (page) => {
    const simulator = await start(page, bpe);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route(BPE_FILE, async (route) => {
      await held;
      await route.continue();
    });
    await simulator.option('view', 'gpt2').locator('xpath=..').click();
    await simulator.inside.locator('.notice-wait').waitFor();
    await simulator.field('sentence').fill('the dog');
    await simulator.field('sentence').press('Enter');
    const wanted = { ...bpe.model.defaults, sentence: 'the dog' };
    assert.deepEqual(await simulator.state(), wanted);
    assert.equal(await simulator.inside.locator('.notice-wait').count(), 1);
    release();
    await simulator.inside.locator('.notice-wait').waitFor({ state: 'detached' });
    await agrees(simulator, bpe, { ...wanted, view: 'gpt2' });
  });

  /* ---- any text --------------------------------------------------------------------------------- */

  const fields = [
    [bpe, 'sentence'],
    [bpe, 'corpus'],
    [tokens, 'first'],
    [tokens, 'second'],
    [stages, 'sentence'],
  ];

  for (const [entry, path] of fields) {
    check(
      `${entry.name}, ${path}: any text is shown as text and survives in a link`,
      async (page) => {
        let simulator = await start(page, entry);
        const requests = [];
        page.on('request', (request) => requests.push(new URL(request.url()).pathname));
        for (const [what, text] of Object.entries(TEXTS)) {
          const state = { ...entry.model.defaults, [path]: text };
          await setText(simulator, path, text);
          await agrees(simulator, entry, state);
          assert.deepEqual(decodeState(encodeState(state)).raw, state, what);
        }
        await simulator.field(path).fill(MARKUP);
        await simulator.field(path).blur();
        await agrees(simulator, entry, { ...entry.model.defaults, [path]: MARKUP });
        for (const what of ['markup', 'half a character', 'emoji', 'controls']) {
          const state = { ...entry.model.defaults, [path]: TEXTS[what] };
          simulator = await start(page, entry, { [entry.tag]: encodeState(state), again: what });
          await page.reload();
          await simulator.ready();
          assert.equal(String.fromCharCode(...(await unitsOf(simulator, path))), TEXTS[what], what);
          await agrees(simulator, entry, state);
        }
        const made = await simulator.host.evaluate(
          (element) => element.shadowRoot.querySelectorAll('img, b').length,
        );
        assert.equal(made, 0);
        assert.equal(await page.evaluate(() => globalThis.struck), undefined);
        assert.ok(!requests.some((name) => name.endsWith('/x')), 'the text was loaded as markup');
      },
    );
  }

  check('a corpus of nothing, of one character, of spaces, of 20,000 characters', async (page) => {
    const simulator = await start(page, bpe);
    const sentence = 'the cat';
    for (const corpus of [
      '',
      'a',
      '   ',
      '\n\n\n',
      'ab'.repeat(10_000),
      'o rato roeu '.repeat(1666),
    ]) {
      const state = { ...bpe.model.defaults, corpus, sentence };
      const began = Date.now();
      await simulator.host.evaluate((element, wanted) => element.setState(wanted), state);
      await agrees(simulator, bpe, state);
      assert.ok(Date.now() - began < 5000, `${corpus.slice(0, 9)}: ${Date.now() - began} ms`);
      const { total } = computed(bpe, modules, state);
      assert.equal(await simulator.button('Play').isDisabled(), total === 0, corpus.slice(0, 9));
      if (total === 0) assert.match(await simulator.sentence(), /no pair to merge/);
    }
    await simulator.button(/^Copy .*link/).click();
    assert.match(await simulator.text('[role=alert]'), /too much text/);
    await simulator.field('sentence').fill('');
    assert.match(await simulator.sentence(), /nothing to cut/);
  });

  check('a long text of one’s own stays on its slide', async (page) => {
    const found = [];
    for (const [entry, path] of fields) {
      const simulator = await start(page, entry);
      const { longest } = entry.model.schema[path];
      const text = 'não é à toa que o gato '.repeat(40).slice(0, Math.min(longest, 600));
      await setText(simulator, path, text);
      const low = await simulator.host.evaluate((element) => {
        const { bottom } = element.shadowRoot.querySelector('.sentence').getBoundingClientRect();
        const sources = element.closest('section').querySelector('.sources');
        return bottom - sources.getBoundingClientRect().top;
      });
      if (low > 0) found.push(`${entry.name}, ${path}: ${low.toFixed(0)} px too low`);
    }
    none(found);
  });
}
