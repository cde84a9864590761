/** Writes on after the sentence, with the cache and without it: the same tokens, and what each step took. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { generateView } from './generate.view.js';

/**
 * @typedef {object} Run
 * @property {import('./model-calls.js').Token[]} tokens
 * @property {number[]} times  Milliseconds of each step.
 * @property {import('../../runtime/running-model.js').TakeRun} [prompt]  Who took the prompt in.
 */

export class Generate {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  count = 24;
  sampling = { temperature: 0, top_k: 0, top_p: 1, seed: 1 };
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

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
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

  /** @param {string} field @param {number} value */
  set(field, value) {
    if (field === 'count') this.count = value;
    else this.sampling = { ...this.sampling, [field]: value };
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
    return this.#app.use(this, async (signal) => {
      this.#forget();
      const { calls } = this.#app;
      const { count, sampling, prompt, backend } = this;
      for (const way of ['cached', 'uncached']) {
        const run = { tokens: [], times: [] };
        this[way] = run;
        for await (const { token, ms, prompt: taken } of calls.generate(prompt, {
          count: Math.min(count, this.cached.tokens.length || count),
          sampling,
          cached: way === 'cached',
          backend,
        })) {
          if (signal.aborted) return;
          run.prompt ??= taken;
          run.tokens.push(token);
          run.times.push(ms);
          const done = formatCount(run.tokens.length);
          const all = formatCount(count);
          this.message =
            way === 'cached'
              ? msg(str`With the cache: token ${done} of ${all}`)
              : msg(str`Without the cache: token ${done} of ${all}`);
          this.#app.draw();
        }
        if (way === 'cached') this.cache = await calls.cacheSize();
      }
      this.message = msg('Done.');
    });
  }
}
