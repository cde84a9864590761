/** Known answers of the module `decode`, asked of every fresh instance as core-self-test.js asks the core's. */

/** Two steps: the second attends over two tokens. Sums in another order leave the logits apart by less than this. */
const steps = 2;
const apart = 1e-3;

/**
 * @param {import('./decode.js').Decode} decode
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestDecode(decode) {
  const { with_cache, without_cache } = decode.tokenPasses({ n: 4 });
  if (with_cache !== 4 || without_cache !== 10) return 'the token passes';
  const run = decode.decodeRun({ n: steps });
  for (let step = 0; step < steps; step += 1) {
    run.stepWith();
    run.stepWithout();
  }
  const { same_tokens, largest_difference } = run.state();
  run.close();
  // Written so that NaN fails.
  return same_tokens && largest_difference <= apart ? null : 'tokens written with a cache';
}
