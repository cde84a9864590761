/** A clock for a simulator that plays: a step at each tick, until a step says that it was the last. */

/** Milliseconds from one step to the next. The fastest still lets a movement of 200 ms end. */
export const PACES = Object.freeze({ slow: 1600, normal: 800, fast: 250 });

export const USUAL_PACE = 'normal';

export class Player {
  #step;
  #changed;
  #timer;
  #pace = USUAL_PACE;

  /**
   * @param {() => boolean} step does one step; false when there is no further one
   * @param {() => void} changed called when it starts, stops or changes its pace
   */
  constructor(step, changed) {
    this.#step = step;
    this.#changed = changed;
  }

  get playing() {
    return this.#timer !== undefined;
  }

  get pace() {
    return this.#pace;
  }

  set pace(pace) {
    this.#pace = pace;
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#wait();
  }

  start() {
    if (this.playing) return;
    this.#wait();
    this.#changed();
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      if (this.#step()) this.#wait();
      else this.stop();
    }, PACES[this.#pace]);
  }
}
