/** What the sections share: the model in its thread, and whose turn it is. One sentence at a time is in its cache. */
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
 * @property {string} [lead]  What it means for the page, in its own language.
 *
 * @param {any} error
 * @param {string} [lead]
 * @returns {Problem}
 */
export const problemOf = (error, lead) => ({
  message: error.message,
  lang: languageOf(error),
  lead,
});

export class App {
  #draw;
  #waits = false;
  /** @type {import('../../runtime/remote-model.js').RemoteModel | undefined} */
  #remote;
  /** What the model is, once there is one. @type {import('./model-calls.js').About | undefined} */
  about;
  /** The file that it came from. */
  name = '';
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

  /**
   * A model has come whole, in a thread of its own: the one before goes, and whatever was asked of it ends.
   * @param {import('../../runtime/remote-model.js').RemoteModel} remote
   * @param {any} about  What the thread says of it.
   * @param {string} name
   */
  modelIsHere(remote, about, name) {
    this.letGo();
    this.#remote = remote;
    this.calls = new ModelCalls(remote, about);
    Object.assign(this, { about, name });
    for (const section of this.sections) section.reset();
    this.draw();
  }

  /** Whoever has the model comes to an end after the step that has begun. */
  stop() {
    this.busy?.stop.abort();
    this.draw();
  }

  /** The model goes, and its memory with it. */
  letGo() {
    const remote = this.#remote;
    this.busy?.stop.abort();
    Object.assign(this, { about: undefined, name: '', busy: undefined });
    this.#remote = undefined;
    remote?.close();
    this.draw();
  }

  /**
   * The model for one section. What goes wrong is the section's `problem`; a stop is none, and the section says how far
   * it came.
   * @param {{ problem?: Problem, message?: string, stopped?: () => void }} who
   * @param {(signal: AbortSignal) => Promise<void>} task
   */
  async use(who, task) {
    if (this.busy) return;
    const mine = { who, stop: new AbortController() };
    this.busy = mine;
    Object.assign(who, { problem: undefined, message: '' });
    this.draw();
    try {
      await task(mine.stop.signal);
      if (this.busy === mine) this.#end(mine);
    } catch (error) {
      if (this.busy === mine) this.#end(mine, error);
    }
    // Otherwise another model has taken the place of the one that was asked, and the sections with it.
  }

  /**
   * @param {{ who: any, stop: AbortController }} mine
   * @param {any} [error]
   */
  #end({ who, stop }, error) {
    this.busy = undefined;
    if (stop.signal.aborted) {
      who.stopped?.();
    } else if (error) {
      Object.assign(who, { problem: problemOf(error), message: '' });
    }
    if (error?.code === 'aborted') {
      // The model is gone, and the sections with it.
      this.letGo();
      this.bringing.problem = problemOf(error);
    }
    this.draw();
    for (const section of this.sections) section.whenFree?.();
  }
}
