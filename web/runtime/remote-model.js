import { AttentionDeckError } from './errors.js';
import { fillLoader } from './model-files/fill.js';
import { RangeReader } from './model-files/range-reader.js';

/**
 * A model in a worker: what it answers comes as promises, in the order of the calls, and its arrays move over.
 *
 * @typedef {import('./model-files/parts.js').ModelParts} ModelParts
 * @typedef {import('./model-files/fill.js').BytesProgress} BytesProgress
 * @typedef {import('./model-files/range-reader.js').Patience} Patience
 * @typedef {import('./model-calls.js').Answer} Answer
 *
 * @typedef {object} RemotePort  A worker, or one end of a channel.
 * @property {(message: any, transfer: Transferable[]) => void} postMessage
 * @property {(type: string, listen: (event: any) => void) => void} addEventListener
 * @property {() => void} [terminate]
 */

/** @param {import('./model-calls.js').ToldError} told */
function revived({ name, message, code, field }) {
  if (code !== undefined) {
    return new AttentionDeckError(/** @type {import('./errors.js').ErrorCode} */ (code), message, {
      field,
    });
  }
  return Object.assign(new Error(message), { name });
}

const ended = (/** @type {unknown} */ cause) =>
  new AttentionDeckError(
    'aborted',
    'The thread that runs the model ended, and the model with it. Bring the model again; a smaller one if this comes back.',
    { cause },
  );

export class RemoteModel {
  #port;
  #next = 1;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** What ended it. @type {Error | undefined} */
  #ended;

  /** @param {RemotePort} [port] A worker of its own unless told. */
  constructor(port = newWorker()) {
    this.#port = port;
    port.addEventListener('message', ({ data }) => this.#hear(data));
    port.addEventListener('error', ({ message }) => this.#end(ended(message)));
    port.addEventListener('messageerror', () => this.#end(ended('messageerror')));
  }

  /**
   * A model on its way into memory; another one takes the place of the one before.
   * @param {ModelParts} parts
   * @param {Patience} [patience]
   */
  bringing(parts, patience) {
    return new Bringing(this, parts, patience);
  }

  /**
   * A call of the model (running-model.js), answered when it is done.
   * @param {string} name
   * @param {...any} args
   * @returns {Promise<any>}
   */
  async ask(name, ...args) {
    return (await this.timed(name, ...args)).value;
  }

  /**
   * The same, with the milliseconds that the call itself took.
   * @param {string} name
   * @param {...any} args
   * @returns {Promise<{ value: any, ms: number }>}
   */
  timed(name, ...args) {
    return this.#send('ask', [name, ...args]);
  }

  /**
   * [vocab_size] The probability of each id as the next one.
   * @returns {Promise<Float64Array>}
   */
  distribution() {
    return this.send('distribution', []);
  }

  /**
   * For this file alone.
   * @param {string} call
   * @param {any[]} args
   * @param {Transferable[]} [transfer]
   * @returns {Promise<any>}
   */
  async send(call, args, transfer = []) {
    return (await this.#send(call, args, transfer)).value;
  }

  /**
   * @param {string} call
   * @param {any[]} args
   * @param {Transferable[]} [transfer]
   * @returns {Promise<{ value: any, ms: number }>}
   */
  #send(call, args, transfer = []) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, call, args }, transfer);
    });
  }

  /** Ends the thread, in the middle of a call if need be, and gives all memory back. */
  close() {
    this.#port.terminate?.();
    this.#end(ended('closed'));
  }

  /** @param {Answer} answer */
  #hear({ id, value, ms = 0, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(revived(error));
    else waiting?.resolve({ value, ms });
  }

  /** @param {Error} error */
  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

/** A model on its way: what came of it stays in the worker until all is there. */
export class Bringing {
  #remote;
  #parts;
  #readings;
  /** @type {{ wanted?: import('./model-files/fill.js').WantedBytes } | undefined} */
  #state;

  /**
   * @param {RemoteModel} remote
   * @param {ModelParts} parts
   * @param {Patience} [patience]
   */
  constructor(remote, parts, patience) {
    this.#remote = remote;
    this.#parts = parts;
    this.#readings = parts.files.map((file) => new RangeReader(file, patience));
  }

  get name() {
    return this.#parts.name;
  }

  /**
   * Brings the rest. After a lost connection or an abort the same call goes on; after an error in the file nothing does.
   * @param {{ onProgress?: (progress: BytesProgress) => void, signal?: AbortSignal } &
   *   { model?: import('./model-loading.js').ModelOptions }} [options]
   * @returns {Promise<import('./running-model.js').ModelSizes>} What the model is.
   */
  async run({ onProgress, signal, model } = {}) {
    const { form, files, config, tokenizer } = this.#parts;
    this.#state ??= await this.#remote.send('open', [
      { form, file_bytes: files.map(({ bytes }) => bytes), config, tokenizer },
    ]);
    const loader = {
      wanted: () => this.#state?.wanted,
      give: async (/** @type {Uint8Array} */ bytes) => {
        this.#state = await this.#remote.send('give', [bytes], [bytes.buffer]);
      },
    };
    await fillLoader(loader, this.#readings, { onProgress, signal });
    return this.#remote.send('finish', [model]);
  }
}

/** @returns {RemotePort} */
const newWorker = () =>
  new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module' });

/**
 * Whether going on may help: what came is kept.
 * @param {unknown} error
 */
export function canGoOn(error) {
  const { name, code = '' } = /** @type {{ name?: string, code?: string }} */ (error);
  return name === 'AbortError' || ['source_lost', 'source_unreachable'].includes(code);
}
