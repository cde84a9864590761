/**
 * On paper every slide is a page of the deck, from whatever window it is printed. The button of the page waits for every
 * simulator first; the browser's own command prints those that are there.
 */
import { msg, str } from '../shared/language.js';
import { wake } from './simulators.js';

/** What has not arrived by then stands on paper as it opens. */
const LONGEST_WAIT_MS = 20_000;

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {import('./deck.js').Deck} deck */
export function connectPrinting(deck) {
  const { classList } = document.documentElement;
  addEventListener('beforeprint', () => {
    deck.held = true;
    classList.remove('column-mode');
    classList.add('printing');
  });
  addEventListener('afterprint', () => {
    deck.held = false;
    classList.remove('printing');
    classList.toggle('column-mode', deck.kind === 'column');
    deck.fit();
  });

  const sheet = document.getElementById('print');
  const progress = document.getElementById('print-progress');
  const notes = document.getElementById('print-notes');
  const button = sheet.querySelector('[data-do=print-now]');
  notes.checked = classList.contains('print-notes');
  notes.addEventListener('change', () => classList.toggle('print-notes', notes.checked));
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    await everySimulator((ready, all) => {
      progress.textContent = msg(str`${ready} of ${all} simulators are ready.`);
    });
    button.removeAttribute('aria-disabled');
    // Whoever closed the sheet meanwhile has changed their mind.
    if (!sheet.open) return;
    sheet.close();
    globalThis.print();
  });

  return {
    print: () => {
      progress.textContent = '';
      sheet.showModal();
    },
  };
}

/** @param {(ready: number, all: number) => void} tell */
async function everySimulator(tell) {
  wake(document);
  const all = [...document.querySelectorAll('[data-simulator]')];
  let ready = 0;
  tell(ready, all.length);
  const arrivals = all.map(async (element) => {
    await customElements.whenDefined(element.localName);
    await element.start();
    ready += 1;
    tell(ready, all.length);
  });
  await Promise.race([Promise.all(arrivals), later(LONGEST_WAIT_MS)]);
}
