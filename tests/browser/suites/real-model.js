/** What is asked of a real model's heads beyond what every simulator does: the walk over them, and maps that a page hands over. */
import assert from 'node:assert/strict';
import { eventually } from '../runner.js';
import { Simulator } from '../simulator.js';

export function realModelSuite(runner, context) {
  const entry = context.simulators.find(({ name }) => name === 'real-model');
  const check = (what, run, options) =>
    runner.check(`heads of real-model: ${what}`, () => context.withPage(run, options));
  const start = async (page) => {
    await page.goto(context.slideAddress(entry.slide));
    return new Simulator(page, entry).ready();
  };
  /** On its page, where no slide is. */
  const alone = async (page) => {
    await page.goto(context.address('simulators/real-model.html'));
    return new Simulator(page, { ...entry, slide: undefined }).ready();
  };
  const chosen = async (simulator) => {
    const { layer, head } = await simulator.state();
    return [layer, head];
  };

  check('the arrow keys walk over layers and heads as they are seen', async (page) => {
    const simulator = await start(page);
    await context.rememberSlide(page);
    const heads = simulator.inside.locator('.head-grid [tabindex="0"]');
    assert.equal(await heads.count(), 1);
    await heads.focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await page.keyboard.press(key);
    assert.deepEqual(await chosen(simulator), [17, 1]);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await chosen(simulator), [0, 1], 'the first layer holds');
    await context.sameSlide(page, 'keys on the heads');
    await simulator.inside.locator('[data-head="18.6"]').click();
    assert.deepEqual(await chosen(simulator), [18, 6]);
  });

  check(
    'on a phone the layers stand one below the other, and keys follow them',
    async (page) => {
      const simulator = await alone(page);
      await simulator.inside.locator('.head-grid [tabindex="0"]').focus();
      for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
      assert.deepEqual(await chosen(simulator), [17, 1]);
    },
    { width: 390, height: 844 },
  );

  check('takes live maps of another model, and the recording again', async (page) => {
    const simulator = await alone(page);
    await simulator.host.evaluate((element) => {
      const n = 3;
      element.reading = {
        model: { name: 'tiny', n_layers: 2, n_heads: 2, n_kv_heads: 1, head_dim: 4, d_model: 8 },
        tokens: ['a', ' b', ' c'].map((text, id) => ({ id, text })),
        weights: Float32Array.from({ length: 4 * n * n }, (_, at) =>
          at % n === Math.max(0, (Math.floor(at / n) % n) - 1) ? 1 : 0,
        ),
        value_lengths: new Float32Array(2 * n).fill(1),
      };
    });
    await eventually(async () =>
      assert.match(await simulator.sentence(), /^Layer 1, head 0: “␣c” puts 1(\.00)? on “␣b”/),
    );
    assert.equal(await simulator.inside.locator('.head').count(), 4);
    assert.equal(await simulator.inside.locator('[data-select=text]').count(), 0);
    await simulator.host.evaluate((element) => {
      element.reading = undefined;
    });
    assert.equal(await simulator.inside.locator('.head').count(), 270);
  });
}
