/** The trophy and the suitcase: one adjective, and what the model then takes for the answer. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { pairView } from './pair.view.js';

const ADJECTIVES = ['large', 'small'];
const sentenceOf = (adjective) =>
  `The trophy would not fit in the brown suitcase because it was too ${adjective}. So the thing that was too ${adjective} was the`;
const ANSWERS = [' trophy', ' suitcase'];

export class Pair {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  message = '';
  /** @type {import('./model-calls.js').Asked[]} */
  asked = [];

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => pairView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, message: '', asked: [] });
  }

  run() {
    return this.#app.use(this, async (signal) => {
      this.asked = [];
      for (const adjective of ADJECTIVES) {
        this.message = msg(str`Asking with “${adjective}”.`);
        this.#app.draw();
        const answer = await this.#app.calls.ask(sentenceOf(adjective), ANSWERS);
        if (signal.aborted) return;
        this.asked = [...this.asked, { adjective, ...answer }];
        this.#app.draw();
      }
      this.message = '';
    });
  }

  stopped() {
    const [done, all] = [this.asked.length, ADJECTIVES.length].map(formatCount);
    this.message = msg(str`Stopped: ${done} of ${all} questions were answered.`);
  }
}
