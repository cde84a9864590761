/**
 * @param {import('./model.js').Models} models
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestModel(models: import("./model.js").Models): string | null;
