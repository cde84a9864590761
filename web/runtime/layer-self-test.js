/** Known answers of the module `layer`, asked of every fresh instance as core-self-test.js asks the core's. */

/**
 * @param {import('./layer.js').Layer} layer
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestLayer(layer) {
  const { P } = layer.sinusoidalPositions({ n: 2, d_model: 2 });
  if (!(Math.abs(P[2] - Math.sin(1)) < 1e-15)) return 'a position';
  // Of two equal scores and a third that may not be seen, each seen one weighs a half.
  const { weights } = layer.maskedSoftmax({
    x: [3, 3, 9],
    n: 1,
    m: 3,
    mask: { key_valid: [1, 1, 0] },
  });
  return weights[0] === 0.5 && weights[2] === 0 ? null : 'weights under a mask';
}
