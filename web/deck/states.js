/** The states of the simulators on a slide, by their place on it. */

const simulatorsOf = (section) => [...section.querySelectorAll('[data-simulator]')];

/** What the simulators of each slide were moved to since the page was opened. */
export class MovedStates {
  /** @type {Map<string, Map<number, object>>} */
  #bySlide = new Map();

  /**
   * @param {HTMLElement} root above all slides
   * @param {(slideId: string) => void} moved called at most once a frame, after a slide's simulator has moved
   */
  constructor(root, moved) {
    let waiting;
    root.addEventListener('statechange', ({ target, detail }) => {
      const section = target.closest('section[id]');
      const place = section ? simulatorsOf(section).indexOf(target) : -1;
      if (place < 0) return;
      const states = this.#bySlide.get(section.id) ?? new Map();
      this.#bySlide.set(section.id, states.set(place, detail));
      // A slider tells its state many times between two frames of the screen.
      waiting ??= setTimeout(() => {
        waiting = undefined;
        moved(section.id);
      }, 40);
    });
  }

  /** @param {string} slideId */
  of(slideId) {
    return [...(this.#bySlide.get(slideId) ?? [])].map(([place, state]) => ({ place, state }));
  }
}

/**
 * @param {HTMLElement} section
 * @param {{place: number, state: object}[]} states
 */
export function showStates(section, states) {
  const simulators = simulatorsOf(section);
  for (const { place, state } of states) {
    // Before its class is known the element takes it as a plain property, which the class then finds.
    if (simulators[place]) simulators[place].state = state;
  }
}
