/** The trophy and the suitcase: one adjective, and what the model then takes for the answer. */
import { pairView } from './pair.view.js';

const ADJECTIVES = ['large', 'small'];
const sentenceOf = (adjective) =>
  `The trophy would not fit in the brown suitcase because it was too ${adjective}. So the thing that was too ${adjective} was the`;
const ANSWERS = [' trophy', ' suitcase'];

export class Pair {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  /** @type {import('./model-calls.js').Asked[]} */
  asked = [];

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => pairView(this, this.#app);

  reset() {
    Object.assign(this, { problem: undefined, asked: [] });
  }

  run() {
    return this.#app.use(this, async (signal) => {
      this.asked = [];
      for (const adjective of ADJECTIVES) {
        if (signal.aborted) return;
        const answer = await this.#app.calls.ask(sentenceOf(adjective), ANSWERS);
        this.asked = [...this.asked, { adjective, ...answer }];
        this.#app.draw();
      }
    });
  }
}
