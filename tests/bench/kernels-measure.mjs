/** Shapes by libraries in one interleaved run: first each result is compared, then all are timed in turn. */
import { BOUND } from '../../web/pages/bench/difference.js';
import { bestLimits } from '../../web/pages/bench/roof.js';
import { median } from '../../web/pages/bench/sampling.js';
import { flops } from '../../web/pages/bench/shapes.js';

/** Each round measures each way for at least so long. */
const SAMPLE_MS = 100;
/** What takes longer than this is measured once, after the call whose result is compared. */
const SLOW_MS = 1500;
/** What takes longer than this is measured in that call itself: getting warm is nothing beside it. */
const LONG_MS = 5000;
/** Which of a peer's ways is the quickest is settled in so long each. */
const CHOICE_MS = 50;
/**
 * @typedef {import('./kernels-libraries.mjs').Library} Library
 * @typedef {import('../../web/pages/bench/shapes.js').Shape} Shape
 *
 * @typedef {object} Result  What came of one way of one library on one shape.
 * @property {string} library
 * @property {boolean} ours
 * @property {string} way
 * @property {number} [fastest]  ms
 * @property {number} [median]  ms
 * @property {boolean} [once]  Whether it is of one call.
 * @property {number} [difference]  The largest, from the reference.
 * @property {boolean} [wrong]
 * @property {string} [error]
 * @property {number} [too_slow]  ms that it would have taken; it was not run.
 */

/** A message in a line: what a peer throws may be a page long. */
const oneLine = (error) => /^(?:Error: )*(.*)/.exec(String(error?.message ?? error))[1];

export class Measurement {
  #engine;
  #libraries;
  #rounds;
  #limit;
  #talks = new Map();
  /** Whether the shape has a result that the next ones are compared with: the first one's that could be had. */
  #hasReference = false;
  /** ms of a FLOP as last seen, by library and way: what a larger shape will take. */
  #pace = new Map();
  /** The best that was seen of each build's limits, in all rounds of all shapes. */
  limits = {};
  /** Libraries that did not open, and why. @type {Record<string, string>} */
  absent = {};
  /** What libraries tell about themselves. @type {Record<string, string>} */
  about = {};

  /**
   * @param {import('./engines.mjs').Engine} engine
   * @param {Library[]} libraries  In the order in which they are compared: the first is the reference.
   * @param {{ rounds: number, limit: number }} how  `limit`: ms that one computation may take.
   */
  constructor(engine, libraries, { rounds, limit }) {
    this.#engine = engine;
    this.#libraries = libraries;
    this.#rounds = rounds;
    this.#limit = limit;
  }

  async open() {
    for (const library of this.#libraries) {
      try {
        await this.#start(library);
      } catch (error) {
        this.absent[library.name] = oneLine(error);
      }
    }
    this.#libraries = this.#libraries.filter(({ name }) => !(name in this.absent));
  }

  async #start({ name, entry, options }) {
    const talk = await this.#engine.start(entry);
    try {
      const { about } = await talk.ask('open', { url: talk.url, options });
      if (about) this.about[name] = about;
      this.#talks.set(name, talk);
    } catch (error) {
      await talk.stop();
      throw error;
    }
  }

  async #restart(library) {
    await this.#talks.get(library.name).stop();
    await this.#start(library);
  }

  async close() {
    for (const talk of this.#talks.values()) await talk.stop();
  }

  /** The names of our builds that opened. */
  builds() {
    return this.#libraries.filter(({ ours }) => ours).map(({ name }) => name);
  }

  /** One command to one of our builds, by its name. */
  ours(name, command, parameters) {
    return this.#talks.get(name).ask(command, parameters);
  }

  #ask(library, command, parameters) {
    return this.#talks.get(library.name).ask(command, parameters);
  }

  /**
   * @param {Shape} shape
   * @returns {Promise<Result[]>}
   */
  async measure(shape) {
    this.#hasReference = false;
    const entrants = [];
    for (const library of this.#libraries) entrants.push(...(await this.#prepare(library, shape)));
    await this.#time(entrants.filter(({ samples }) => samples));
    for (const { library, result } of entrants) {
      await this.#ask(library, 'drop', { way: result.way });
    }
    for (const library of this.#libraries) {
      const failed = entrants.some(
        (entrant) => entrant.library === library && entrant.result.error,
      );
      // Nobody knows what an error has left behind.
      if (failed) await this.#restart(library);
    }
    return entrants.map(({ result }) => result);
  }

  /**
   * One way of one library by itself, its result compared with nothing.
   * @param {string} name
   * @param {string} way
   * @param {Shape} shape
   * @returns {Promise<Result>}
   */
  async alone(name, way, shape) {
    const library = this.#libraries.find((each) => each.name === name);
    await this.#ask(library, 'inputs', { shape });
    this.#hasReference = false;
    const entrant = await this.#prepareWay(library, way, shape);
    if (entrant.samples) await this.#time([entrant]);
    await this.#ask(library, 'drop', { way });
    return entrant.result;
  }

  /** All ways of ours; of a peer's the quickest right one, or else the first, with what is wrong. */
  async #prepare(library, shape) {
    await this.#ask(library, 'inputs', { shape });
    const entrants = [];
    for (const way of await this.#ask(library, 'ways', { shape })) {
      entrants.push(await this.#prepareWay(library, way, shape));
    }
    if (library.ours || entrants.length === 1) return entrants;
    for (const entrant of entrants) await this.#timeForChoice(entrant);
    entrants.sort((a, b) => (a.choice ?? Infinity) - (b.choice ?? Infinity));
    const [chosen, ...others] = entrants;
    for (const { result, choice } of others) {
      if (choice !== undefined) result.fastest = choice;
      await this.#ask(library, 'drop', { way: result.way });
    }
    chosen.result.other_ways = others.map(({ result }) => result);
    return [chosen];
  }

  async #prepareWay(library, way, shape) {
    const result = { library: library.name, ours: library.ours ?? false, way };
    const entrant = { library, result };
    const paceOf = `${library.name} ${way}`;
    const expected = (this.#pace.get(paceOf) ?? 0) * flops(shape);
    if (expected > this.#limit) {
      result.too_slow = expected;
      return entrant;
    }
    try {
      const becomesReference = !this.#hasReference;
      const cold = await this.#ask(library, 'prepare', { way, shape, becomesReference });
      this.#hasReference = true;
      result.difference = cold.difference;
      result.wrong = !(cold.difference <= BOUND);
      if (flops(shape) > 1e8) this.#pace.set(paceOf, cold.ms / flops(shape));
      const ms = cold.ms > LONG_MS ? cold.ms : (await this.#ask(library, 'warm', { way })).ms;
      if (ms > SLOW_MS) Object.assign(result, { fastest: ms, median: ms, once: true });
      else entrant.samples = [];
    } catch (error) {
      result.error = oneLine(error);
    }
    return entrant;
  }

  async #timeForChoice(entrant) {
    const { library, result, samples } = entrant;
    if (result.wrong) return;
    entrant.choice = result.fastest;
    if (!samples) return;
    const { fastest } = await this.#ask(library, 'sample', { way: result.way, least: CHOICE_MS });
    entrant.choice = fastest;
  }

  async #time(entrants) {
    for (let round = 0; round < this.#rounds; round += 1) {
      await this.#measureLimits();
      // Each round begins with another one, so that no one always runs on a hot machine.
      for (let i = 0; i < entrants.length; i += 1) {
        const { library, result, samples } = entrants[(i + round) % entrants.length];
        samples.push(await this.#ask(library, 'sample', { way: result.way, least: SAMPLE_MS }));
      }
    }
    for (const { result, samples } of entrants) {
      result.fastest = Math.min(...samples.map(({ fastest }) => fastest));
      result.median = median(samples.map((sample) => sample.median));
    }
  }

  async #measureLimits() {
    for (const library of this.#libraries.filter(({ ours }) => ours)) {
      const limits = await this.#ask(library, 'limits', { ms: SAMPLE_MS });
      if (!limits) continue;
      this.limits[library.name] = bestLimits(this.limits[library.name], limits);
    }
  }
}
