/** What is asked of the simulators that measure: a page that stays alive, a way out, and times that are nobody's state. */
import assert from 'node:assert/strict';
import { Simulator, computed } from '../simulator.js';

export function measuredSuite(runner, context) {
  const { modules } = context;
  const tiles = context.simulators.find(({ name }) => name === 'tiles');
  const check = (what, run, options) =>
    runner.check(`measured tiles: ${what}`, () => context.withPage(run, options));
  const start = async (page, change = {}) => {
    await page.goto(context.slideAddress(tiles.slide));
    const simulator = await new Simulator(page, tiles).ready();
    await simulator.host.evaluate((element, more) => {
      element.setState({ ...element.getState(), view: 'timed', ...more });
    }, change);
    return simulator;
  };
  const measure = 'Measure on this machine';
  /** The cells of times: a list for each length. */
  const times = (simulator) =>
    simulator.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('.tiles-costs tbody tr')].map((row) =>
        [...row.querySelectorAll('td[data-label^="naive, "], td[data-label^="fused, "]')].map(
          (cell) => cell.textContent.replace(/\s+/g, ' ').trim(),
        ),
      ),
    );

  check('each length on each way, in the page, which goes on drawing', async (page) => {
    const simulator = await start(page);
    const state = await simulator.state();
    assert.ok((await times(simulator)).flat().every((text) => text === '–'));
    await page.evaluate(() => {
      globalThis.frames_ = 0;
      const count = () => {
        globalThis.frames_ += 1;
        requestAnimationFrame(count);
      };
      count();
    });
    await simulator.button(measure).click();
    await simulator.button('Cancel').waitFor();
    await simulator.button(measure).waitFor({ timeout: 120_000 });
    const seen = await times(simulator);
    assert.equal(seen.length, 6);
    for (const text of seen.flat())
      assert.match(text, /^([\d.,]+ m?s|too slow|too large|not there)$/);
    assert.match(seen[0].join(), /^[\d.,]+ m?s,/);
    // A frame and more for each of the twelve tasks.
    assert.ok((await page.evaluate(() => globalThis.frames_)) > 24);
    assert.match(await simulator.sentence(), /^At n = [\d,]+ naive took .* \([\w ]+\)/);
    const csv = await simulator.host.evaluate((element) => element.toCSV());
    assert.match(csv, /naive_simd_ms/);
    assert.match(csv.split('\r\n')[1], /,[\d.]+,[\d.]+(,,)?$/);
    // A link reproduces the settings and never the times.
    assert.deepEqual(await simulator.state(), state);
  });

  check('can be cancelled, and another setting forgets what was measured', async (page) => {
    const simulator = await start(page);
    await simulator.button(measure).click();
    await simulator.button('Cancel').click();
    await simulator.button(measure).waitFor();
    await simulator.button(measure).click();
    await page.evaluate(
      (tag) =>
        deckTest.until(
          () =>
            /\d\sm?s/.test(
              document.querySelector(`.present ${tag}`).shadowRoot.querySelector('tbody')
                .textContent,
            ),
          'a first time',
        ),
      tiles.tag,
    );
    await simulator.host.evaluate((element) =>
      element.setState({ ...element.getState(), n_heads: 2 }),
    );
    await simulator.button(measure).waitFor();
    assert.ok((await times(simulator)).flat().every((text) => text === '–'));
  });

  check('asking for the weights runs the naive way in every column, and says so', async (page) => {
    const simulator = await start(page, { weights: 'yes' });
    assert.match(await simulator.sentence(), /forces the slow path/);
    assert.match(await simulator.allText(), /Both columns run the naive way/);
    assert.equal(await simulator.text('.tiles-forced'), '→ naive');
    await simulator.button(measure).click();
    await simulator.button('Cancel').waitFor();
    await simulator.button(measure).waitFor({ timeout: 120_000 });
    assert.match(await simulator.sentence(), /the fused way cannot run: the naive one did/);
  });

  check('the tile glides, and jumps where less motion is wanted', async (page) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(context.slideAddress(tiles.slide));
    const simulator = await new Simulator(page, tiles).ready();
    const duration = () =>
      simulator.host.evaluate(
        (element) =>
          getComputedStyle(element.shadowRoot.querySelector('.heat-tile')).transitionDuration,
      );
    assert.match(await duration(), /^0\.22s/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.match(await duration(), /^0s/);
  });

  const decode = context.simulators.find(({ name }) => name === 'decode');
  const here = 'Measure here';
  const checkDecode = (what, run) =>
    runner.check(`measured decode: ${what}`, () => context.withPage(run));
  const startDecode = async (page) => {
    await page.goto(context.slideAddress(decode.slide));
    return new Simulator(page, decode).ready();
  };

  checkDecode('both ways write the same tokens, and passes are what was counted', async (page) => {
    const simulator = await startDecode(page);
    const state = await simulator.state();
    await simulator.button(here).click();
    await simulator.button('Cancel').waitFor();
    await simulator.button(here).waitFor({ timeout: 120_000 });
    const ofSteps =
      / Here a step took [\d.,]+ [mµ]?s at \d+ tokens and [\d.,]+ [mµ]?s at 2\d\d tokens without the cache, [\d.,]+ [mµ]?s at \d+ tokens and [\d.,]+ [mµ]?s at 2\d\d tokens with it\.$/;
    assert.match(await simulator.sentence(), ofSteps);
    // 256 × 257 ÷ 2
    assert.match(await simulator.allText(), /32,896 passes against 256, the same tokens/);
    const times = (await simulator.host.evaluate((element) => element.toCSV()))
      .split('\r\n')
      .reduce(
        (seen, line) => (line.startsWith('tokens without,') ? [] : seen?.concat(line || [])),
        undefined,
      )
      .map((line) => line.split(',').map(Number));
    assert.equal(times.length, 16);
    const [first, last] = [times[0], times.at(-1)];
    // One grows with the text, the other hardly; a busy machine may not turn that around.
    assert.ok(last[1] > 4 * first[1], `without: ${first[1]} to ${last[1]} ms`);
    assert.ok(last[1] > 4 * last[3], `at the end: ${last[1]} and ${last[3]} ms`);
    assert.deepEqual(await simulator.state(), state);

    // What was counted is still said, and follows the state; the times stay beside it.
    await simulator.enter('n', 10);
    assert.match(await simulator.sentence(), /; 10 tokens take 55 token passes/);
    assert.match(await simulator.sentence(), ofSteps);
    // While a guess is awaited, no other n tells the answer.
    await simulator.button('Predict first').click();
    assert.doesNotMatch(await simulator.allText(), /32,896/);
    assert.match(await simulator.text('.log-plot-title'), /Measured here/);
    // Reset gives the counted plot back.
    await simulator.button('Reset').click();
    assert.match(await simulator.text('.log-plot-title'), /Counted/);
    assert.doesNotMatch(await simulator.allText(), /32,896/);
    assert.equal(
      await simulator.sentence(),
      decode.model.sentence(computed(decode, modules, state)),
    );
  });

  checkDecode('can be cancelled, and begun again', async (page) => {
    const simulator = await startDecode(page);
    await simulator.button(here).click();
    await simulator.button('Cancel').click();
    await simulator.button(here).click();
    await simulator.button(here).waitFor({ timeout: 120_000 });
    assert.match(await simulator.sentence(), /Here a step took .* at 2\d\d tokens with it/);
  });

  runner.check('measured decode: a task that fails gives the button back and says why', () =>
    context.withPage(
      async (page) => {
        const simulator = await startDecode(page);
        await simulator.host.evaluate((element) => {
          const { measure } = element.constructor.model;
          const { plan } = measure;
          measure.plan = (...given) => {
            const { tasks, close } = plan(...given);
            let done = 0;
            return {
              tasks,
              close,
              run: async ({ n }) => {
                done += 1;
                if (done > 1) throw new Error('The clock stopped: try again.');
                return { n, problem: 'too slow' };
              },
            };
          };
        });
        await simulator.button(here).click();
        const notice = simulator.inside.locator('.notice-error[role=alert]');
        await notice.waitFor();
        assert.match(await notice.textContent(), /The clock stopped: try again\./);
        await simulator.button(here).waitFor();
      },
      { expect: [/clock stopped/] },
    ),
  );
}
