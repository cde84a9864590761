/** On paper every slide is a page of the deck, from whatever window it is printed. */

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
}
