/**
 * The language of the page. Every sentence that a script writes is English in its place, as `msg('…')` or
 * msg(str`… ${value} …`) or msg(html`…`), inside the function that shows it; its other languages stand in
 * web/texts/<language>.xlf. A page in another language says so in its `lang`.
 */
import { configureLocalization, msg, str } from '@lit/localize';
import { LANGUAGES, SOURCE, pageLanguage } from './page-language.js';

export { LANGUAGES, SOURCE, msg, str };

const localization = configureLocalization({
  sourceLocale: SOURCE,
  targetLocales: LANGUAGES.filter((one) => one !== SOURCE),
  loadLocale: () => import('../texts/generated/pt-BR.js'),
});

/** The language that is spoken now. @type {() => string} */
export const language = localization.getLocale;

/** Changes it; settles when its texts are there. What is drawn already stays until it is drawn anew. */
export const speak = localization.setLocale;

/**
 * The language of an error's sentence where the page speaks another: the modules and their runtime speak English.
 * @param {Error & {code?: string}} error
 */
export const languageOf = ({ code }) =>
  code !== undefined && language() !== SOURCE ? SOURCE : undefined;

const wanted = pageLanguage();

/**
 * Settles when the page's own texts are there; undefined where nothing has to be waited for. Texts that do not arrive
 * leave the page in the language of the sources: numbers in a foreign language are better than none.
 */
export const ready =
  wanted === SOURCE ? undefined : speak(wanted).catch((error) => console.warn(error));
