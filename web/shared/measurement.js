/**
 * Something timed on the reader's machine, one task after another, so that the page stays alive between them. What
 * comes out is data, not state: no link carries it, and another machine gets its own.
 */

/** Tasks before it stops at once; the page draws and answers in between. */
const BREATHE_MS = 30;

const append = (results, result) => [...results, result];

export class Measurement {
  #changed;
  #running;
  #results = [];

  /** @param {() => void} changed called when a task is done, and when it starts or stops */
  constructor(changed) {
    this.#changed = changed;
  }

  /** What has been measured so far, in the order of the tasks. */
  get results() {
    return this.#results;
  }

  /** `{done, total, what}` while it runs. */
  get progress() {
    return this.#running && { ...this.#running.progress };
  }

  /**
   * @param {{tasks: object[], run: (task: object, results: object[]) => Promise<object>, close: () => void,
   *   keep?: (results: object[], result: object) => object[]}} plan `run` does one task and gives what is to be kept;
   *   `keep` puts it among the results, behind all others unless told; `close` gives back what the tasks shared, however
   *   they end.
   * @throws what a task failed with, unless it was cancelled before
   */
  async start({ tasks, run, close, keep = append }) {
    this.clear();
    const running = { progress: { done: 0, total: tasks.length, what: tasks[0]?.what } };
    this.#running = running;
    this.#changed();
    const isGoingOn = () => this.#running === running;
    try {
      for (const [done, task] of tasks.entries()) {
        running.progress = { done, total: tasks.length, what: task.what };
        this.#changed();
        await new Promise((resolve) => setTimeout(resolve, BREATHE_MS));
        if (!isGoingOn()) break;
        const result = await run(task, this.#results);
        if (!isGoingOn()) break;
        this.#results = keep(this.#results, result);
      }
    } catch (error) {
      if (isGoingOn()) throw error;
    } finally {
      if (isGoingOn()) this.stop();
      close();
    }
  }

  stop() {
    if (!this.#running) return;
    this.#running = undefined;
    this.#changed();
  }

  /** Forgets what was measured: it belongs to a state that is left. */
  clear() {
    this.#results = [];
    this.stop();
  }
}
