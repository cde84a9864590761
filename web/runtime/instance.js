import { AttentionDeckError } from './errors.js';

/**
 * One running module and its successors. A trap (an abort in C++, memory that cannot grow) leaves
 * WebAssembly in a state that nobody may trust, so the instance is dropped and a fresh one started;
 * whoever holds this object keeps holding it.
 */
export class Instance {
  /** @type {any} */
  #raw;
  /** @type {import('./loader.js').Variant} */
  #variant;
  #restart;
  #restarted;
  /** What stopped the module; undefined while it runs. @type {unknown} */
  #stoppedBy = undefined;
  /** @type {Promise<void> | undefined} */
  #starting = undefined;
  #life = 1;
  /** Who waits for an answer, to be told when there will be none. @type {Set<(error: Error) => void>} */
  #waiting = new Set();

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   * @param {() => void} restarted  Called when a fresh instance has taken over.
   */
  constructor(running, restart, restarted) {
    this.#raw = running.raw;
    this.#variant = running.variant;
    this.#restart = restart;
    this.#restarted = restarted;
  }

  get variant() {
    return this.#variant;
  }

  /** Another number after each restart: what was opened in an earlier life is gone. */
  get life() {
    return this.#life;
  }

  /**
   * Calls a function of the raw module. What is passed must be plain data (options.js): code of
   * the caller's that throws inside the call would unwind through C++ and leave it half done.
   * @param {string} name
   * @param {...unknown} values
   * @returns {any} What the function gives back.
   */
  call(name, ...values) {
    if (this.#stoppedBy !== undefined) {
      this.#start();
      throw stopped(this.#stoppedBy);
    }
    try {
      return this.#raw[name](...values);
    } catch (cause) {
      throw this.#stop(cause);
    }
  }

  /**
   * The same for functions that answer `{ ok, value }` or `{ ok, code, field, message }`.
   * @param {string} name
   * @param {object} options
   * @returns {any} The value.
   */
  ask(name, options) {
    return valueOf(this.call(name, options));
  }

  /**
   * The same for functions that answer with a promise. Rejects when the module stops meanwhile.
   * @param {string} name
   * @param {object} options
   * @returns {Promise<any>} The value.
   */
  async askLater(name, options) {
    /** @type {(error: Error) => void} */
    let leave = () => {};
    try {
      const answer = new Promise((resolve, reject) => {
        leave = reject;
        this.#waiting.add(leave);
        const raw = this.#raw;
        // A trap while C++ goes on after a promise would otherwise be nobody's.
        if (raw)
          raw.trapped = (/** @type {unknown} */ cause) => raw === this.#raw && this.#stop(cause);
        this.call(name, options).then(resolve, reject);
      });
      return valueOf(await answer);
    } finally {
      this.#waiting.delete(leave);
    }
  }

  /** Resolves once the module can be called; rejects when it could not be started again. */
  async whenReady() {
    if (this.#stoppedBy === undefined) return;
    this.#start();
    await this.#starting;
  }

  /**
   * Drops the instance and starts another one.
   * @param {unknown} cause
   * @returns {AttentionDeckError} What to tell.
   */
  #stop(cause) {
    this.#stoppedBy = cause ?? new Error('no reason given');
    // Its memory can be large: let it go before the next one asks for its own.
    this.#raw = undefined;
    this.#start();
    const error = stopped(this.#stoppedBy);
    for (const tell of this.#waiting) tell(error);
    return error;
  }

  #start() {
    if (this.#starting) return;
    this.#starting = this.#restart().then((running) => {
      this.#raw = running.raw;
      this.#variant = running.variant;
      this.#stoppedBy = undefined;
      this.#starting = undefined;
      this.#life += 1;
      this.#restarted();
    });
    // Told by the next call, which tries once more, and by whenReady().
    this.#starting.catch((cause) => {
      this.#stoppedBy = cause;
      this.#starting = undefined;
    });
  }
}

/** @param {any} answer */
function valueOf(answer) {
  if (answer.ok) return answer.value;
  throw new AttentionDeckError(answer.code, answer.message, { field: answer.field });
}

/** @param {unknown} cause */
function stopped(cause) {
  return new AttentionDeckError(
    'aborted',
    'The computing module stopped and is being started again; what you entered is kept. ' +
      'If this comes back, make the numbers smaller or reload the page.',
    { cause },
  );
}
