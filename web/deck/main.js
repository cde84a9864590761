/** The lecture's page. */
import './deck.css';
import { Bar } from './bar.js';
import { Deck } from './deck.js';
import { connectDialogs } from './dialogs.js';
import { connectKeys } from './keys.js';
import { connectPrinting } from './printing.js';
import { wakeSimulators } from './simulators.js';
import { connectSpeaker } from './speaker-link.js';

const root = document.documentElement;

// A preview is the page at rest: the address names the slide, and style alone shows it.
if (!root.classList.contains('preview')) {
  const deck = new Deck(document.getElementById('deck'));
  const speaker = connectSpeaker(deck);
  const dialogs = connectDialogs(deck);
  const bar = new Bar(document.getElementById('bar'), deck, {
    ...dialogs,
    speaker: () => speaker.open(),
    print: () => globalThis.print(),
  });
  connectKeys(deck, { ...dialogs, speaker: () => speaker.open() });
  connectPrinting(deck);
  wakeSimulators(deck);
  await deck.start();
  bar.update();
  root.classList.add('live');
}
