/**
 * From the lecture in one language to the same slide in another. The other is a page of its own: what its
 * simulators were moved to goes along in the tab's own storage, once.
 */
import { showStates } from './states.js';

const STORED = 'attn-moved-states';

/**
 * @param {import('./deck.js').Deck} deck
 * @param {import('./states.js').MovedStates} moved
 */
export function connectLanguages(deck, moved) {
  for (const link of document.querySelectorAll('[data-language]')) {
    link.addEventListener('click', () => {
      link.hash = location.hash;
      const states = deck.slides
        .map(({ id }) => [id, moved.of(id)])
        .filter(([, own]) => own.length);
      try {
        sessionStorage.setItem(STORED, JSON.stringify(states));
      } catch {
        // The slide opens as it does for everybody.
      }
    });
  }
}

/** Shows what came along from the page in another language. */
export function showBrought() {
  let brought;
  try {
    brought = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    sessionStorage.removeItem(STORED);
  } catch {
    return;
  }
  for (const [id, states] of brought) {
    const section = document.getElementById(id);
    if (section) showStates(section, states);
  }
}
