/** What is asked of the map of one head beyond what every simulator does: its cells, its colours, its limits. */
import assert from 'node:assert/strict';
import { eventually } from '../runner.js';
import { Simulator } from '../simulator.js';

export function matrixSuite(runner, context) {
  const entry = context.simulators.find(({ name }) => name === 'matrix');
  const check = (what, run, options) =>
    runner.check(`map of matrix: ${what}`, () => context.withPage(run, options));
  const start = async (page, change = {}) => {
    await page.goto(context.slideAddress(entry.slide));
    const simulator = await new Simulator(page, entry).ready();
    await simulator.host.evaluate((element, more) => {
      element.setState({ ...element.getState(), ...more });
    }, change);
    await simulator.snapshot();
    return simulator;
  };
  const chosen = async (simulator) => {
    const { row, column } = await simulator.state();
    return [row, column];
  };
  const pair = (simulator) => simulator.text('.whole-pair');
  const long = Array.from({ length: 256 }, (_, i) => `w${i % 90}`).join(' ');

  check('the arrow keys walk over the table, one cell in the order of tabs', async (page) => {
    const simulator = await start(page);
    await context.rememberSlide(page);
    const cells = simulator.inside.locator('.map-table [tabindex="0"]');
    assert.equal(await cells.count(), 1);
    await cells.focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await page.keyboard.press(key);
    }
    assert.deepEqual(await chosen(simulator), [5, 1], 'the last row holds');
    assert.equal(
      await simulator.host.evaluate((element) => element.shadowRoot.activeElement.dataset.at),
      '5.1',
    );
    assert.match(await pair(simulator), /“mat” 6 asks “cat” 2/);
    await page.keyboard.press('Control+Home');
    assert.deepEqual(await chosen(simulator), [0, 0]);
    await context.sameSlide(page, 'walking over the map');
  });

  check('the pointer shows a cell, and a click chooses it', async (page) => {
    const simulator = await start(page);
    const before = await simulator.state();
    await simulator.inside.locator('[data-at="2.3"]').hover();
    assert.match(await pair(simulator), /“sat” 3 asks “on” 4/);
    assert.deepEqual(await simulator.state(), before);
    await page.mouse.move(2, 2);
    assert.match(await pair(simulator), /“the” 5 asks “the” 1/);
    await simulator.inside.locator('[data-at="2.3"]').click();
    assert.deepEqual(await chosen(simulator), [2, 3]);
  });

  check('a masked cell says by which masks, and each row sums to 1', async (page) => {
    const simulator = await start(page, { causal: 'on', window: 2, row: 0, column: 3 });
    assert.match(await simulator.allText(), /causal, window: becomes −∞/);
    const sums = await simulator.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('.map-sum')].map((cell) => cell.textContent.trim()),
    );
    assert.deepEqual(sums, ['1', '1', '1', '1', '1', '1']);
  });

  check('256 tokens are one picture with its row in words, and keys walk over it', async (page) => {
    const simulator = await start(page, { text: long, row: 100, column: 10 });
    const map = simulator.inside.locator('.map-picture');
    const cells = await simulator.host.evaluate(
      (element) => element.shadowRoot.querySelectorAll('td').length,
    );
    assert.ok(cells < 20, `${cells} cells`);
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await chosen(simulator), [99, 11]);
    await page.keyboard.press('End');
    assert.deepEqual(await chosen(simulator), [99, 255]);
    assert.match(await simulator.text('.whole-row'), /Heaviest of 256 keys of “w9”/);
    const { x, y, width, height } = await map.boundingBox();
    await page.mouse.click(x + 0.5 * width + 1, y + 0.25 * height + 1);
    assert.deepEqual(await chosen(simulator), [64, 128]);
  });

  check('the picture follows the colours of the page', async (page) => {
    const simulator = await start(page, { text: long });
    const light = () =>
      simulator.host.evaluate((element) => {
        const canvas = element.shadowRoot.querySelector('canvas');
        const [red] = canvas.getContext('2d').getImageData(5, 200, 1, 1).data;
        return red > 128;
      });
    // The browser tells of another scheme when it gets to it.
    const becomes = (wanted, why) =>
      eventually(async () => assert.equal(await light(), wanted, why));
    await page.emulateMedia({ colorScheme: 'light' });
    await becomes(true);
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes(false);
    await page.emulateMedia({ media: 'print' });
    await becomes(true, 'paper is white');
  });

  check('scores are typed in the cells while there are eight tokens at most', async (page) => {
    const eight = 'the cat sat on the mat all day';
    const simulator = await start(page, { text: eight, head: 'typed' });
    await simulator.enter('scores.7.0', 90);
    assert.match(await simulator.sentence(), /“the”/);
    assert.equal((await simulator.state()).scores[7][0], 90);
    await simulator.enter('text', `${eight} long`);
    assert.equal((await simulator.state()).text, eight);
    assert.match(await simulator.text('.problem'), /at most 8 tokens; there are 9/);
  });

  check('256 tokens are not too many, and 257 are told', async (page) => {
    const simulator = await start(page, { text: long });
    await simulator.enter('text', `${long} more`);
    assert.match(await simulator.text('.problem'), /words must be at most 256; it is 257/);
    await simulator.enter('text', '');
    assert.match(await simulator.text('.problem'), /words must be at least 1/);
    assert.equal((await simulator.state()).text, long);
  });
}
