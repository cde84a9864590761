/** The exercises of the lab: along the lecture, with training, which needs all of it, at the end. */
import allQueries from './all-queries.js';
import bill from './bill.js';
import cache from './cache.js';
import heads from './heads.js';
import masks from './masks.js';
import root from './root.js';
import rope from './rope.js';
import softDictionary from './soft-dictionary.js';
import teach from './teach.js';
import wayBack from './way-back.js';

/**
 * What is read (title, task, hint, the remarks in the programs) is in the language that is spoken when it is asked for;
 * the programs themselves are the same in every language.
 * @typedef {object} Exercise
 * @property {string} id
 * @property {string} title
 * @property {number} slide  To which it belongs.
 * @property {('core' | 'experiments' | 'layer' | 'bill')[]} modules  What the check computes with, and the student may.
 * @property {string} call  The name of the function that the student writes.
 * @property {string[]} task  Paragraphs; code stands between backticks.
 * @property {string} code  To start from.
 * @property {string} hint
 * @property {string} solution
 * @property {'training'} [picture]  What is drawn of a right answer.
 * @property {(modules: any, seed: number) => any[]} inputs  What the function is called with, each once: first a fixed
 *   example, mostly the lecture's, then drawn ones, so that an answer written down is not enough.
 * @property {(modules: any, input: any, result: unknown) => string | null} check  null when the C++ gives the same, else
 *   what is wrong.
 */

/** @type {readonly Exercise[]} */
export const exercises = Object.freeze([
  softDictionary,
  allQueries,
  root,
  wayBack,
  masks,
  rope,
  heads,
  bill,
  cache,
  teach,
]);
