/** The sentence: its tokens, what every head looked at, what comes next. */
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { sentenceView } from './sentence.view.js';

const TROPHY = 'The trophy would not fit in the brown suitcase because it was too small.';

/** English, as the models are. */
const EXAMPLES = ['The capital of France is', TROPHY, 'red green blue yellow red green blue'];

/** The row that the recap reads, `attentions[5][0, 3]` of GPT-2. */
export const RECAP = { text: TROPHY, word: 'it', layer: 5, head: 3 };

/**
 * Which token ends a word of a text. A model knows a word of several tokens at its last one.
 * @param {import('./model-calls.js').Token[]} tokens
 * @param {string} word
 */
function endOf(tokens, word) {
  let text = '';
  return tokens.findIndex(({ raw }) => {
    text += raw;
    return text.endsWith(` ${word}`);
  });
}

/** All maps of so many tokens are a few dozen megabytes. */
export const LONGEST = 128;

export class Sentence {
  #app;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  message = '';
  text = '';
  examples = EXAMPLES;
  /** Where the maps are shown. @type {any} */
  maps;
  /** What was read last. @type {(import('./model-calls.js').Reading & { text: string }) | undefined} */
  reading;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => sentenceView(this, this.#app);

  /** A model came. */
  reset() {
    Object.assign(this, { problem: undefined, message: '', reading: undefined });
    this.text ||= EXAMPLES[0];
    queueMicrotask(() => this.read());
  }

  /** @param {string} text */
  type(text) {
    this.text = text;
    this.#app.draw();
  }

  /** Whether what is shown is of another text than the one in the field. */
  get isStale() {
    return this.reading !== undefined && this.reading.text !== this.text;
  }

  stopped() {
    this.message = msg('Stopped: the sentence was not read.');
  }

  /** @param {string} text */
  readThis(text) {
    this.text = text;
    return this.read();
  }

  /** Whether the model has the head that the recap reads. */
  get hasRecap() {
    const { n_layers, n_heads } = this.#app.about;
    return n_layers > RECAP.layer && n_heads > RECAP.head;
  }

  async readRecap() {
    await this.readThis(RECAP.text);
    // Another sentence, or none: it was stopped, or something went wrong.
    if (
      this.reading?.tokens
        .map(({ raw }) => raw)
        .join('')
        .trim() !== RECAP.text
    )
      return;
    await this.maps.updateComplete;
    this.maps.setState({
      ...this.maps.getState(),
      ...{ layer: RECAP.layer, head: RECAP.head, row: endOf(this.reading.tokens, RECAP.word) },
      ...{ of: 'head', show: 'weight' },
    });
    this.maps.scrollIntoView({ block: 'nearest' });
  }

  read() {
    const { text } = this;
    return this.#app.use(this, async (signal) => {
      this.message = msg('Reading the sentence.');
      const tokens = await this.#app.calls.tokens(text);
      if (signal.aborted) return;
      if (tokens.length === 0) throw new Error(msg('Type a sentence first.'));
      const most = formatCount(LONGEST);
      const count = formatCount(tokens.length);
      if (tokens.length > LONGEST) {
        throw new Error(
          msg(str`The sentence has ${count} tokens; all maps are drawn for at most ${most}.`),
        );
      }
      const reading = await this.#app.calls.read(tokens);
      await import('../../simulators/real-model/index.js');
      if (signal.aborted) return;
      Object.assign(this, { reading: { ...reading, text }, message: '' });
      for (const section of this.#app.sections) section.follow?.(this.reading);
    });
  }
}
