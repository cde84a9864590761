/** Brings a model into the page: from a named address, any other, or files of the reader's own. */
import { canKeep, forgetModel, keptModels } from '../../runtime/model-files/kept.js';
import { addressOf, partsOfAddress, partsOfFiles } from '../../runtime/model-files/parts.js';
import { RemoteModel, canGoOn } from '../../runtime/remote-model.js';
import { msg, str } from '../../shared/language.js';
import { formatDecimalBytes } from '../../shared/number.js';
import { problemOf } from './app.js';
import { bringView } from './bring.view.js';

/** The name of a file, at the end of an address. @param {string} typed */
const lastOf = (typed) =>
  typed
    .trim()
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1) || typed;

export class Bring {
  #app;
  /** What is on its way, or was when it stopped. @type {import('../../runtime/remote-model.js').Bringing | undefined} */
  #bringing;
  /** The thread that it comes into; the one with the model that is in use is another. @type {RemoteModel | undefined} */
  #remote;
  /** @type {AbortController | undefined} */
  #stop;
  /** @type {'idle' | 'opening' | 'loading' | 'stopped'} */
  phase = 'idle';
  /** Whether going on may help where it stopped. */
  canGoOn = false;
  /** @type {import('./app.js').Problem | undefined} */
  problem;
  /** What is spoken and shown of how far it is. */
  message = '';
  progress = { loaded: 0, total: 0 };
  /** What was asked for last, for the link that downloads it. @type {string | undefined} */
  address;
  typed = '';
  keeps = false;
  canKeep = canKeep();
  /** @type {import('../../runtime/model-files/kept.js').KeptSize[]} */
  kept = [];
  /** What is on its way, as the reader calls it. */
  name = '';

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  view = () => bringView(this, this.#app);

  async start() {
    await this.#lookAtKept();
    this.#app.draw();
  }

  async #lookAtKept() {
    // A browser may refuse its storage to a page; then there is nothing.
    this.kept = await keptModels().catch(() => []);
  }

  /** @param {string} value */
  type(value) {
    this.typed = value;
  }

  /** @param {boolean} keeps */
  agree(keeps) {
    this.keeps = keeps;
    this.#app.draw();
  }

  /** Whether something was begun that is not there. */
  get isUnsettled() {
    return this.phase !== 'idle' || this.problem !== undefined;
  }

  /** @param {string} typed */
  async fetch(typed) {
    this.address = undefined;
    await this.#open(lastOf(typed), (signal) => {
      this.address = addressOf(typed);
      return partsOfAddress(typed, {
        signal,
        keep: this.keeps,
        onFull: () => {
          this.full = true;
        },
      });
    });
  }

  /** @param {readonly File[]} files */
  async choose(files) {
    this.address = undefined;
    if (files.length > 0) {
      await this.#open(files.map(({ name }) => name).join(', '), () => partsOfFiles(files));
    }
  }

  /**
   * @param {string} name  What it is called until it says so itself.
   * @param {(signal: AbortSignal) => any} find
   */
  async #open(name, find) {
    this.#drop();
    const stop = new AbortController();
    this.#stop = stop;
    this.name = name;
    Object.assign(this, { problem: undefined, full: false, canGoOn: false, phase: 'opening' });
    this.progress = { loaded: 0, total: 0 };
    this.message = msg('Looking for the file.');
    this.#app.draw();
    try {
      const parts = await find(stop.signal);
      stop.signal.throwIfAborted();
      this.name = parts.name;
      this.#remote = new RemoteModel();
      this.#bringing = this.#remote.bringing(parts);
      await this.#run(stop);
    } catch (error) {
      this.#failed(error, stop);
    }
  }

  async goOn() {
    const stop = new AbortController();
    this.#stop = stop;
    this.problem = undefined;
    try {
      await this.#run(stop);
    } catch (error) {
      this.#failed(error, stop);
    }
  }

  /** @param {AbortController} stop */
  async #run(stop) {
    this.phase = 'loading';
    this.#app.draw();
    const onProgress = (progress) => {
      this.progress = progress;
      this.#tell();
    };
    const about = await this.#bringing.run({ onProgress, signal: stop.signal });
    Object.assign(this, { phase: 'idle', canGoOn: false });
    const { name } = this;
    const size = formatDecimalBytes(this.progress.total);
    this.message = msg(str`${name} is here: ${size}.`);
    const remote = this.#remote;
    this.#remote = undefined;
    this.#app.modelIsHere(remote, about, name);
    await this.#lookAtKept();
    this.#app.draw();
  }

  /** What was on its way goes no further, and what came of it is given back. */
  #drop() {
    this.#stop?.abort();
    this.#free();
  }

  #free() {
    this.#remote?.close();
    this.#remote = undefined;
  }

  #tell() {
    const { name, progress } = this;
    const [loaded, total] = [progress.loaded, progress.total].map(formatDecimalBytes);
    this.message = msg(str`${name}: ${loaded} of ${total}`);
    this.#app.draw();
  }

  #failed(error, stop) {
    // Another model was asked for meanwhile.
    if (this.#stop !== stop) return;
    const wasOpening = this.phase === 'opening';
    this.canGoOn = !wasOpening && canGoOn(error);
    this.phase = this.canGoOn ? 'stopped' : 'idle';
    if (!this.canGoOn) this.#free();
    const { name } = this;
    if (stop.signal.aborted) {
      this.message = this.canGoOn ? msg('Stopped. What came is kept.') : msg('Stopped.');
    } else {
      this.message = '';
      const lead = this.canGoOn
        ? msg(str`${name} is not here as a whole.`)
        : msg(str`${name} could not be opened.`);
      this.problem = problemOf(error, lead);
    }
    this.#lookAtKept().then(() => this.#app.draw());
    this.#app.draw();
  }

  cancel() {
    this.#stop?.abort();
  }

  /** The model that is in use goes. */
  letGo() {
    const { name } = this.#app;
    this.#app.letGo();
    this.message = msg(str`${name} was let go: its memory is free again.`);
    document.getElementById('bring-title')?.focus();
  }

  /** @param {string} address */
  async forget(address) {
    await forgetModel(address);
    await this.#lookAtKept();
    this.message = msg('Forgotten: its room is free again.');
    this.#app.draw();
  }
}
