/**
 * Memory over an hour of use: every control of every simulator is driven while the deck is gone round, again and again,
 * and what is held once garbage is collected may not grow from round to round. After a round that warms up, the short
 * form goes round once more, in the suite; the long one (`--long`) for five minutes, three times at least. Both fail for
 * the same reasons: the short form notices whatever keeps a listener for ten of the some 750 controls that are driven,
 * one small panel of nodes (100), or 2 KB of JavaScript a control; the long form less than half of those bytes. What C++ keeps is
 * seen here when its memory has to grow; each call by itself is watched in tests/node/memory.test.js.
 */
import assert from 'node:assert/strict';
import { driveAll, installDriver } from '../drive.js';
import { changedState } from '../simulator.js';

const FIVE_MINUTES_MS = 300_000;
const MIB = 2 ** 20;

/**
 * By how much a round may grow. Compiled code and what the engine notes of types settle over the first rounds; a text
 * that is typed in is remembered by the browser's own undo, a node each time.
 */
const bounds = (long) => ({
  'bytes of JavaScript': (long ? 0.6 : 1.5) * MIB,
  'bytes of the page': (long ? 1 : 3) * MIB,
  'bytes of arrays': 0.2 * MIB,
  nodes: 100,
  listeners: 10,
  documents: 0,
  'modules of WebAssembly': 0,
  'bytes of WebAssembly': 0,
});

/** As many steps as a simulator's undo keeps (web/shared/history.js), and some. */
const STEPS = 110;

/** Notes each memory of WebAssembly that the page makes, and whether its instance is still alive. */
function watchWebAssembly() {
  const memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate.apply(WebAssembly, given);
    for (const member of Object.values((made.instance ?? made).exports))
      if (member instanceof WebAssembly.Memory) memories.push(new WeakRef(member));
    return made;
  };
  globalThis.wasmMemory = () => {
    const alive = memories.map((ref) => ref.deref()).filter(Boolean);
    return {
      'modules of WebAssembly': alive.length,
      'bytes of WebAssembly': alive.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    };
  };
}

/** What a page holds once its garbage is collected. */
async function held(page, session) {
  // What a simulator still has to say, the addresses of saved files and the lights on numbers end by themselves.
  await page.waitForTimeout(1200);
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage');
  const heap = await session.send('Runtime.getHeapUsage');
  const dom = await session.send('Memory.getDOMCounters');
  return {
    'bytes of JavaScript': heap.usedSize,
    'bytes of the page': heap.embedderHeapUsedSize ?? 0,
    'bytes of arrays': heap.backingStorageSize ?? 0,
    nodes: dom.nodes,
    listeners: dom.jsEventListeners,
    documents: dom.documents,
    ...(await page.evaluate(() => globalThis.wasmMemory())),
  };
}

const difference = (after, before) =>
  Object.fromEntries(Object.keys(before).map((what) => [what, after[what] - before[what]]));

export function memorySuite(runner, context) {
  const { slides, simulators, long } = context;
  const onSlide = (slide) => simulators.filter((entry) => entry.slide === slide);
  const how = long ? {} : { cells: 1, saves: false };
  const limit = bounds(long);

  /** Round the deck by its key, every control of every simulator on the way; how many there were. */
  async function round(page, { after = () => {} } = {}) {
    let driven = 0;
    await page.evaluate((slide) => deckTest.show(slide), slides[0]);
    for (const [i, slide] of slides.entries()) {
      if (i > 0) {
        await page.evaluate(() => globalThis.deckDrive.leave());
        await page.keyboard.press('ArrowRight');
        await page.evaluate(
          (number) => deckTest.until(() => deckTest.currentSlide() === number, `slide ${number}`),
          slide,
        );
      }
      for (const entry of onSlide(slide)) {
        await page.evaluate((number) => deckTest.show(number), slide);
        const told = await driveAll(page, entry, how);
        assert.deepEqual(told.deaf, [], `controls of ${entry.name} that no event reached`);
        driven += told.driven.length;
        await after(entry);
      }
    }
    await page.evaluate(() => globalThis.deckDrive.leave());
    await page.evaluate((slide) => deckTest.show(slide), slides[0]);
    return driven;
  }

  /** Every simulator woken, and its undo full: from here on it has nothing more to keep. */
  async function fill(page) {
    for (const slide of slides.filter((number) => onSlide(number).length > 0)) {
      await page.evaluate((number) => deckTest.show(number), slide);
      for (const { tag, model } of onSlide(slide)) {
        await page.evaluate(
          async ([number, name, other, steps]) => {
            const host = document.querySelector(`section[data-slide="${number}"] ${name}`);
            const opening = host.getState();
            for (let step = 0; step < steps; step += 1)
              host.setState(step % 2 === 0 ? { ...opening, ...other } : opening);
            await deckTest.drawn(host);
          },
          [slide, tag, changedState(model).state, STEPS],
        );
      }
    }
  }

  /** What grew on each simulator's slide in one more round. */
  async function bySimulator(page, session) {
    const grown = [];
    let before = await held(page, session);
    await round(page, {
      after: async ({ name }) => {
        const now = await held(page, session);
        grown.push({ name, by: difference(now, before) });
        before = now;
      },
    });
    return grown;
  }

  const most = (grown, what) =>
    grown
      .toSorted((one, other) => other.by[what] - one.by[what])
      .slice(0, 3)
      .map(({ name, by }) => `${name} ${by[what]}`)
      .join(', ');

  runner.check(
    'memory: stays flat while every control is driven and the deck gone round',
    () =>
      context.withPage(
        async (page) => {
          const session = await page.context().newCDPSession(page);
          await page.goto(context.slideAddress(slides[0]));
          await fill(page);
          const controls = await round(page);
          const first = await held(page, session);
          const began = performance.now();
          let rounds = 0;
          do {
            assert.equal(await round(page), controls, 'as many controls in each round');
            rounds += 1;
          } while (long && (rounds < 3 || performance.now() - began < FIVE_MINUTES_MS));
          const last = await held(page, session);
          const total = difference(last, first);
          const seconds = ((performance.now() - began) / 1000).toFixed(0);
          console.log(
            `# ${controls} controls a round, ${rounds} rounds in ${seconds} s; ` +
              Object.entries(total)
                .map(([what, by]) => `${what} ${first[what]} + ${by}`)
                .join(', '),
          );
          const over = Object.keys(limit).filter((what) => total[what] > limit[what] * rounds);
          if (over.length === 0) return;
          // On a slow machine a module may not have arrived before the first round was over. What leaks grows in the next
          // round as well.
          const grown = await bySimulator(page, session);
          const again = (what) => grown.reduce((sum, { by }) => sum + by[what], 0);
          const leaks = over.filter((what) => again(what) > limit[what]);
          if (leaks.length === 0) return;
          const lines = leaks.map(
            (what) =>
              `${what}: ${Math.round(total[what] / rounds)} more a round (${Math.round(limit[what])} allowed); ` +
              `in one more round most on ${most(grown, what)}`,
          );
          assert.fail(lines.join('\n'));
        },
        { init: `(${installDriver})();(${watchWebAssembly})()` },
      ),
    // A calm machine needs a fifth of it.
    { limit: (long ? 5 : 2) * FIVE_MINUTES_MS },
  );
}
