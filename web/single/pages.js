/** The pages that a single file holds compressed: the lecture's, other windows, another language. */
import { holds, textOf } from './files.js';

/**
 * Puts the page that the address asks for (choose.js) in the place of the file's own.
 * @returns {Promise<string>} its name
 */
export async function showPage() {
  const root = document.documentElement;
  const { page } = root.dataset;
  const file = `${page}.${root.lang}.html`;
  if (holds(file)) {
    const other = new DOMParser().parseFromString(await textOf(file), 'text/html');
    document.title = other.title;
    // Texts, as the policy allows no style sheet of another page.
    document.adoptedStyleSheets = [...other.querySelectorAll('head script')].map(
      ({ textContent }) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(textContent);
        return sheet;
      },
    );
    document.body.replaceWith(other.body);
  }
  root.classList.remove('choosing');
  // The slide that the address names was not there when the address was read.
  if (root.classList.contains('preview') && location.hash) location.replace(location.hash);
  return page;
}
