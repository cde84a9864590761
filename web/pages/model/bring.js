/** Brings a model into the page: from a named address, any other, or files of the reader's own. */
import { canKeep, forgetModel, keptModels } from '../../runtime/model-files/kept.js';
import { addressOf, partsOfAddress, partsOfFiles } from '../../runtime/model-files/parts.js';
import { canGoOn } from '../../runtime/remote-model.js';
import { msg, str } from '../../shared/language.js';
import { formatDecimalBytes } from '../../shared/number.js';
import { problemOf } from './app.js';
import { bringView } from './bring.view.js';

export class Bring {
  #app;
  /** What is on its way, or was when it stopped. @type {import('../../runtime/remote-model.js').Bringing | undefined} */
  #bringing;
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
  /** What the reader calls it. */
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

  /** @param {string} typed */
  async fetch(typed) {
    this.address = undefined;
    await this.#open((signal) => {
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
    if (files.length > 0) await this.#open(() => partsOfFiles(files));
  }

  /** @param {(signal: AbortSignal) => any} find */
  async #open(find) {
    this.#stop?.abort();
    const stop = new AbortController();
    this.#stop = stop;
    Object.assign(this, { problem: undefined, full: false, canGoOn: false, phase: 'opening' });
    this.progress = { loaded: 0, total: 0 };
    this.message = msg('Looking for the file.');
    this.#app.draw();
    try {
      const parts = await find(stop.signal);
      this.name = parts.name;
      if (stop.signal.aborted) return;
      this.#bringing = this.#app.freshRemote().bringing(parts);
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
    await this.#lookAtKept();
    this.#app.modelIsHere(about);
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
    if (stop.signal.aborted) {
      this.message = this.canGoOn ? msg('Stopped. What came is kept.') : msg('Stopped.');
    } else {
      this.message = '';
      this.problem = problemOf(error);
    }
    this.#lookAtKept().then(() => this.#app.draw());
    this.#app.draw();
  }

  cancel() {
    this.#stop?.abort();
  }

  /** @param {string} address */
  async forget(address) {
    await forgetModel(address);
    await this.#lookAtKept();
    this.message = msg('Forgotten: its room is free again.');
    this.#app.draw();
  }
}
