/** The lecture's page. */
import './deck.css';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { Bar } from './bar.js';
import { Deck } from './deck.js';
import { connectDialogs } from './dialogs.js';
import { connectKeys } from './keys.js';
import { showLabProgress } from './lab-progress.js';
import { startMirror } from './mirror.js';
import { connectPrinting } from './printing.js';
import { keepSlides, showLeft } from './return.js';
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
  const sections = deck.slides.map(({ section }) => section);
  const moved = new MovedStates(document.getElementById('deck'));
  const speaker = connectSpeaker(deck, moved);
  keepSlides(sections, moved, () => deck.shown);
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
  const left = showLeft();
  if (left?.turned) deck.open(left);
  await deck.start();
  if (left?.turned) {
    if (left.overview) deck.toggleOverview();
    sheets[left.sheet]?.();
  }
  bar.update();
  root.classList.add('live');
  keepOffline();
}
