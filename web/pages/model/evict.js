/** Reads a text token by token with a cache that forgets, and measures what that costs. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { evictView } from './evict.view.js';
import { Numbers } from './numbers.js';

/** Our own, long enough to leave a window behind. */
const TEXT =
  'A lecture hall fills slowly. The first students take the back rows, because from there the door is close and the board is far. ' +
  'Then the speaker opens a window, tests the microphone, and writes one question on the board: what may a word forget? ' +
  'Nobody answers. A phone rings and is silenced. The speaker smiles and says that the question will come back at the end of the hour, ' +
  'when the board is full of numbers, and that by then the first word of the hour will still be needed, although nobody will remember it.';

const rules = () => ({
  window: { name: msg('Last tokens kept'), min: 4, max: 256, integer: true },
  sinks: { name: msg('First tokens pinned'), min: 1, max: 16, integer: true },
});

export class Evict {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  text = TEXT;
  message = '';
  /** How far the run is: which one, and its token. */
  #at = { run: 1, done: 0, all: 0 };
  /** @type {import('./model-calls.js').Evicted[]} */
  runs = [];

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
    this.numbers = new Numbers('evict', rules, { window: 32, sinks: 4 }, () => app.draw());
  }

  view = () => evictView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, message: '', runs: [] });
  }

  type(text) {
    this.text = text;
  }

  run() {
    const numbers = this.numbers.take();
    if (!numbers) return undefined;
    const { window: kept, sinks } = numbers;
    return this.#app.use(this, async (signal) => {
      this.runs = [];
      this.#at = { run: 1, done: 0, all: 0 };
      const { calls } = this.#app;
      const tokens = await calls.tokens(this.text);
      this.#at.all = tokens.length;
      if (signal.aborted) return;
      const most = formatCount(512);
      if (tokens.length <= kept + sinks || tokens.length > 512) {
        const least = formatCount(kept + sinks);
        throw new Error(msg(str`Take a text of more than ${least} and at most ${most} tokens.`));
      }
      const ways = [
        { kind: 'whole' },
        { kind: 'window', kept: kept + sinks, sinks: 0 },
        { kind: 'sinks', kept, sinks },
      ];
      for (const way of ways) {
        const onToken = (at) => {
          this.#at = { run: this.runs.length + 1, done: at + 1, all: tokens.length };
          const [run, done, all] = this.#told();
          this.message = msg(str`Run ${run} of 3: token ${done} of ${all}`);
          this.#app.draw();
        };
        const run = await calls.evicting(tokens, way, { from: kept + sinks, onToken, signal });
        if (signal.aborted) return;
        this.runs = [...this.runs, { ...way, ...run }];
        this.#app.draw();
      }
      this.message = msg('Done.');
    });
  }

  #told() {
    const { run, done, all } = this.#at;
    return [run, done, all].map(formatCount);
  }

  stopped() {
    const [run, done, all] = this.#told();
    this.message = msg(str`Stopped in run ${run} of 3, at token ${done} of ${all}.`);
  }
}
