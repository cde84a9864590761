/** The states of the simulators on a slide, by their place on it. */

/** @param {HTMLElement} section */
export const simulatorsOf = (section) => [...section.querySelectorAll('[data-simulator]')];

/** What the simulators of each slide were moved to since the page was opened. */
export class MovedStates extends EventTarget {
  /** @type {Map<string, Map<number, object>>} */
  #bySlide = new Map();

  /**
   * It fires `move`, with the slide's id as its detail, a few times a second while a simulator moves, and after it.
   * @param {HTMLElement} root above all slides
   */
  constructor(root) {
    super();
    let waiting;
    root.addEventListener('statechange', ({ target, detail }) => {
      const section = target.closest('section[id]');
      const place = section ? simulatorsOf(section).indexOf(target) : -1;
      if (place < 0) return;
      const states = this.#bySlide.get(section.id) ?? new Map();
      this.#bySlide.set(section.id, states.set(place, detail));
      // Both windows share a thread, as a rule: a slider that moves must not wait for its mirror.
      waiting ??= setTimeout(() => {
        waiting = undefined;
        this.dispatchEvent(new CustomEvent('move', { detail: section.id }));
      }, 200);
    });
  }

  /** @param {string} slideId */
  of(slideId) {
    return [...(this.#bySlide.get(slideId) ?? [])].map(([place, state]) => ({ place, state }));
  }
}

/** How each simulator opened, and what it shall show now. */
const openings = new WeakMap();
const wanted = new WeakMap();

/**
 * Sets the simulators of a slide to the states that were told, and the others back to how they opened.
 * @param {HTMLElement} section
 * @param {{place: number, state: object}[]} states
 */
export function showStates(section, states) {
  simulatorsOf(section).forEach((simulator, place) => {
    wanted.set(simulator, states.find((one) => one.place === place)?.state);
    customElements.whenDefined(simulator.localName).then(() => {
      if (!openings.has(simulator)) openings.set(simulator, simulator.state);
      const state = wanted.get(simulator) ?? openings.get(simulator);
      // Setting a state computes it anew, also one that stands there already.
      if (JSON.stringify(state) !== JSON.stringify(simulator.state)) simulator.state = state;
    });
  });
}

/** What stands half done in the simulators of a slide. */
const carriedIn = (section) =>
  simulatorsOf(section).flatMap(({ carried }, place) => (carried ? [{ place, carried }] : []));

/**
 * What the simulators of all slides were moved to, and what stands half done in them, as it can be stored.
 * @param {HTMLElement[]} sections
 * @param {MovedStates} moved
 */
export const gathered = (sections, moved) =>
  sections
    .map((section) => [section.id, moved.of(section.id), carriedIn(section)])
    .filter(([, states, carried]) => states.length + carried.length > 0);

/** Shows what was gathered. @param {ReturnType<typeof gathered>} all */
export function showGathered(all) {
  for (const [id, states, halfDone] of all) {
    const section = document.getElementById(id);
    if (!section) continue;
    showStates(section, states);
    for (const { place, carried } of halfDone) {
      const simulator = simulatorsOf(section)[place];
      // After its state, which takes what is half typed away.
      customElements.whenDefined(simulator.localName).then(() => (simulator.carried = carried));
    }
  }
}
