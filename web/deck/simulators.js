/**
 * Simulators are fetched when they are needed: those of the current slide and its neighbours first, the
 * others once the page rests.
 */
import { load } from '../runtime/index.js';
import { bring } from '../embed/bring.js';
import { rest } from '../shared/rest.js';

/** Fetches the scripts of the simulators below a node. */
export function wake(root) {
  for (const element of root.querySelectorAll('[data-simulator]')) bring(element.localName);
}

/** @param {import('./deck.js').Deck} deck */
export function wakeSimulators(deck) {
  // The module and the scripts are on their way at the same time; who asks for it later finds it there, and
  // who finds it missing says so in its own place.
  load('core').catch(() => {});
  const near = () => {
    for (const distance of [0, 1, -1]) {
      const slide = deck.slides[deck.current + distance];
      if (slide) wake(slide.section);
    }
  };
  near();
  deck.addEventListener('change', near);
  deck.addEventListener('mode', () => rest(() => wake(document)), { once: true });
  addEventListener('beforeprint', () => wake(document));
}
