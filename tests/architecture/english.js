/** What is still English in a lecture that speaks Portuguese. */

/** Words that no Portuguese sentence holds, nor any example that is taken to tokens. */
const WORDS = /\b(with|which|that|each|every|what|this|are|not|how|by|weights?|rows?)\b/i;

/** Whether a line of Portuguese holds English; what is quoted is data. */
export const isEnglish = (line) => WORDS.test(line.replace(/[“‘][^”’]*[”’]/g, ''));
