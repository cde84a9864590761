/** The deck: reveal.js turns the slides; where they are, how large they are and what is around them is ours. */
import Reveal from 'reveal.js';
import { mayTurn } from './keys.js';
import { rest } from '../shared/rest.js';

const CONFIG = {
  width: '100%',
  height: '100%',
  margin: 0,
  minScale: 1,
  maxScale: 1,
  center: false,
  // Without its layout reveal never scales a slide: 24 px stay 24 px.
  disableLayout: true,
  display: 'grid',
  controls: false,
  progress: false,
  slideNumber: false,
  help: false,
  jumpToSlide: false,
  autoAnimate: false,
  previewLinks: false,
  postMessage: false,
  postMessageEvents: false,
  focusBodyOnPageVisibilityChange: false,
  transition: 'none',
  backgroundTransition: 'none',
  // The address is written in one way for deck and column alike (deck.js).
  hash: false,
  history: false,
  respondToHashChanges: false,
  scrollActivationWidth: 0,
  // The first slide alone is laid out at first; its neighbours come once the page rests.
  viewDistance: 1,
  mobileViewDistance: 1,
  keyboardCondition: mayTurn,
};

/** Slides in a row of the overview (deck.css). */
const ROW = 4;
const UP = 38;
const DOWN = 40;

const LEFT_BEHIND = ['past', 'present', 'future', 'stack'];

/**
 * @param {object} options
 * @param {HTMLElement} options.element
 * @param {{section: HTMLElement}[]} options.slides
 * @param {number} options.start
 * @param {(index: number) => void} options.onChange
 */
export async function startReveal({ element, slides, start, onChange }) {
  const before = element.className;
  element.classList.add('reveal');
  const reveal = new Reveal(element, {
    ...CONFIG,
    keyboard: { [UP]: () => step(-1), [DOWN]: () => step(1) },
  });
  const indexNow = () => reveal.getIndices().h;
  const keepInSight = () => slides[indexNow()].section.scrollIntoView({ block: 'nearest' });

  function step(by) {
    if (reveal.isOverview()) reveal.slide(indexNow() + by * ROW);
    else if (by > 0) reveal.next();
    else reveal.prev();
  }

  await withoutQuery(() => reveal.initialize());
  // The whole page as an “application” would take the reading keys away from a screen reader.
  element.removeAttribute('role');
  // It reads a whole slide aloud, every number of it; deck.js says the title.
  element.querySelector('.aria-status')?.remove();
  reveal.on('slidechanged', ({ currentSlide }) => {
    onChange(slides.findIndex(({ section }) => section === currentSlide));
    if (reveal.isOverview()) keepInSight();
  });
  reveal.on('overviewshown', () => {
    letSleep(slides, true);
    keepInSight();
  });
  reveal.on('overviewhidden', () => letSleep(slides, false));
  reveal.slide(start);
  let running = true;
  rest(() => running && reveal.configure({ viewDistance: 2, mobileViewDistance: 2 }));

  return {
    go: (index) => {
      if (reveal.isOverview()) reveal.toggleOverview(false);
      reveal.slide(index);
    },
    next: () => reveal.next(),
    previous: () => reveal.prev(),
    toggleOverview: () => reveal.toggleOverview(),
    stop() {
      running = false;
      if (reveal.isOverview()) reveal.toggleOverview(false);
      reveal.togglePause(false);
      reveal.destroy();
      element.className = before;
      for (const { section } of slides) section.classList.remove(...LEFT_BEHIND);
    },
  };
}

/**
 * Reveal takes settings from the address, whoever wrote it. A link carries a simulator's state here and
 * nothing else, so reveal gets to see an address without a query.
 */
function withoutQuery(initialize) {
  const address = location.href;
  history.replaceState(history.state, '', location.pathname + location.hash);
  try {
    return initialize();
  } finally {
    history.replaceState(history.state, '', address);
  }
}

/** In the overview a slide is a picture of itself: a click chooses it and presses nothing inside. */
function letSleep(slides, asleep) {
  for (const { section } of slides) {
    for (const child of section.children) {
      if (asleep && !child.inert) {
        child.inert = true;
        child.dataset.asleep = '';
      } else if (!asleep && child.dataset.asleep !== undefined) {
        child.inert = false;
        delete child.dataset.asleep;
      }
    }
  }
}
