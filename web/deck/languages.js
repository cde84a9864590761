/**
 * From the lecture in one language to the same slide in another. The other is a page of its own: what its
 * simulators were moved to, and which of them hide their answer, goes along in the tab's own storage, once.
 */
import { showStates, simulatorsOf } from './states.js';

const STORED = 'attn-moved-states';

/** The places of the simulators whose answer is to be guessed. */
const predictingIn = (section) =>
  simulatorsOf(section).flatMap(({ predicting }, place) => (predicting ? [place] : []));

/**
 * @param {import('./deck.js').Deck} deck
 * @param {import('./states.js').MovedStates} moved
 */
export function connectLanguages(deck, moved) {
  for (const link of document.querySelectorAll('[data-language]')) {
    link.addEventListener('click', () => {
      link.hash = location.hash;
      const brought = deck.slides
        .map(({ id, section }) => [id, moved.of(id), predictingIn(section)])
        .filter(([, states, predicting]) => states.length + predicting.length > 0);
      try {
        sessionStorage.setItem(STORED, JSON.stringify(brought));
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
  for (const [id, states, predicting] of brought) {
    const section = document.getElementById(id);
    if (!section) continue;
    showStates(section, states);
    for (const place of predicting) {
      const simulator = simulatorsOf(section)[place];
      customElements.whenDefined(simulator.localName).then(() => (simulator.predicting = true));
    }
  }
}
