/** Which key does what, and when a key belongs to something else. */

const TYPING = 'input, select, textarea, [contenteditable]';
const PRESSING = 'button, a[href], summary';
const STORED = 'attn-letters';

let letters = readLetters();

export const lettersAreKeys = () => letters;

/** Single letters as keys can be switched off: dictation software types them by accident. */
export function setLettersAreKeys(on) {
  letters = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // It then holds for this visit.
  }
}

function readLetters() {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
}

const isCharacter = ({ key }) => key.length === 1 && key !== ' ';

/** Whether a key that was pressed may turn the slides. */
export function mayTurn(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  const target = event.composedPath?.()[0];
  if (target instanceof Element) {
    if (target.closest(TYPING)) return false;
    if (target.closest(PRESSING) && (event.key === ' ' || event.key === 'Enter')) return false;
  }
  if (isCharacter(event) && (!letters || OURS.has(event.key.toLowerCase()))) return false;
  return true;
}

const OURS = new Map([
  ['c', 'contents'],
  ['s', 'speaker'],
  ['?', 'help'],
  [']', 'nextPart'],
  ['[', 'previousPart'],
]);

/**
 * @param {import('./deck.js').Deck} deck
 * @param {Record<string, () => void>} actions
 */
export function connectKeys(deck, actions) {
  document.addEventListener('keydown', (event) => {
    if (!isCharacter(event) || event.altKey || !letters) return;
    const name = OURS.get(event.key.toLowerCase());
    if (!name || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    if (document.querySelector('dialog[open]')) return;
    const target = event.composedPath()[0];
    if (target instanceof Element && target.closest(TYPING)) return;
    if (name === 'speaker' && deck.kind !== 'deck') return;
    event.preventDefault();
    actions[name]();
  });
}
