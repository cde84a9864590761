/** The recipes (web/pages/embed/recipes.js) as markup of the page embed.html. */
import { SITE, careful, recipes } from '../../pages/embed/recipes.js';
import { SOURCE, msg, str } from '../../shared/language.js';
import { escapeText } from './tree.mjs';

const anchor = (id) => `in-${id}`;

/** The code for pages of another language: the script is told it, and frames show the page that speaks it. */
function inLanguageOf(code, language) {
  if (language === SOURCE) return code;
  return code
    .replaceAll('attention-deck.js', `attention-deck.js?lang=${language}`)
    .replaceAll(`${SITE}/simulators/`, `${SITE}/${language}/simulators/`)
    .replaceAll('"query.html?', `"query.html?lang=${language}&amp;`)
    .replaceAll('One query, three keys', msg('One query, three keys'));
}

function step({ where, code }) {
  return `<figure class="recipe-step"><figcaption>${escapeText(where)}</figcaption><pre tabindex="0" data-copy><code translate="no">${escapeText(code)}</code></pre></figure>`;
}

function recipe({ id, title, note, steps, frame }) {
  const heading = `<h2 id="${anchor(id)}">${escapeText(title)}</h2>`;
  const instead =
    frame &&
    `<details><summary>${escapeText(msg(str`${title}: as a frame`))}</summary>${step(frame)}</details>`;
  return `<section class="recipe" aria-labelledby="${anchor(id)}">${heading}<p>${escapeText(note)}</p>${steps.map(step).join('')}${instead ?? ''}</section>`;
}

/**
 * @param {string} language that the page speaks
 * @returns {{site: string, hosts: string, recipes: string, careful: string}} what stands for the site's address, links to each
 *   recipe, each recipe, and what a careful page adds
 */
export function recipeMarkup(language) {
  const spoken = (one) => ({ ...one, code: inLanguageOf(one.code, language) });
  const all = recipes().map((one) => ({
    ...one,
    steps: one.steps.map(spoken),
    frame: one.frame && spoken(one.frame),
  }));
  return {
    site: SITE,
    hosts: all
      .map(({ id, title }) => `<li><a href="#${anchor(id)}">${escapeText(title)}</a></li>`)
      .join(''),
    recipes: all.map(recipe).join('\n'),
    careful: careful().map(spoken).map(step).join(''),
  };
}
