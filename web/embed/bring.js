/** The scripts of the simulators, each fetched when its tag is wanted; where one does not arrive, the page is told. */
import { pageLanguage } from '../shared/page-language.js';

const scripts = import.meta.glob('../simulators/*/index.js');

/** Tag → what fetches its script. */
const ways = new Map(
  Object.entries(scripts).map(([file, way]) => [`attn-${file.split('/').at(-2)}`, way]),
);
const asked = new Set();

/** Every tag that there is a simulator for. */
export const tags = [...ways.keys()];

/** Fetches the script of a tag once. After a failure the next call tries again. @param {string} tag */
export function bring(tag) {
  if (asked.has(tag) || !ways.has(tag)) return;
  asked.add(tag);
  ways
    .get(tag)()
    .catch((error) => {
      asked.delete(tag);
      say(tag, error);
    });
}

// The texts of other scripts come with a script, which is what may be missing here.
const WORDS = {
  en: 'This simulator’s script did not arrive, so the figure stands still. Reload the page; if that does not help, the site was not copied whole.',
  'pt-BR':
    'O script deste simulador não chegou, por isso a figura está parada. Recarregue a página; se não adiantar, o site não foi copiado por inteiro.',
};

/** Says so before each element of the tag. */
function say(tag, error) {
  console.warn(`${tag}: ${error.message}`);
  const language = pageLanguage();
  for (const element of document.querySelectorAll(tag)) {
    if (element.previousElementSibling?.matches('.page-notice')) continue;
    const notice = document.createElement('p');
    notice.className = 'page-notice';
    notice.setAttribute('role', 'alert');
    notice.lang = language;
    notice.textContent = WORDS[language];
    element.before(notice);
  }
}
