/** The quiet bar below the slides. */
import { THEMES, currentTheme, setTheme, themeName } from './theme.js';

export class Bar {
  #element;
  #deck;

  /**
   * @param {HTMLElement} element
   * @param {import('./deck.js').Deck} deck
   * @param {Record<string, () => void>} actions
   */
  constructor(element, deck, actions) {
    this.#element = element;
    this.#deck = deck;
    const all = {
      previous: () => deck.previous(),
      next: () => deck.next(),
      overview: () => deck.toggleOverview(),
      theme: () => {
        setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length]);
        this.#showTheme();
      },
      ...actions,
    };
    element.addEventListener('click', ({ target }) => {
      const button = target.closest('[data-do]');
      if (button && button.getAttribute('aria-disabled') !== 'true') all[button.dataset.do]();
    });
    deck.addEventListener('change', () => this.update());
    deck.addEventListener('mode', () => this.update());
    this.#showTheme();
    this.update();
  }

  #button(name) {
    return this.#element.querySelector(`[data-do=${name}]`);
  }

  update() {
    const { slides, current, slide, last } = this.#deck;
    document.getElementById('position').textContent = `${slide.number} / ${last}`;
    const part = document.querySelector(`#contents a[href="#${slide.id}"]`)?.dataset.part ?? '';
    document.getElementById('part-name').textContent = part;
    this.#element.style.setProperty(
      '--progress',
      slides.length > 1 ? current / (slides.length - 1) : 1,
    );
    // aria-disabled and not disabled: the focus must stay where it is at the last slide.
    this.#button('previous').setAttribute('aria-disabled', String(current === 0));
    this.#button('next').setAttribute('aria-disabled', String(current === slides.length - 1));
  }

  #showTheme() {
    const theme = currentTheme();
    const button = this.#button('theme');
    button.dataset.shows = theme;
    button.setAttribute('aria-label', themeName(theme));
    button.title = themeName(theme);
  }
}
