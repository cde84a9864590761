/**
 * From the lecture in one language to the same slide in another. The other is a page of its own: what its
 * simulators were moved to, and which of them hide their answer, goes along in the tab's own storage, once.
 */
import { gathered, showGathered } from './states.js';

const STORED = 'attn-moved-states';

/**
 * @param {import('./deck.js').Deck} deck
 * @param {import('./states.js').MovedStates} moved
 */
export function connectLanguages(deck, moved) {
  for (const link of document.querySelectorAll('[data-language]')) {
    link.addEventListener('click', () => {
      link.hash = location.hash;
      try {
        sessionStorage.setItem(STORED, gathered(deck, moved));
      } catch {
        // The slide opens as it does for everybody.
      }
    });
  }
}

/** Shows what came along from the page in another language, if anything. */
export function showBrought() {
  try {
    const brought = sessionStorage.getItem(STORED);
    sessionStorage.removeItem(STORED);
    if (brought) showGathered(brought);
    return Boolean(brought);
  } catch {
    return false;
  }
}
