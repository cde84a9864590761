/** Cuts heads and tokens out of the model, and compares what it then expects. */
import { cutView } from './cut.view.js';

export class Cut {
  #app;
  /** Whether something was cut that is not compared yet. */
  #again = false;
  #runs = false;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  /** Layer and head, as `3.1`. @type {Set<string>} */
  heads = new Set();
  /** @type {Set<number>} */
  positions = new Set();
  /** Which cell of the grid the arrow keys have come to. */
  at = { layer: 0, head: 0 };
  /** @type {import('./model-calls.js').Reading | undefined} */
  before;
  /** @type {import('./model-calls.js').Compared | undefined} */
  after;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => cutView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, before: undefined, after: undefined });
    this.at = { layer: 0, head: 0 };
    this.#again = false;
    this.heads.clear();
    this.positions.clear();
  }

  /** A sentence was read: heads stay cut, tokens are others. */
  follow(reading) {
    this.before = reading;
    this.after = undefined;
    this.positions.clear();
    if (this.heads.size > 0) queueMicrotask(() => this.#compare());
  }

  get isEmpty() {
    return this.heads.size === 0 && this.positions.size === 0;
  }

  /** @param {number} layer @param {number} head */
  toggleHead(layer, head) {
    this.at = { layer, head };
    this.#toggle(this.heads, `${layer}.${head}`);
  }

  /** All heads of a layer, or none of them when all are cut. @param {number} layer */
  toggleLayer(layer) {
    const all = Array.from({ length: this.#app.about.n_heads }, (_, head) => `${layer}.${head}`);
    const whole = all.every((one) => this.heads.has(one));
    for (const one of all) this.heads[whole ? 'delete' : 'add'](one);
    this.#compare();
  }

  /** @param {number} position */
  togglePosition(position) {
    this.#toggle(this.positions, position);
  }

  #toggle(set, value) {
    if (!set.delete(value)) set.add(value);
    this.#compare();
  }

  clear() {
    this.heads.clear();
    this.positions.clear();
    this.#compare();
  }

  /** @param {number} layer @param {number} head */
  moveTo(layer, head) {
    const { n_layers, n_heads } = this.#app.about;
    const within = (value, count) => Math.min(count - 1, Math.max(0, value));
    this.at = { layer: within(layer, n_layers), head: within(head, n_heads) };
    this.#app.draw();
  }

  /** While the model is at work, more may be cut: the last state counts. */
  async #compare() {
    this.#again = true;
    this.#app.draw();
    await this.whenFree();
  }

  /** Nobody has the model now. */
  async whenFree() {
    if (this.#runs) return;
    this.#runs = true;
    while (this.#again && !this.#app.busy) {
      this.#again = false;
      if (this.isEmpty) this.after = undefined;
      else await this.#app.use(this, () => this.#read());
    }
    this.#runs = false;
    this.#app.draw();
  }

  async #read() {
    const cut = {
      heads: [...this.heads].map(
        (one) => /** @type {[number, number]} */ (one.split('.').map(Number)),
      ),
      positions: [...this.positions].sort((one, other) => one - other),
    };
    this.after = await this.#app.calls.compare(this.before, cut);
  }
}
