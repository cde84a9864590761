/** The slides' sources, read with a real HTML parser. */
import { parseFragment, parse } from 'parse5';
import { filesBelow, read } from './files.js';

export const attribute = (node, name) => node.attrs?.find((item) => item.name === name)?.value;

/** Every element and text below a node, in document order. `enter` returns false to skip what is inside. */
export function walk(node, enter) {
  if (enter(node) === false) return;
  for (const child of node.childNodes ?? []) walk(child, enter);
}

export function elementsBelow(root, wanted) {
  const found = [];
  walk(root, (node) => {
    if (node.tagName && wanted(node)) found.push(node);
  });
  return found;
}

/** The slides of a fragment or page: each `section[data-slide]` with its number and its syntax tree. */
export function slidesOf(html, { page = false, file = '' } = {}) {
  const tree = page ? parse(html) : parseFragment(html, { sourceCodeLocationInfo: true });
  return elementsBelow(
    tree,
    (node) => node.tagName === 'section' && attribute(node, 'data-slide') !== undefined,
  ).map((node) => ({ slide: attribute(node, 'data-slide'), node, file }));
}

/** The fragments in the language of the sources; other languages have folders of their own. */
export const slideFiles = () =>
  filesBelow('slides').filter((file) => /^slides\/[^/]+\.html$/.test(file));

export const allSlides = () => slideFiles().flatMap((file) => slidesOf(read(file), { file }));
