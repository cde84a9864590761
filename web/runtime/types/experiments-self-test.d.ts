/** Known answers of the module `experiments`, asked of every fresh instance as core-self-test.js asks the core's. */
/**
 * @param {import('./experiments.js').Experiments} experiments
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestExperiments(experiments: import("./experiments.js").Experiments): string | null;
