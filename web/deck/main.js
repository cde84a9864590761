/** The lecture's page. */
import './deck.css';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { Bar } from './bar.js';
import { Deck } from './deck.js';
import { connectDialogs } from './dialogs.js';
import { connectKeys } from './keys.js';
import { connectLanguages, showBrought } from './languages.js';
import { showLabProgress } from './lab-progress.js';
import { startMirror } from './mirror.js';
import { connectPrinting } from './printing.js';
import { keepForReturn, showLeft } from './return.js';
import { wakeSimulators } from './simulators.js';
import { connectSpeaker } from './speaker-link.js';
import { MovedStates } from './states.js';

const root = document.documentElement;

await ready;

// A preview is the page at rest: the address names the slide, and style alone shows it. The one that mirrors the lecture
// has its simulators alive.
if (new URLSearchParams(location.search).get('preview') === 'live') {
  startMirror();
} else if (!root.classList.contains('preview')) {
  const deck = new Deck(document.getElementById('deck'));
  const moved = new MovedStates(document.getElementById('deck'));
  const speaker = connectSpeaker(deck, moved);
  connectLanguages(deck, moved);
  keepForReturn(deck, moved);
  const sheets = { ...connectDialogs(deck), ...connectPrinting(deck) };
  const bar = new Bar(document.getElementById('bar'), deck, {
    ...sheets,
    speaker: () => speaker.open(),
  });
  connectKeys(deck, {
    ...sheets,
    speaker: () => speaker.open(),
    nextPart: () => deck.turnPart(1),
    previousPart: () => deck.turnPart(-1),
  });
  wakeSimulators(deck);
  showLabProgress();
  if (!showBrought()) showLeft();
  await deck.start();
  bar.update();
  root.classList.add('live');
  keepOffline();
}
