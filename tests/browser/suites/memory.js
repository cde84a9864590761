/**
 * Memory over an hour of use: every control of every simulator is driven while the deck is gone round, again and again,
 * and what is held after a collection of garbage may not grow from one round to the next.
 */
import assert from 'node:assert/strict';
import { driveAll, installDriver } from '../drive.js';
import { changedState } from '../simulator.js';

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
    ...(await page.evaluate(() => wasmMemory())),
  };
}

export function memorySuite(runner, context) {
  const { slides, simulators, long } = context;
  const onSlide = (slide) => simulators.filter((entry) => entry.slide === slide);
  const how = long ? {} : { cells: 1, saves: false };

  /** Round the deck by its key, every control of every simulator on the way. */
  async function round(page, { after = () => {} } = {}) {
    const deaf = [];
    let driven = 0;
    await page.evaluate((slide) => deckTest.show(slide), slides[0]);
    for (const [i, slide] of slides.entries()) {
      if (i > 0) {
        await page.evaluate(() => deckDrive.leave());
        await page.keyboard.press('ArrowRight');
        await page.evaluate((number) => deckTest.show(number), slide);
      }
      for (const entry of onSlide(slide)) {
        const told = await driveAll(page, entry, how);
        driven += told.driven.length;
        deaf.push(...told.deaf.map((name) => `${entry.name}: ${name}`));
        await after(entry);
      }
    }
    await page.evaluate(() => deckDrive.leave());
    await page.evaluate((slide) => deckTest.show(slide), slides[0]);
    return { driven, deaf };
  }

  /** Every simulator woken, and its undo full: from here on it has nothing more to keep. */
  async function fill(page) {
    for (const slide of slides) {
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
  void assert;
  runner.check('memory', () =>
    context.withPage(
      async (page) => {
        const session = await page.context().newCDPSession(page);
        await page.goto(context.slideAddress(slides[0]));
        const log = (what, began) => console.log(what, ((performance.now() - began) / 1000).toFixed(1), 's');
        let b = performance.now();
        await fill(page);
        log('fill', b);
        console.log(JSON.stringify(await held(page, session)));
        for (let i = 0; i < Number(process.env.R ?? 4); i += 1) {
          b = performance.now();
          const told = await round(page);
          log(`round ${told.driven} ${told.deaf}`, b);
          console.log(JSON.stringify(await held(page, session)));
        }
      },
      { init: `(${installDriver})();(${watchWebAssembly})()` },
    ), { limit: 3600_000 },
  );
}
