/** Work done in a language: what it draws and what it writes speak it. */
import { LANGUAGES, SOURCE, speak } from '../../shared/language.js';

export { LANGUAGES, SOURCE };

/** Changes the language of everything in this process. lit-localize tells `window`, which Node has not. */
async function change(language) {
  globalThis.window = new EventTarget();
  try {
    await speak(language);
  } finally {
    delete globalThis.window;
  }
}

/**
 * @template T
 * @param {string} language
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inLanguage(language, work) {
  if (language === SOURCE) return work();
  await change(language);
  try {
    return await work();
  } finally {
    await change(SOURCE);
  }
}
