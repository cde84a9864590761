/** Known answers of the module `answers`, asked of every fresh instance as core-self-test.js asks the core's. */
/**
 * @param {import('./answers.js').Answers} answers
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestAnswers(answers: import("./answers.js").Answers): string | null;
