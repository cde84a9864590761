/** What the sections share: the model in its thread, and whose turn it is. One sentence at a time is in its cache. */
import { RemoteModel } from '../../runtime/remote-model.js';
import { languageOf } from '../../shared/language.js';
import { Bring } from './bring.js';
import { Cut } from './cut.js';
import { Evict } from './evict.js';
import { Generate } from './generate.js';
import { ModelCalls } from './model-calls.js';
import { Pair } from './pair.js';
import { Sentence } from './sentence.js';

/**
 * @typedef {object} Problem  What went wrong, where it is shown.
 * @property {string} message
 * @property {string} [lang]
 *
 * @param {any} error
 * @returns {Problem}
 */
export const problemOf = (error) => ({ message: error.message, lang: languageOf(error) });

export class App {
  #draw;
  #waits = false;
  /** @type {RemoteModel | undefined} */
  #remote;
  /** What the model is, once there is one. @type {import('./model-calls.js').About | undefined} */
  about;
  /** @type {ModelCalls} */
  calls;
  /** Who has the model now, and how it is stopped. @type {{ who: object, stop: AbortController } | undefined} */
  busy;

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
    this.bringing = new Bring(this);
    this.sentence = new Sentence(this);
    this.sections = [
      this.sentence,
      new Cut(this),
      new Generate(this),
      new Evict(this),
      new Pair(this),
    ];
  }

  async start() {
    this.draw();
    await this.bringing.start();
  }

  /** Once before the next frame, however often it is asked for. */
  draw() {
    if (this.#waits) return;
    this.#waits = true;
    queueMicrotask(() => {
      this.#waits = false;
      this.#draw();
    });
  }

  /** The thread for a model that comes; the model before goes. */
  freshRemote() {
    this.#remote?.close();
    this.about = undefined;
    this.#remote = new RemoteModel();
    return this.#remote;
  }

  /** @param {any} about  What the thread says of the model that is there now. */
  modelIsHere(about) {
    this.calls = new ModelCalls(this.#remote, about);
    this.about = about;
    for (const section of this.sections) section.reset();
    this.draw();
  }

  /**
   * The model for one section. What goes wrong is the section's `problem`; a stop is none.
   * @param {{ problem?: Problem }} who
   * @param {(signal: AbortSignal) => Promise<void>} task
   */
  async use(who, task) {
    if (this.busy) return;
    const stop = new AbortController();
    const remote = this.#remote;
    this.busy = { who, stop };
    who.problem = undefined;
    this.draw();
    try {
      await task(stop.signal);
    } catch (error) {
      // Another model has taken the place of the one that was asked.
      if (this.#remote !== remote) return;
      if (!stop.signal.aborted) who.problem = problemOf(error);
      if (error.code === 'aborted') {
        // The model is gone, and the sections with it.
        this.about = undefined;
        this.bringing.problem = problemOf(error);
      }
    } finally {
      this.busy = undefined;
      this.draw();
      for (const section of this.sections) section.whenFree?.();
    }
  }
}
