/**
 * A remark in a program, as the lines of a comment.
 * @param {string} text  Its lines as they shall stand: a program is not wrapped.
 * @param {string} [indent]
 */
export const remark = (text, indent = '') =>
  text
    .split('\n')
    .map((line) => `${indent}// ${line}`)
    .join('\n');
