/**
 * How high the simulators are where other people put them, and how high a slide of theirs is below its heading: measured in the
 * tools' own pages (tests/browser/hosts) and on the site's. embed.html makes its table of it (web/pages/embed/heights.json).
 */
import { LADDER } from '../../web/build/site/fits.mjs';
import { COLUMNS } from '../../web/shared/embed-text.js';

/** Decks whose slides do not scroll, and where the slide of the recipe is. */
const DECKS = {
  reveal: { page: 'reveal/index.html', slide: '.slides > section.present' },
  marp: { page: 'marp/deck.html#1', slide: 'section:has(attn-query)' },
  slidev: { page: 'slidev/index.html#/1', slide: '.slidev-layout:has(attn-query)' },
};

/** In the page: how wide the element of a slide is, and how high it may be below the heading; in the slide's own px. */
function roomOf(selector) {
  const slide = document.querySelector(selector);
  const element = slide?.querySelector('attn-query');
  const heading = slide?.querySelector('h1, h2');
  if (!element?.offsetWidth || !heading) return undefined;
  const px = (node, name) => Math.max(0, Number.parseFloat(getComputedStyle(node)[name]));
  // reveal.js's slides are as high as what is in them, and may be as high as the deck.
  const inner =
    globalThis.Reveal?.getConfig().height ??
    slide.clientHeight - px(slide, 'paddingTop') - px(slide, 'paddingBottom');
  const below = Math.max(px(heading, 'marginBottom'), px(element, 'marginTop'));
  const taken = px(heading, 'marginTop') + heading.offsetHeight + below;
  return { width: element.offsetWidth, height: Math.floor(inner - taken) };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} hosts the address of the tools' pages
 * @returns {Promise<Record<string, {width: number, height: number}>>} by deck
 */
export async function measureRooms(page, hosts) {
  const rooms = {};
  for (const [name, { page: address, slide }] of Object.entries(DECKS)) {
    await page.goto(`${hosts}/${address}`);
    await page.waitForFunction(
      () => (globalThis.Reveal?.isReady() ?? true) && document.querySelector('h1, h2'),
    );
    await page.keyboard.press('ArrowRight');
    rooms[name] = await (await page.waitForFunction(roomOf, slide)).jsonValue();
  }
  return rooms;
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} address of a simulator's page
 * @param {number[]} widths in px
 * @returns {Promise<{slides: Record<string, number[]>, frames: Record<string, number>}>} the height of the element on a slide, by its
 *   width, with each rung of the ladder hidden; and that of a frame, by its column
 */
export async function measureHeights(page, address, widths) {
  await page.goto(address);
  return page.evaluate(
    async ({ ladder, all, columns, around }) => {
      const element = document.querySelector('[data-simulator]');
      await customElements.whenDefined(element.localName);
      await element.start();
      await document.fonts.ready;
      const heightAt = (width) => {
        for (const name of ['width', 'min-width', 'max-width'])
          element.style.setProperty(name, `${width}px`);
        return element.offsetHeight;
      };
      const slides = Object.fromEntries(all.map((width) => [width, []]));
      const frames = {};
      for (const hide of ladder) {
        element.hide = hide;
        await element.updateComplete;
        for (const width of all) slides[width].push(heightAt(width));
        if (hide === '')
          for (const column of columns) frames[column] = heightAt(column - around) + around + 1;
      }
      return { slides, frames };
    },
    { ladder: LADDER, all: widths, columns: COLUMNS, around: 12 },
  );
}
