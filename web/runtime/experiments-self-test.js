/** Known answers of the module `experiments`, asked of every fresh instance as core-self-test.js asks the core's. */

/**
 * @param {import('./experiments.js').Experiments} experiments
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestExperiments(experiments) {
  const { cell_path_ends: cell, attention_ends: attention } = experiments.gradientReach({
    n: 1,
    lengths: [4],
    seeds: 0,
    forget_gate: 0.5,
  });
  if (!(Math.abs(cell[0] - 0.0625) < 1e-15)) return 'a gradient along cells';
  return Math.abs(attention[0] - 0.25) < 1e-15 ? null : 'a gradient through attention';
}
