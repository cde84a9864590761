/**
 * What the address of a simulator's page says about it: `query.html?case=a&hide=title,cases&lock=d-k&theme=dark`, each attribute of the
 * element under its own name. Language and theme are read before anything is drawn (web/deck/early.js).
 */
import { msg, str } from '../shared/language.js';
import { known } from '../shared/page-language.js';

/** Set in this order: a lock holds from then on, for what the address itself says it does not. */
const LAST = ['hide', 'lock'];
/** What others read: the early script, and the element its own state. */
const ELSEWHERE = ['lang', 'theme'];
const THEMES = ['light', 'dark', 'auto'];

function words(query, tell) {
  const [lang, theme] = ELSEWHERE.map((name) => query.get(name)?.slice(0, 40));
  if (lang && !known(lang)) tell(msg(str`There is no language “${lang}” here.`));
  if (theme && !THEMES.includes(theme)) {
    tell(msg(str`There is no theme “${theme}” here, only light and dark.`));
  }
}

/**
 * @param {HTMLElement} element a simulator that is defined
 * @param {string} search
 * @param {(sentence: string) => void} tell what means nothing here
 */
export function setFromAddress(element, search, tell) {
  const query = new URLSearchParams(search);
  const { observedAttributes } = element.constructor;
  words(query, tell);
  // A whole state leaves nothing to say about its fields.
  const hasState = query.has(element.localName);
  for (const [name, value] of query) {
    if (name === element.localName || ELSEWHERE.includes(name) || LAST.includes(name)) continue;
    if (!observedAttributes.includes(name)) {
      console.warn(
        `<${element.localName}>: “${name.slice(0, 40)}” in the address means nothing here.`,
      );
    } else if (!hasState) {
      element.setAttribute(name, value);
    }
  }
  for (const name of LAST) if (query.has(name)) element.setAttribute(name, query.get(name));
}
