/** The smallest runner that the suites need: named checks, a time limit each, TAP out, a count at the end. */

const LIMIT_MS = 120_000;

/** Fails with the list of what was found, when there is any. */
export function none(found) {
  const lines = [...new Set(found)];
  if (lines.length > 0) throw new Findings(`${lines.length} found:\n${lines.join('\n')}`);
}

/** Tries again until it does not throw, for some seconds at most: for what one window tells another. */
export async function eventually(run, seconds = 20) {
  const end = performance.now() + 1000 * seconds;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

class Findings extends Error {
  code = 'ERR_ASSERTION';
}

export class Runner {
  #checks = [];
  #only;
  #results = [];
  #out;

  /** @param {{only?: string, out?: (line: string) => void}} [options] `only` keeps names that contain it */
  constructor({ only, out = console.log } = {}) {
    this.#only = only;
    this.#out = out;
  }

  /** Adds a check. `run` fails by throwing. */
  check(name, run, { limit = LIMIT_MS } = {}) {
    if (!this.#only || name.includes(this.#only)) this.#checks.push({ name, run, limit });
  }

  /**
   * Adds checks that are tried one after another on what `within` makes for them, since it is dear to make: it calls what it
   * is given. After a check that failed it is made anew for those that are left.
   * @param {{name: string, run: (...given: unknown[]) => Promise<void>, limit?: number}[]} checks
   * @param {(use: (...given: unknown[]) => Promise<void>) => Promise<void>} within
   */
  series(checks, within) {
    const wanted = checks.filter(({ name }) => !this.#only || name.includes(this.#only));
    if (wanted.length > 0) this.#checks.push({ wanted, within });
  }

  /** Runs what was added since the last call, a few at a time. */
  async run({ together = 1 } = {}) {
    const waiting = this.#checks.splice(0);
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await (next.wanted ? this.#inTurn(next) : this.#one(next));
    };
    await Promise.all(Array.from({ length: together }, worker));
  }

  async #inTurn({ wanted, within }) {
    const left = [...wanted];
    while (left.length > 0) {
      const before = left.length;
      try {
        await within(async (...given) => {
          while (left.length > 0) {
            const { name, run, limit = LIMIT_MS } = left.shift();
            const passed = await this.#one({ name, run: () => run(...given), limit });
            if (!passed) throw new Error(`${name} failed`);
          }
        });
      } catch (error) {
        // What failed is reported; but that which cannot even be begun is a failure of the next one.
        if (left.length === before) this.#report(left.shift().name, error, performance.now());
      }
    }
  }

  /** Returns whether it passed. */
  async #one({ name, run, limit }) {
    const began = performance.now();
    let timer;
    try {
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`took longer than ${limit / 1000} s`)), limit);
      });
      await Promise.race([run(), late]);
      this.#report(name, undefined, began);
      return true;
    } catch (error) {
      this.#report(name, error, began);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  #report(name, error, began) {
    this.#results.push({ name, passed: !error });
    const number = this.#results.length;
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    this.#out(`${error ? 'not ok' : 'ok'} ${number} - ${name} # ${took}`);
    if (!error) return;
    const text = error.code === 'ERR_ASSERTION' ? error.message : (error.stack ?? String(error));
    for (const line of text.split('\n').slice(0, 40)) this.#out(`  # ${line.slice(0, 400)}`);
  }

  /** Prints the plan and the count; returns whether all passed. A run without a single check has not passed. */
  finish() {
    const failed = this.#results.filter(({ passed }) => !passed);
    this.#out(`1..${this.#results.length}`);
    for (const { name } of failed) this.#out(`# failed: ${name}`);
    this.#out(`# ${this.#results.length - failed.length} passed, ${failed.length} failed`);
    return failed.length === 0 && this.#results.length > 0;
  }
}
