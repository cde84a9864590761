/** Writes on after the sentence, with the cache and without it: the same tokens, and what each step took. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { generateView } from './generate.view.js';
import { Numbers } from './numbers.js';

/**
 * @typedef {object} Run
 * @property {import('./model-calls.js').Token[]} tokens
 * @property {number[]} times  Milliseconds of each step.
 * @property {import('../../runtime/running-model.js').TakeRun} [prompt]  Who took the prompt in.
 */

const rules = () => ({
  count: { name: msg('Tokens'), min: 2, max: 64, integer: true },
  temperature: {
    ...{ name: msg('Temperature'), min: 0, max: 5 },
    hint: msg('0 takes the likeliest'),
  },
  top_k: { name: msg('Top k'), min: 0, max: 1000, integer: true, hint: msg('0 takes all') },
  top_p: { name: msg('Top p'), min: 0.05, max: 1 },
  seed: { name: msg('Seed'), min: 0, max: 999_999, integer: true },
});

const OPENING = { count: 24, temperature: 0, top_k: 0, top_p: 1, seed: 1 };

export class Generate {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  /** Who is to take the prompt in. */
  backend = 'auto';
  /** @type {import('./model-calls.js').Token[]} */
  prompt = [];
  /** @type {Run | undefined} */
  cached;
  /** @type {Run | undefined} */
  uncached;
  /** @type {import('./model-calls.js').CacheSize | undefined} */
  cache;
  message = '';
  /** How far the run is. @type {{ way: 'cached' | 'uncached', done: number, all: number }} */
  #at;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
    this.numbers = new Numbers('generate', rules, OPENING, () => app.draw());
  }

  view = () => generateView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, message: '', prompt: [] });
    this.#forget();
  }

  follow({ tokens }) {
    this.prompt = tokens;
    this.message = '';
    this.#forget();
  }

  #forget() {
    Object.assign(this, { cached: undefined, uncached: undefined, cache: undefined });
  }

  /** @param {string} backend */
  choose(backend) {
    this.backend = backend;
  }

  /** Whether both runs are there and wrote the same. */
  get areSame() {
    const [one, other] = [this.cached, this.uncached].map((run) => run?.tokens.map(({ id }) => id));
    return one?.length === other?.length && one?.every((id, at) => id === other[at]);
  }

  run() {
    const numbers = this.numbers.take();
    if (!numbers) return undefined;
    const { count, ...sampling } = numbers;
    return this.#app.use(this, async (signal) => {
      this.#forget();
      const { prompt, backend } = this;
      for (const way of /** @type {const} */ (['cached', 'uncached'])) {
        const run = { tokens: [], times: [] };
        this[way] = run;
        const all = Math.min(count, this.cached.tokens.length || count);
        this.#tell(way, 0, all);
        const options = { count: all, sampling, cached: way === 'cached', backend };
        for await (const step of this.#app.calls.generate(prompt, options)) {
          if (signal.aborted) return;
          run.prompt ??= step.prompt;
          run.tokens.push(step.token);
          run.times.push(step.ms);
          this.#tell(way, run.tokens.length, all);
        }
        if (signal.aborted) return;
        if (way === 'cached') this.cache = await this.#app.calls.cacheSize();
      }
      this.message = msg('Done.');
    });
  }

  #tell(way, done, all) {
    this.#at = { way, done, all };
    const [number, most] = [done, all].map(formatCount);
    this.message =
      way === 'cached'
        ? msg(str`With the cache: token ${number} of ${most}`)
        : msg(str`Without the cache: token ${number} of ${most}`);
    this.#app.draw();
  }

  stopped() {
    const { way, done, all } = this.#at;
    const [number, most] = [done, all].map(formatCount);
    this.message =
      way === 'cached'
        ? msg(
            str`Stopped: with the cache ${number} of ${most} tokens were written, without it none.`,
          )
        : msg(
            str`Stopped: without the cache ${number} of ${most} tokens were written, with it all.`,
          );
  }
}
