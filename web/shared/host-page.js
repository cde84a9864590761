/**
 * Other people's pages, which have no tokens.css: there a simulator is as light or as dark as what stands around it. A dark page
 * need not say `color-scheme: dark` (reveal.js's does not), but its text is light, and that is what is looked at.
 */
import colours from './host-colours.css?inline';
import { lightnessOf, schemeOf } from './scheme.js';

/** Where themes of course sites and notebooks keep the reader's choice. */
const CHOICES = [
  'class',
  'style',
  'data-theme',
  'data-bs-theme',
  'data-md-color-scheme',
  'data-jp-theme-light',
];
const LIGHT_TEXT = 0.55;

const followers = new Set();
let isHost;

/** Gives a page that has none of our colours their defaults; says whether it is such a page. */
function adopt() {
  const root = document.documentElement;
  if (getComputedStyle(root).getPropertyValue('--attn-bg') !== '') return false;
  const sheet = new CSSStyleSheet();
  const both = CSS.supports('color', 'light-dark(#000, #fff)') ? 'light-dark($1,$2)' : '$1';
  sheet.replaceSync(colours.replace(/--pair\(([^,]+),([^)]+)\)/g, both));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const follow = () => {
    for (const element of followers) element.followHost();
  };
  // On paper a page may be as dark as it was, as reveal.js's slides are, or light.
  for (const media of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(media).addEventListener('change', follow);
  const observer = new MutationObserver(follow);
  for (const node of [root, document.body]) {
    if (node) observer.observe(node, { attributeFilter: CHOICES });
  }
  return true;
}

/**
 * Light or dark, as an element in another's page should be; undefined on our own pages, whose sheet says it. What the page says about the element itself
 * wins over what the text around it looks like.
 * @param {Element} element
 * @returns {'light' | 'dark' | undefined}
 */
export function schemeAround(element) {
  isHost ??= adopt();
  if (!isHost) return undefined;
  followers.add(element);
  const { parentNode } = element;
  const parent = parentNode instanceof ShadowRoot ? parentNode.host : parentNode;
  if (!(parent instanceof Element)) return undefined;
  const around = getComputedStyle(parent);
  const own = getComputedStyle(element);
  if (own.colorScheme !== around.colorScheme) return schemeOf(own);
  const lightness = lightnessOf(around.color);
  if (lightness === undefined) return schemeOf(around);
  return lightness > LIGHT_TEXT ? 'dark' : 'light';
}

/** An element that left the page is not held. @param {Element} element */
export const leaveHost = (element) => followers.delete(element);
