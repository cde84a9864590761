/** What is asked of the cache on one accelerator alone: its numbers, its lists, files of a reader's own, every panel. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../architecture/files.js';
import { stateOfCase } from '../../../web/shared/opening.js';
import { pagesOf } from '../../../web/simulators/kv-cache/kv-cache.model.js';
import { none } from '../runner.js';
import { Simulator, computed, expectedNumbers } from '../simulator.js';

const config = (name) => readFileSync(path.join(ROOT, `tests/golden/configs/${name}.json`), 'utf8');

/** The beginning of a GGUF file: its magic, version 3, no tensors, and pairs of a key and a text or a number. */
function gguf(pairs) {
  const text = (value) => {
    const bytes = Buffer.from(value);
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(bytes.length));
    return Buffer.concat([size, bytes]);
  };
  const uint32 = (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const uint64 = (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  return Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(0),
    uint64(pairs.length),
    ...pairs.flatMap(([key, value]) =>
      typeof value === 'string'
        ? [text(key), uint32(8), text(value)]
        : [text(key), uint32(4), uint32(value)],
    ),
  ]);
}

export function kvCacheSuite(runner, context) {
  const { modules } = context;
  const entry = context.simulators.find(({ name }) => name === 'kv-cache');
  const { model } = entry;
  const check = (what, run, options) =>
    runner.check(`kv-cache: ${what}`, () => context.withPage(run, options));
  const start = async (page, change) => {
    await page.goto(context.slideAddress(entry.slide));
    const simulator = await new Simulator(page, entry).ready();
    if (change) await set(simulator, change);
    return simulator;
  };
  const set = (simulator, change) =>
    simulator.host.evaluate(async (element, more) => {
      element.setState({ ...element.getState(), ...more });
      await deckTest.drawn(element);
    }, change);
  const agrees = async (simulator, state) => {
    const { numbers, sentence, state: now } = await simulator.snapshot();
    assert.deepEqual(now, state);
    assert.deepEqual(numbers, await expectedNumbers(entry, modules, state));
    assert.equal(sentence, model.sentence(computed(entry, modules, state)).replace(/\s+/g, ' '));
  };
  const list = (simulator, field) => simulator.inside.locator(`select[data-select="${field}"]`);
  const opening = () => structuredClone(model.defaults);

  check('each case says what the lecture says of it', async (page) => {
    const simulator = await start(page);
    for (const [id, ...wanted] of [
      [
        'gqa',
        '34,359,738,368',
        '34.4 GB = 32 GiB',
        '131,072',
        'fits: 29.6 GB free',
        'weights 16 GB',
      ],
      ['mha', '137,438,953,472', '137 GB = 128 GiB', '524,288', 'does not fit: 73.4 GB missing'],
      ['128k', '137 GB = 128 GiB', 'does not fit', 'made for 8,192'],
      ['70b', 'weights 140 GB', '327,680', 'does not fit'],
      ['405b', 'weights 810 GB', '516,096', 'does not fit'],
      [
        'gemma',
        '11,173,625,856',
        '11.2 GB = 10.4 GiB',
        '66.6 GB = 62 GiB',
        '1,024 tokens of the window',
      ],
      ['deepseek', '70,272', '18.4 GB', '4,997,120'],
      ['reserved', '2.15 GB = 2 GiB', 'allocated 34.4 GB = 32 GiB', 'room for 32,768 tokens'],
    ]) {
      await set(simulator, stateOfCase(model, id));
      const text = await simulator.allText();
      for (const part of wanted) assert.ok(text.includes(part), `${id} does not say “${part}”`);
    }
  });

  for (const [name, options] of [
    ['a slide', undefined],
    ['a phone', { width: 390, height: 844, mobile: true, deviceScaleFactor: 1 }],
  ]) {
    check(
      `every view and panel of every case fits ${name}`,
      async (page) => {
        const simulator = await start(page);
        const found = [];
        const states = model.cases.flatMap(({ id }) => [
          ...model.schema.panel.options.map((panel) => ({ ...stateOfCase(model, id), panel })),
          ...model.schema.view.options
            .slice(1)
            .map((view) => ({ ...stateOfCase(model, id), view })),
        ]);
        for (const state of states) {
          await set(simulator, state);
          await page.evaluate(() => deckTest.frame());
          const lines = await page.evaluate(
            ([number, tag, isPhone]) => {
              const section = document.querySelector(`section[data-slide="${number}"]`);
              const host = section.querySelector(tag);
              const sources = section.querySelector('.sources').getBoundingClientRect();
              const inner = host.shadowRoot.querySelector('.simulator').getBoundingClientRect();
              const { scrollWidth, clientWidth } = document.documentElement;
              return [
                ...deckTest.outside(section).map((text) => `outside: ${text}`),
                ...deckTest
                  .texts(host)
                  .filter(({ raised, size }) => !raised && size < 15.95)
                  .map(({ text, size }) => `${size.toFixed(1)} px: ${text}`),
                ...(scrollWidth > clientWidth ? ['sideways'] : []),
                ...(!isPhone && inner.bottom > sources.top + 1
                  ? [`reaches the sources by ${(inner.bottom - sources.top).toFixed(1)}`]
                  : []),
              ];
            },
            [entry.slide, model.tag, name === 'a phone'],
          );
          const what = model.cases.find(({ state: own }) =>
            Object.entries(own).every(([key, value]) => state[key] === value),
          );
          found.push(...lines.map((line) => `${what?.id} ${state.view} ${state.panel}: ${line}`));
        }
        none(found);
      },
      options,
    );
  }

  check('a model or an accelerator out of a list sets its fields, as one step', async (page) => {
    const simulator = await start(page);
    const { models, accelerators } = computed(entry, modules, opening());
    assert.ok(models.length >= 25 && accelerators.length >= 12);
    assert.equal(await list(simulator, 'model').inputValue(), 'llama-3-8b');
    for (const id of ['gemma-3-27b', 'mamba-2.8b', 'deepseek-v3.2', 'hunyuan-large']) {
      const { fields } = models.find((row) => row.id === id);
      await list(simulator, 'model').selectOption(id);
      await agrees(simulator, { ...opening(), ...fields });
      assert.equal(await list(simulator, 'model').inputValue(), id);
      await simulator.host.evaluate((element) => element.undo());
      await agrees(simulator, opening());
      assert.equal(await list(simulator, 'model').inputValue(), 'llama-3-8b');
    }
    const { fields } = accelerators.find((row) => row.id === 'h200');
    await list(simulator, 'accelerator').selectOption('h200');
    await agrees(simulator, { ...opening(), ...fields });
    // What has no name in the list leads to its fields, and a field changed has no name.
    await list(simulator, 'model').selectOption('');
    await agrees(simulator, { ...opening(), ...fields, panel: 'model' });
    await simulator.enter('full_layers', 31);
    await agrees(simulator, { ...opening(), ...fields, panel: 'model', full_layers: 31 });
    assert.equal(await list(simulator, 'model').inputValue(), '');
    // From where no field stands as well.
    for (const [field, panel] of [
      ['model', 'model'],
      ['accelerator', 'machine'],
    ]) {
      await set(simulator, { ...opening(), view: 'roofline' });
      await list(simulator, field).selectOption('');
      await agrees(simulator, { ...opening(), panel });
      assert.ok(await simulator.inside.locator('.kv-field').first().isVisible(), field);
    }
  });

  check(
    'lists and the slider of the context obey the keyboard, and the slide stays',
    async (page) => {
      const simulator = await start(page);
      await context.rememberSlide(page);
      const slider = simulator.inside.locator('[data-log-slider="tokens"]');
      await slider.focus();
      for (const [key, tokens] of [
        ['ArrowRight', 40960],
        ['ArrowLeft', 32768],
        ['Home', 1024],
        ['End', 1048576],
      ]) {
        await slider.press(key);
        await agrees(simulator, { ...opening(), tokens });
      }
      assert.equal(await slider.getAttribute('aria-valuetext'), '1,048,576 tokens');
      // Between its stops the box still takes any number, and the slider stands at the stop before.
      await simulator.enter('tokens', 40000);
      await agrees(simulator, { ...opening(), tokens: 40000 });
      assert.equal(await slider.inputValue(), '20');
      await simulator.host.evaluate((element) => element.reset());
      for (const [field, key] of [
        ['cache_format', 'b'],
        ['compare', 'ArrowDown'],
        ['compare_format', 'ArrowDown'],
      ]) {
        const before = (await simulator.state())[field];
        await list(simulator, field).focus();
        await list(simulator, field).press(key);
        assert.notEqual((await simulator.snapshot()).state[field], before, field);
      }
      await context.sameSlide(page, 'keys in a list');
    },
  );

  check(
    'fields that contradict each other are told beside the field, the last bill kept',
    async (page) => {
      const simulator = await start(page, { panel: 'model' });
      const before = await simulator.snapshot();
      for (const [field, value, wanted] of [
        ['n_kv_heads', 7, /n_kv_heads must divide n_heads/],
        ['n_layers', 20, /full_layers|n_layers/],
        ['window', 4096, /window/i],
        ['parameters_b', 0, /active_parameters/],
        ['rope_width', 64, /rope_width/],
        ['d_k', 0, /d_k/],
      ]) {
        await simulator.enter(field, value);
        assert.deepEqual(await simulator.snapshot(), before, field);
        const text = await simulator.text(`[id="problem-${field}"]`);
        assert.match(text ?? '', wanted, field);
        assert.equal(
          await simulator.field(field).inputValue(),
          String(value),
          'what was typed is lost',
        );
        assert.ok(!/NaN|Infinity/.test(await simulator.allText()));
        await simulator.enter(field, before.state[field]);
      }
      await agrees(simulator, before.state);
    },
  );

  check('a scheme whose bill cannot be told is refused where it was chosen', async (page) => {
    // As GQA the cache stays below 2^53 bytes, as MHA it is four times as large.
    const simulator = await start(page, { tokens: 1_048_576, sequences: 60_000 });
    const before = await simulator.snapshot();
    await simulator.option('scheme', 'mha').locator('xpath=..').click();
    assert.deepEqual(await simulator.snapshot(), before);
    assert.match(await simulator.text('[id="problem-scheme"]'), /sequences/);
    assert.ok(await simulator.option('scheme', 'gqa').isChecked());
    // The refusal is of no concern any more once something else is changed.
    await simulator.enter('sequences', 9);
    assert.equal(await simulator.text('[id="problem-scheme"]'), null);
  });

  check('a model without attention layers keeps its bill under every scheme', async (page) => {
    const { models } = computed(entry, modules, opening());
    const { fields } = models.find((row) => row.id === 'mamba-2.8b');
    const simulator = await start(page, fields);
    const before = await simulator.snapshot();
    await simulator.option('scheme', 'mla').locator('xpath=..').click();
    const { state, numbers } = await simulator.snapshot();
    assert.deepEqual(state, { ...before.state, scheme: 'mla' });
    assert.deepEqual(numbers, before.numbers);
  });

  check('a file of the reader’s own is read by its fields, or refused in words', async (page) => {
    const simulator = await start(page, { panel: 'model' });
    const before = await simulator.state();
    const file = simulator.inside.locator('input[type=file]');
    const says = simulator.inside.locator('.file-says');
    const give = async (name, content) => {
      await file.setInputFiles({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      });
      // By its name: what was said of the file before may still stand.
      await simulator.inside
        .locator('.file-says:not(.file-wait)')
        .filter({ hasText: name })
        .waitFor();
      await simulator.snapshot();
      return (await says.textContent()).replace(/\s+/g, ' ').trim();
    };
    const good = await give('config.json', config('gemma-3-27b'));
    const gemma = stateOfCase(model, 'gemma');
    const read = await simulator.state();
    for (const field of ['full_layers', 'local_layers', 'window', 'n_kv_heads', 'd_k'])
      assert.equal(read[field], gemma[field], field);
    assert.equal(await list(simulator, 'model').inputValue(), 'gemma-3-27b');
    assert.match(good, /^config\.json.*The parameters are counted from the fields/);
    assert.equal(read.parameters_b, 27.009346304);
    await agrees(simulator, read);
    // It is one step, and it travels in a link like all else.
    await simulator.host.evaluate((element) => element.undo());
    await agrees(simulator, before);
    // Where the fields do not tell the parameters, a published model of the same fields does.
    const jamba = await give('config.json', config('jamba-v0.1'));
    assert.match(jamba, /those of Jamba v0\.1 are taken/);
    assert.equal((await simulator.state()).parameters_b, 51.570323328);
    await simulator.host.evaluate((element) => element.undo());
    await agrees(simulator, before);

    const llama = JSON.parse(config('llama-3-8b'));
    const bad = [
      [
        'text.json',
        JSON.stringify({ ...llama, num_hidden_layers: '32' }),
        /num_hidden_layers.*“32”/,
      ],
      ['cut.json', JSON.stringify(llama).slice(0, 60), /cut short/],
      [
        'heads.json',
        JSON.stringify({ ...llama, num_key_value_heads: 7 }),
        /num_key_value_heads is 7.*must divide/,
      ],
      ['minus.json', JSON.stringify({ ...llama, num_hidden_layers: -1 }), /num_hidden_layers/],
      ['none.json', '{}', /none of a model/],
      [
        'markup.json',
        '<img src=x onerror="globalThis.struck=1">',
        /neither as a config\.json.*nor as a GGUF/,
      ],
      ['empty.json', '', /neither as a config\.json.*nor as a GGUF/],
      ['cut.gguf', gguf([['general.architecture', 'llama']]).subarray(0, 20), /cut short|needs/],
    ];
    for (const [name, content, wanted] of bad) {
      const text = await give(name, content);
      assert.match(text, wanted, name);
      assert.ok(text.startsWith(name) && text.length > name.length + 15, text);
      assert.equal(await simulator.inside.locator('.file-error').count(), 1, name);
      await agrees(simulator, before);
    }
    assert.equal(await page.evaluate(() => globalThis.struck), undefined);

    const missing = await give(
      'old.json',
      JSON.stringify({ ...llama, num_key_value_heads: undefined }),
    );
    assert.match(missing, /num_key_value_heads/);
    assert.equal((await simulator.state()).n_kv_heads, 32);

    await give(
      'tiny.gguf',
      gguf([
        ['general.architecture', 'llama'],
        ['llama.block_count', 4],
        ['llama.attention.head_count', 8],
        ['llama.attention.head_count_kv', 2],
        ['llama.embedding_length', 512],
        ['llama.context_length', 2048],
      ]),
    );
    const tiny = await simulator.state();
    assert.deepEqual(
      [tiny.full_layers, tiny.n_heads, tiny.n_kv_heads, tiny.d_k, tiny.max_tokens],
      [4, 8, 2, 64, 2048],
    );
    await agrees(simulator, tiny);
    // Nobody told the weights: neither those from before nor a verdict.
    assert.equal(tiny.parameters_b, 0);
    // What is spoken comes last, when nothing moves any more.
    await simulator.host
      .locator('[part=announcement]')
      .filter({ hasText: 'nobody knows' })
      .waitFor({ state: 'attached' });
    const unknown = await simulator.allText();
    assert.match(unknown, /weights not told/);
    assert.ok(!/fits:|it fits|NaN|Infinity/.test(unknown), unknown);
  });

  check(
    'what became of a file is spoken: a refusal as an alert, and no old answer',
    async (page) => {
      const simulator = await start(page, { panel: 'model' });
      const region = simulator.host.locator('[part=announcement]');
      const give = async (name, content) => {
        await simulator.inside.locator('input[type=file]').setInputFiles({
          name,
          mimeType: 'application/json',
          buffer: Buffer.from(content),
        });
        await simulator.inside.locator('.file-says:not(.file-wait)').waitFor();
        // As long as an answer waits until it is spoken, and longer.
        await page.waitForTimeout(600);
      };
      await give('config.json', config('gemma-3-27b'));
      const spoken = (await region.textContent()).replace(/\s+/g, ' ').trim();
      assert.match(spoken, /read\..*The parameters are counted from the fields/);
      assert.ok(spoken.endsWith((await simulator.sentence()) ?? ''), spoken);
      assert.equal(await simulator.inside.locator('.file-says[role=alert]').count(), 0);

      await region.evaluate((node) => {
        node.textContent = 'silence';
      });
      await give('none.json', '{}');
      assert.match(await simulator.text('.file-says[role=alert]'), /none of a model/);
      assert.equal(await region.textContent(), 'silence');
      // The same refusal once more is another alert.
      await simulator.inside.locator('.file-error').evaluate((node) => {
        node.dataset.old = '';
      });
      await give('none.json', '{}');
      assert.equal(await simulator.inside.locator('.file-error[data-old]').count(), 0);
    },
  );

  const dropEarly = (page, text) =>
    page.evaluate(
      async ([slide, tag, content]) => {
        location.hash = `#slide-${slide}`;
        const host = document.querySelector(`[data-slide="${slide}"] ${tag}`);
        await customElements.whenDefined(tag);
        await deckTest.until(() => host.shadowRoot, 'the element');
        const data = new DataTransfer();
        data.items.add(new File([content], 'config.json'));
        host.dispatchEvent(
          new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
        );
        const says = await deckTest.until(
          () => host.shadowRoot.querySelector('.file-says'),
          'the file to be named',
        );
        return says.textContent.replace(/\s+/g, ' ').trim();
      },
      [entry.slide, entry.tag, text],
    );
  {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    check(
      'a file dropped while the module loads is read when it is there',
      async (page) => {
        await page.goto(context.slideAddress(entry.slide));
        assert.match(await dropEarly(page, config('qwen3-4b')), /config\.json Reading …/);
        release();
        const simulator = await new Simulator(page, entry).ready();
        await simulator.inside.locator('.file-done').waitFor();
        const state = await simulator.state();
        assert.deepEqual([state.full_layers, state.d_k, state.panel], [36, 128, 'model']);
        await agrees(simulator, state);
      },
      {
        routes: [
          [
            /bill\.[\w.-]*wasm(\?|$)/,
            async (route) => {
              await held;
              await route.continue();
            },
          ],
        ],
      },
    );
  }
  check(
    'a file dropped where no module comes leaves the reason alone',
    async (page) => {
      await page.goto(context.slideAddress(entry.slide));
      await dropEarly(page, config('qwen3-4b')).catch(() => {});
      const host = page.locator(`[data-slide="${entry.slide}"] ${entry.tag}`);
      await host.locator('.notice-error[role=alert]').waitFor();
      await page.waitForTimeout(300);
      assert.equal(await host.locator('.file-says').count(), 0);
    },
    {
      expect: [/./],
      routes: [[/bill\.[\w.-]*wasm(\?|$)/, (route) => route.abort('connectionreset')]],
    },
  );

  check('a file may be dropped anywhere on it, however large', async (page) => {
    const simulator = await start(page);
    const drop = (name, build) =>
      simulator.host.evaluate(
        async (element, [wanted, text, size]) => {
          const parts = size ? [text, new Uint8Array(size).fill(32)] : [text];
          const data = new DataTransfer();
          data.items.add(new File(parts, wanted));
          const over = new DragEvent('dragover', {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
          });
          element.dispatchEvent(over);
          const event = new DragEvent('drop', {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
          });
          element.dispatchEvent(event);
          await deckTest.until(
            () => element.shadowRoot.querySelector('.file-says:not(.file-wait)'),
            'the file to be read',
          );
          return [over.defaultPrevented, event.defaultPrevented];
        },
        [name, build.text, build.size],
      );
    assert.deepEqual(await drop('config.json', { text: config('qwen3-4b') }), [true, true]);
    const state = await simulator.state();
    assert.deepEqual([state.full_layers, state.d_k, state.panel], [36, 128, 'model']);
    await agrees(simulator, state);
    for (const place of model.schema.view.options) {
      await set(simulator, { ...state, view: place, panel: 'product' });
      await drop('huge.json', { text: config('llama-3-8b'), size: 1e8 });
      assert.match(await simulator.text('.file-error'), /huge\.json/, place);
      assert.equal((await simulator.state()).view, place);
    }
  });

  check('the cache fills token by token, and counts what the bill says', async (page) => {
    const simulator = await start(page, { view: 'filling', token: 0 });
    const empty = await simulator.state();
    await agrees(simulator, empty);
    const on = simulator.button('One token on');
    for (let token = 1; token <= 24; token += 1) {
      await on.click();
      const { filled } = computed(entry, modules, { ...empty, token });
      await agrees(simulator, { ...empty, token });
      const [first] = filled.requests;
      assert.equal(first.stats.needed_bytes, filled.bill.sequence_needed_bytes);
      assert.equal(first.stats.blocks, pagesOf(filled.bill));
      assert.equal(filled.stats.needed_bytes, filled.bill.needed_bytes);
      // The pages drawn are those of the tables, and the newest token is marked in each.
      const drawn = await simulator.host.evaluate((element) => ({
        pages: element.shadowRoot.querySelectorAll('.kv-page:not(.kv-page-gone)').length,
        shared: element.shadowRoot.querySelectorAll('.kv-page-shared').length,
        now: [...element.shadowRoot.querySelectorAll('.kv-slot-now .num')].map((node) =>
          node.textContent.trim(),
        ),
      }));
      const tables = filled.requests.map(({ stats }) => [...stats.pages]);
      assert.equal(drawn.pages, tables.flat().filter((id) => id > 0).length);
      const references = filled.requests.flatMap(({ stats }) => [...stats.references]);
      assert.equal(drawn.shared, references.filter((times) => times > 1).length);
      assert.deepEqual(drawn.now, Array(filled.requests.length).fill(String(token - 1)));
    }
    const events = (token) =>
      computed(entry, modules, { ...empty, token }).filled.requests.map((request) =>
        request.events.map(({ kind }) => kind),
      );
    assert.deepEqual(events(11), [['copies'], ['begins']]);
    assert.deepEqual(events(16), [['returns'], ['returns']]);
    // Where nothing is shared, the bytes taken are the bill's as well.
    for (const seen of [0, 3, 8]) {
      for (const slots of [1, 3, 8]) {
        const { stats, bill } = computed(entry, modules, {
          ...empty,
          token: 19,
          fork: 24,
          seen,
          slots,
        }).filled;
        assert.equal(stats.allocated_bytes, bill.allocated_bytes, `${seen}, ${slots}`);
      }
    }
  });

  check('every change of a control redraws within a frame', async (page) => {
    const simulator = await start(page);
    for (const view of ['memory', 'roofline']) {
      await set(simulator, { ...opening(), view });
      const times = await simulator.host.evaluate(async (element) => {
        const slider = element.shadowRoot.querySelector('[data-log-slider="tokens"]');
        const stops = Number(slider.max) + 1;
        const least = Array.from({ length: stops }, () => Number.POSITIVE_INFINITY);
        // As often as the rest of the machine disturbs one of them, and not for ever.
        for (
          let move = 0;
          move < 60 * stops && (move < 2 * stops || least.some((ms) => ms >= 16.7));
          move += 1
        ) {
          const began = performance.now();
          slider.value = String(move % stops);
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          await element.updateComplete;
          element.getBoundingClientRect();
          least[move % stops] = Math.min(least[move % stops], performance.now() - began);
        }
        return least;
      });
      // What else the machine does disturbs some rounds; a stop that is slow is so in each of sixty.
      assert.equal(times.length, 41);
      const slow = times.flatMap((ms, stop) =>
        ms < 16.7 ? [] : [`stop ${stop}: ${ms.toFixed(1)} ms`],
      );
      none(slow.map((line) => `${view}, ${line}`));
    }
  });
}
