/** Known answers of the module `answers`, asked of every fresh instance as core-self-test.js asks the core's. */

/**
 * @param {import('./answers.js').Answers} answers
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestAnswers(answers) {
  const { pairs } = answers.answerPattern({ answer: 'window', n: 4, window: 2 });
  if (pairs !== 7) return 'the pairs of a window';
  const { right } = answers.recall({ answer: 'full', n: 8, texts: 1, bins: 1, pairs: [4] });
  return right[0] === 4 ? null : 'what full attention recalls';
}
