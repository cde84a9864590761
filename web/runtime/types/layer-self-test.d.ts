/** Known answers of the module `layer`, asked of every fresh instance as core-self-test.js asks the core's. */
/**
 * @param {import('./layer.js').Layer} layer
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestLayer(layer: import("./layer.js").Layer): string | null;
