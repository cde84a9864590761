/** The sentence: its tokens, what every head looked at, what comes next. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { sentenceView } from './sentence.view.js';

/** English, as the models are. */
const EXAMPLES = [
  'The capital of France is',
  'The trophy would not fit in the brown suitcase because it was too small.',
  'red green blue yellow red green blue',
];

/** All maps of so many tokens are a few dozen megabytes. */
export const LONGEST = 128;

export class Sentence {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  text = '';
  examples = EXAMPLES;
  /** What was read last. @type {import('./model-calls.js').Reading | undefined} */
  reading;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => sentenceView(this, this.#app);

  /** A model came. */
  reset() {
    this.problem = undefined;
    this.reading = undefined;
    this.text ||= EXAMPLES[0];
    queueMicrotask(() => this.read());
  }

  /** @param {string} text */
  type(text) {
    this.text = text;
  }

  /** @param {string} text */
  readThis(text) {
    this.text = text;
    return this.read();
  }

  read() {
    return this.#app.use(this, async () => {
      const tokens = await this.#app.calls.tokens(this.text);
      if (tokens.length === 0) throw new Error(msg('Type a sentence first.'));
      const most = formatCount(LONGEST);
      const count = formatCount(tokens.length);
      if (tokens.length > LONGEST) {
        throw new Error(
          msg(str`The sentence has ${count} tokens; all maps are drawn for at most ${most}.`),
        );
      }
      this.reading = await this.#app.calls.read(tokens);
      await import('../../simulators/real-model/index.js');
      for (const section of this.#app.sections) section.follow?.(this.reading);
    });
  }
}
