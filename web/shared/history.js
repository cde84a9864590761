/** Undo and redo over whole states. A gesture (a drag, a typed number) is one step, however many values it passes. */
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

  /** Ends the gesture: what stood before it can be had back. */
  end(state) {
    const before = this.#open ?? state;
    this.#open = undefined;
    if (JSON.stringify(before) === JSON.stringify(state)) return;
    this.#past.push(before);
    this.#future = [];
  }

  undo(state) {
    this.#future.push(state);
    return this.#past.pop();
  }

  redo(state) {
    this.#past.push(state);
    return this.#future.pop();
  }
}
