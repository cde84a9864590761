/**
 * The lecture as one list of slides, shown in one of two ways: a deck (reveal.js) where there is room for
 * it, and a column where there is not. Both show the same elements, which are never made anew, so that
 * what a reader set stays set when the window changes.
 *
 * Events: `change` when another slide is the current one, `mode` when the way of showing has changed.
 */
import { msg, str } from '../shared/language.js';
import { startColumn } from './column-mode.js';

const ROOMY = '(width >= 900px) and (height >= 500px)';

export class Deck extends EventTarget {
  #element;
  #view;
  #kind;
  #fitted = Promise.resolve();
  #engineless = false;
  #roomy = matchMedia(ROOMY);
  #paper = matchMedia('print');

  /** The slides in order. */
  slides;
  /** Where the reader is in `slides`. */
  current = 0;
  /** While true the way of showing does not change: the page is being printed. */
  held = false;

  /** @param {HTMLElement} element the `<main>` that holds `.slides` */
  constructor(element) {
    super();
    this.#element = element;
    this.slides = [...element.querySelectorAll('.slides > section')].map((section) => ({
      id: section.id,
      number: section.dataset.slide,
      part: section.dataset.part,
      section,
      title: titleOf(section),
    }));
    this.current = this.#indexOf(location.hash) ?? 0;
  }

  get slide() {
    return this.slides[this.current];
  }

  /** What is seen, for the same page in another language: the slide, the overview, the sheet that lies over it. */
  get shown() {
    return {
      slide: this.slide.id,
      overview: this.#element.classList.contains('overview'),
      sheet: document.querySelector('dialog.sheet[open]')?.id,
    };
  }

  /** Begins where it was left, unless the address names a slide. @param {{slide?: string}} left */
  open({ slide }) {
    if (this.#indexOf(location.hash) === undefined)
      this.current = this.#indexOf(`#${slide}`) ?? this.current;
  }

  /** The last slide's number: what “of how many” means to somebody in the hall. */
  get last() {
    return this.slides.at(-1).number;
  }

  /** 'deck' or 'column'. */
  get kind() {
    return this.#kind;
  }

  async start() {
    for (const query of [this.#roomy, this.#paper])
      query.addEventListener('change', () => this.fit());
    addEventListener('hashchange', () => {
      const index = this.#indexOf(location.hash);
      if (index === undefined) return;
      // The same slide under another spelling of its address: write it our way again.
      if (index === this.current) this.#writeAddress();
      this.go(index);
    });
    await this.fit();
  }

  /** Slides that cannot be turned can still be scrolled, simulators and all. */
  #without(error) {
    console.warn(error.message);
    this.#engineless = true;
    const notice = document.getElementById('trouble');
    notice.textContent = msg(
      'The part that turns the slides did not arrive, so they stand below each other. Reload the page; if that does not help, the site was not copied whole.',
    );
    notice.hidden = false;
  }

  /**
   * Shows the slides in the way that fits the window. One change is over before the next begins: the engine
   * takes a moment to start, and a column built in that moment would be measured with slides hidden.
   */
  fit() {
    this.#fitted = this.#fitted.then(() => this.#show());
    return this.#fitted;
  }

  async #show() {
    // Paper has a width of its own, which says nothing about the window.
    if (this.held || this.#paper.matches) return;
    const forced =
      this.#engineless || new URLSearchParams(location.search).get('view') === 'scroll';
    const kind = this.#roomy.matches && !forced ? 'deck' : 'column';
    if (kind === this.#kind) return;
    this.#view?.stop();
    this.#view = undefined;
    this.#kind = kind;
    const { classList } = document.documentElement;
    classList.toggle('deck-mode', kind === 'deck');
    classList.toggle('column-mode', kind === 'column');
    const options = {
      element: this.#element,
      slides: this.slides,
      start: this.current,
      onChange: (index) => this.#arrive(index),
    };
    if (kind === 'deck') {
      const engine = await import('./reveal-mode.js').catch((error) => this.#without(error));
      if (!engine) {
        await this.#show();
        return;
      }
      this.#view = await engine.startReveal(options);
    } else {
      this.#view = startColumn(options);
    }
    this.#announce(false);
    this.dispatchEvent(new Event('mode'));
  }

  go(index) {
    this.#view?.go(Math.max(0, Math.min(this.slides.length - 1, index)));
  }

  next() {
    this.#view?.next();
  }

  previous() {
    this.#view?.previous();
  }

  /** To the first slide of the part behind this one, or to that of this one and, from there, of the one before. */
  turnPart(by) {
    const firstOf = (index) =>
      this.slides.findIndex(({ part }) => part === this.slides[index].part);
    const first = firstOf(this.current);
    if (by < 0) this.go(this.current > first ? first : firstOf(Math.max(0, first - 1)));
    else {
      const next = this.slides.findIndex(
        ({ part }, index) => index > this.current && part !== this.slide.part,
      );
      if (next >= 0) this.go(next);
    }
  }

  toggleOverview() {
    this.#view?.toggleOverview?.();
  }

  #arrive(index) {
    if (index < 0 || index === this.current) return;
    const left = this.slide.section;
    const hadFocus = left.contains(document.activeElement);
    this.current = index;
    this.#writeAddress();
    // Who was inside the slide that went away goes on in the one that came; a reader of the screen then
    // hears its title from there, and not twice.
    const moved = hadFocus && this.#kind === 'deck';
    if (moved) focusTitle(this.slide.section);
    this.#announce(!moved);
    this.dispatchEvent(new Event('change'));
  }

  #writeAddress() {
    const { hash } = location;
    const wanted = `#${this.slide.id}`;
    if (hash === wanted || (hash === '' && this.current === 0)) return;
    try {
      history.replaceState(history.state, '', wanted);
    } catch {
      // Browsers refuse when it is done too often, while somebody scrolls fast; the next one will do.
    }
  }

  #announce(aloud) {
    const { number, title } = this.slide;
    document.title = this.current === 0 ? lectureTitle : `${number} · ${title} – ${lectureTitle}`;
    if (aloud && this.#kind === 'deck') {
      const { last } = this;
      const said = msg(str`Slide ${number} of ${last}: ${title}`);
      document.getElementById('announcement').textContent = said;
    }
  }

  /** The slide that an address means: `#slide-15`, `#/slide-15`, `#15` and `#/15` are the same. */
  #indexOf(hash) {
    const name = decodeURIComponentOr(hash.replace(/^#\/?/, ''), '');
    const index = this.slides.findIndex(({ id, number }) => id === name || number === name);
    return index < 0 ? undefined : index;
  }
}

const lectureTitle = document.title;

function titleOf(section) {
  const heading = section.querySelector('h2').cloneNode(true);
  for (const twin of heading.querySelectorAll('.katex-mathml')) twin.remove();
  return heading.textContent.replace(/\s+/g, ' ').trim();
}

function focusTitle(section) {
  const heading = section.querySelector('h2');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function decodeURIComponentOr(text, otherwise) {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise;
  }
}
