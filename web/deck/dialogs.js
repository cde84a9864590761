/** The sheets that open over the slides: the contents and the keys, and how each of them is closed. */
import { lettersAreKeys, setLettersAreKeys } from './keys.js';

/** @param {import('./deck.js').Deck} deck */
export function connectDialogs(deck) {
  const contents = document.getElementById('contents');
  const help = document.getElementById('help');

  for (const dialog of document.querySelectorAll('dialog.sheet')) {
    dialog.addEventListener('click', (event) => {
      // A click on the dialog itself and not on anything in it is a click beside the sheet.
      if (event.target === dialog) dialog.close();
    });
  }

  contents.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    contents.close();
    deck.go(deck.slides.findIndex(({ id }) => `#${id}` === link.getAttribute('href')));
  });

  const box = document.getElementById('letters');
  box.checked = lettersAreKeys();
  box.addEventListener('change', () => setLettersAreKeys(box.checked));

  return {
    contents: () => {
      for (const link of contents.querySelectorAll('a[href]')) {
        if (link.getAttribute('href') === `#${deck.slide.id}`)
          link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
      contents.showModal();
      contents.querySelector('[aria-current]')?.focus();
    },
    help: () => help.showModal(),
  };
}
