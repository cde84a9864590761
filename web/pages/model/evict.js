/** Reads a text token by token with a cache that forgets, and measures what that costs. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { evictView } from './evict.view.js';

/** Our own, long enough to leave a window behind. */
const TEXT =
  'A lecture hall fills slowly. The first students take the back rows, because from there the door is close and the board is far. ' +
  'Then the speaker opens a window, tests the microphone, and writes one question on the board: what may a word forget? ' +
  'Nobody answers. A phone rings and is silenced. The speaker smiles and says that the question will come back at the end of the hour, ' +
  'when the board is full of numbers, and that by then the first word of the hour will still be needed, although nobody will remember it.';

export class Evict {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  text = TEXT;
  window = 32;
  sinks = 4;
  message = '';
  /** @type {import('./model-calls.js').Evicted[]} */
  runs = [];

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => evictView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, message: '', runs: [] });
  }

  type(text) {
    this.text = text;
  }

  set(field, value) {
    this[field] = value;
  }

  run() {
    return this.#app.use(this, async (signal) => {
      this.runs = [];
      const { calls } = this.#app;
      const tokens = await calls.tokens(this.text);
      const { window: kept, sinks } = this;
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
      const all = formatCount(tokens.length);
      for (const way of ways) {
        const onToken = (at) => {
          const done = formatCount(at);
          const number = formatCount(this.runs.length + 1);
          this.message = msg(str`Run ${number} of 3: token ${done} of ${all}`);
          this.#app.draw();
        };
        const run = await calls.evicting(tokens, way, { from: kept + sinks, onToken, signal });
        if (signal.aborted) {
          this.message = msg('Stopped.');
          return;
        }
        this.runs = [...this.runs, { ...way, ...run }];
        this.#app.draw();
      }
      this.message = msg('Done.');
    });
  }
}
