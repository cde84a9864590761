/**
 * Who reloads the lecture, or leaves it and comes back, finds its simulators as they were left. It is kept in the tab's
 * own storage; a visit by a link, or one that asks for a state in its address, opens as it does for everybody.
 */
import { gathered, showGathered } from './states.js';

const STORED = `attn-left-states ${location.pathname}`;
const RETURNS = ['reload', 'back_forward'];

const returns = () => RETURNS.includes(performance.getEntriesByType('navigation')[0]?.type);
const asksForState = () =>
  [...new URLSearchParams(location.search).keys()].some((name) => name.startsWith('attn-'));

/**
 * @param {import('./deck.js').Deck} deck
 * @param {import('./states.js').MovedStates} moved
 */
export function keepForReturn(deck, moved) {
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(STORED, gathered(deck, moved));
    } catch {
      // The lecture opens as it does for everybody.
    }
  });
}

/** Shows what was left, where somebody returns to it. */
export function showLeft() {
  try {
    const left = sessionStorage.getItem(STORED);
    sessionStorage.removeItem(STORED);
    if (left && returns() && !asksForState()) showGathered(left);
  } catch {
    // As above.
  }
}
