/**
 * Which language a page is to be spoken to in. Apart from language.js and without its texts, because the script that
 * strangers' pages load has to know it before anything else is fetched.
 */
export const SOURCE = 'en';
export const LANGUAGES = [SOURCE, 'pt-BR'];

/** Where a page's own wish stands (`attention-deck.js?lang=pt-BR`), for every script that comes later. */
const WISH = Symbol.for('attention-deck.language');

const primary = (language) => language.toLowerCase().split('-')[0];

/** The language of ours that a tag such as `pt`, `pt-PT` or `en-GB` means, or undefined. @param {string} [tag] */
export const known = (tag) => LANGUAGES.find((one) => primary(one) === primary(tag ?? ''));

/** Asks for a language for the whole page; the first one that asks is heard. @param {string} tag */
export function wishFor(tag) {
  if (known(tag)) globalThis[WISH] ??= known(tag);
  else
    console.warn(
      `attention-deck: there is no language “${tag}” here, only ${LANGUAGES.join(', ')}.`,
    );
}

/** Whether somebody asked for one. */
export const isWished = () => globalThis[WISH] !== undefined;

/** The language that was asked for, else that of the page where it is one of ours, else the one of the sources. */
export const pageLanguage = () =>
  globalThis[WISH] ?? known(globalThis.document?.documentElement.lang) ?? SOURCE;
