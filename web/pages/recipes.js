/** The page of recipes: the code names this site's own address, and a button copies it. */
import '../deck/read.css';
import '../deck/theme.js';
import './recipes.css';
import { msg, ready } from '../shared/language.js';

await ready;

/** What stands for the site's address in the page as built. */
const { site: placeholder } = document.querySelector('[data-site]').dataset;
/** Opened from a folder, the site has no address that another page could use. */
const site = location.protocol.startsWith('http')
  ? new URL('.', document.querySelector('link[rel=icon]').href).href.replace(/\/$/, '')
  : placeholder;

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = msg('Copied');
  } catch {
    // Marked, so that the keys for copying do it.
    getSelection().selectAllChildren(code);
    button.textContent = msg('Marked');
  }
  setTimeout(() => (button.textContent = msg('Copy')), 2000);
}

for (const block of document.querySelectorAll('[data-copy]')) {
  const code = block.querySelector('code');
  code.textContent = code.textContent.replaceAll(placeholder, site);
  const caption = block.parentElement.querySelector('figcaption');
  block.setAttribute('aria-label', caption.textContent);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'recipe-copy';
  button.textContent = msg('Copy');
  button.setAttribute('aria-description', caption.textContent);
  button.addEventListener('click', () => copy(button, code));
  block.before(button);
}
document.documentElement.classList.add('live');
