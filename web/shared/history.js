/**
 * Undo and redo over whole states. A gesture (a drag, a typed number) is one step, however many values it passes. Of
 * the steps, the last hundred are kept: a lecture of an hour would else keep every text that was ever typed in it.
 */
const MOST = 100;

export class History {
  #past = [];
  #future = [];
  #open;

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Remembers where a gesture began; later calls within the same gesture change nothing. */
  begin(state) {
    this.#open ??= state;
  }

  /** Where the gesture under way began; nothing between gestures. */
  get origin() {
    return this.#open;
  }

  /** Gives the gesture up: there is nothing to take back. */
  cancel() {
    this.#open = undefined;
  }

  /** Ends the gesture: what stood before it can be had back. */
  end(state) {
    const before = this.#open ?? state;
    this.#open = undefined;
    if (JSON.stringify(before) === JSON.stringify(state)) return;
    this.#past.push(before);
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
  }

  undo(state) {
    this.#open = undefined;
    this.#future.push(state);
    return this.#past.pop();
  }

  redo(state) {
    this.#open = undefined;
    this.#past.push(state);
    return this.#future.pop();
  }
}
