/**
 * One library in a thread of its own. It makes its own inputs, the same everywhere, and its result is compared in memory
 * that all workers share. A way is one of a library's manners of computing attention.
 */
import { largestDifference } from '../../web/pages/bench/difference.js';
import { inputsOf } from '../../web/pages/bench/inputs.js';
import { countFor, median, samples } from '../../web/pages/bench/sampling.js';
import { answerWith } from './answering.js';

/** A thousand ticks of the clock where pages are isolated, and in Node. */
const SAMPLE_MS = 5;

let peer;
/** The result that all others are compared with. @type {Float32Array} */
let reference;
const tasks = new Map();
let inputs;

answerWith({
  share({ memory }) {
    reference = new Float32Array(memory);
  },

  async open({ url, options }) {
    const { open } = await import(url);
    peer = await open(options);
    return { about: peer.about ?? null };
  },

  ways: ({ shape }) => peer.ways(shape),

  /** The ms that a multiply-add and a streamed byte cannot be quicker than, where the library measures them. */
  limits: ({ ms }) => peer.limits?.(ms) ?? null,

  /** The ms of another answer to n², with its operations and bytes; see answers-task.js. */
  answer: (what) => peer.answer(what),

  inputs({ shape }) {
    inputs = inputsOf(shape);
  },

  /** Computes once: how long that took, cold, and how far the result is from the reference, unless it becomes that. */
  async prepare({ way, shape, becomesReference }) {
    const task = await peer.prepare(way, shape, inputs);
    tasks.set(way, { ...task, count: 1 });
    const ms = await task.run(1);
    const output = await task.output();
    if (becomesReference) reference.set(output);
    const right = reference.subarray(0, output.length);
    return { ms, difference: largestDifference(output, right) };
  },

  /** Settles how many computations make a sample, warm by then: the ms of one. */
  async warm({ way }) {
    const task = tasks.get(way);
    const { count, ms } = await countFor(task.run, SAMPLE_MS);
    task.count = count;
    return { ms };
  },

  async sample({ way, least }) {
    const { run, count } = tasks.get(way);
    const all = await samples(run, { count, least });
    return { fastest: Math.min(...all), median: median(all) };
  },

  async drop({ way }) {
    await tasks.get(way)?.close();
    tasks.delete(way);
  },
});
