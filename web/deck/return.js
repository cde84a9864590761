/**
 * Who reloads a page of the lecture, leaves it and comes back, or turns to it in another language, finds it as it was
 * left. It is kept in the tab's own storage, for a page in all its languages alike; a visit by a link, or one that asks
 * for a state in its address, opens as it does for everybody.
 */
import { LANGUAGES } from '../shared/page-language.js';
import { gathered, showGathered } from './states.js';

const place = location.pathname
  .split('/')
  .filter((part) => part !== 'index.html' && !LANGUAGES.includes(part))
  .join('/');
const STORED = `attn-left ${place}`;
/** Set by whoever turns to another language: the links below, and early.js for `?lang=`. */
const TURNED = 'attn-turned';
const LINK = 'link';
const RETURNS = ['reload', 'back_forward'];
/** What was left longer ago belongs to another visit. */
const TURN_MS = 20_000;

const asksForState = () =>
  [...new URLSearchParams(location.search).keys()].some((name) => name.startsWith('attn-'));

/** The links to this page in other languages, and what is kept when it is left. @param {() => object} read */
export function keepLeft(read) {
  for (const link of document.querySelectorAll('[data-language]')) {
    link.addEventListener('click', () => {
      if (location.hash) link.hash = location.hash;
      try {
        sessionStorage.setItem(TURNED, LINK);
      } catch {
        // The page opens as it does for everybody.
      }
    });
  }
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify({ at: Date.now(), ...read() }));
    } catch {
      // As above.
    }
  });
}

/**
 * What was left, once. Who turned to another language by the link stands on its counterpart again.
 * @returns {{turned: boolean} & object | undefined} `turned` where it was left for another language just now; nothing
 *   where nobody returns.
 */
export function takeLeft() {
  try {
    const [left, mark] = [STORED, TURNED].map((key) => sessionStorage.getItem(key));
    for (const key of [STORED, TURNED]) sessionStorage.removeItem(key);
    if (!left) return undefined;
    const kept = JSON.parse(left);
    const turned = mark !== null && Date.now() - kept.at < TURN_MS;
    const returns = RETURNS.includes(performance.getEntriesByType('navigation')[0]?.type);
    if (turned && mark === LINK)
      document.querySelector('[data-language]')?.focus({ preventScroll: true });
    return turned || returns ? { ...kept, turned } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The slides of a page: what their simulators were moved to and what stands half done in them.
 * @param {HTMLElement[]} sections
 * @param {import('./states.js').MovedStates} moved
 * @param {() => object} more
 */
export const keepSlides = (sections, moved, more) =>
  keepLeft(() => ({ simulators: gathered(sections, moved), ...more() }));

/** Shows what was left of the simulators; all that was left is the answer. */
export function showLeft() {
  const left = takeLeft();
  if (!left || asksForState()) return left;
  try {
    showGathered(left.simulators);
  } catch {
    // Another version of the site left it.
  }
  return left;
}
