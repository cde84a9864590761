/**
 * Pages of the built site, taken apart for a single file: their body, with links that lead to the same file or say where
 * the rest is, and their style sheets, with the typefaces inside.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parsePage, serialize } from 'parse5';
import { words } from '../../single/words.js';
import {
  attributeOf,
  createElement,
  elements,
  remove,
  replace,
  setAttribute,
  textNode,
  wordsOf,
} from '../site/tree.mjs';

const FONT_FACE = /@font-face\s*\{[^}]*\}/g;
const URL_IN_CSS = /url\(\s*["']?([^"')]+)["']?\s*\)/g;

const named = (name) => (node) => node.tagName === name;
const closest = (node, name) => {
  for (let at = node; at; at = at.parentNode) if (at.tagName === name) return at;
  return undefined;
};

export class SitePage {
  #file;
  #tree;

  /** @param {string} site the folder @param {string} file within it */
  constructor(site, file) {
    this.#file = file;
    this.#tree = parsePage(readFileSync(path.join(site, file), 'utf8'));
  }

  #all(name, wanted = () => true) {
    return elements(this.#tree, (node) => node.tagName === name && wanted(node));
  }

  /** The address of a file of the site as this page writes it, as the site's. */
  resolve(address) {
    return path.posix.normalize(path.posix.join(path.posix.dirname(this.#file), address));
  }

  get title() {
    return wordsOf(this.#all('title')[0]);
  }

  /** @param {string} name */
  meta(name) {
    const [found] = this.#all('meta', (node) => attributeOf(node, 'name') === name);
    return found && attributeOf(found, 'content');
  }

  get styleSheets() {
    return this.#all('link', (node) => attributeOf(node, 'rel') === 'stylesheet').map((node) =>
      this.resolve(attributeOf(node, 'href')),
    );
  }

  get body() {
    return this.#all('body')[0];
  }

  /**
   * Lets each link lead within the file, or takes it away.
   * @param {(target: string, fragment: string) => string | undefined} inside  the address in the file of a file of the site
   */
  turnLinks(inside) {
    for (const link of elements(this.body, named('a'))) {
      const href = attributeOf(link, 'href');
      if (href === undefined || /^(#|[a-z][a-z0-9+.-]*:)/i.test(href)) continue;
      const [, address, fragment] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/.exec(href);
      const target = this.resolve(address);
      const own = inside(target, fragment ?? '');
      if (own !== undefined) setAttribute(link, 'href', own);
      else leaveOut(link, target);
    }
  }

  /** The body's markup with its own tag. Where scripts are sure to run, nothing is said of scripts that do not. */
  bodyMarkup({ withScripts = false } = {}) {
    const { body } = this;
    if (withScripts) for (const node of elements(body, named('noscript'))) remove(node);
    const holder = createElement('html', {}, [{ ...body }]);
    return serialize(holder);
  }
}

/** A link to what is not in the file: a paragraph of its own says where it is, elsewhere its words do. */
function leaveOut(link, target) {
  const paragraph = closest(link, 'p');
  const name = target.split('/').at(-1);
  const sentence = words.leftOut[name];
  if (paragraph && sentence !== undefined) {
    replace(paragraph, createElement('p', {}, [textNode(sentence())]));
    return;
  }
  if (paragraph && wordsOf(paragraph) === wordsOf(link)) {
    remove(paragraph);
    return;
  }
  replace(link, createElement('span', {}, link.childNodes));
}

/**
 * Style sheets without their typefaces, and the typefaces, each once, as what a policy calls data:.
 * @param {string} site
 * @param {string[]} files
 * @returns {{texts: Map<string, string>, fonts: string}}
 */
export function styles(site, files) {
  const faces = new Set();
  const texts = new Map();
  for (const file of new Set(files)) {
    const css = readFileSync(path.join(site, file), 'utf8');
    for (const [face] of css.matchAll(FONT_FACE)) {
      faces.add(
        face.replace(URL_IN_CSS, (_, address) => {
          const font = readFileSync(path.join(site, path.dirname(file), address));
          return `url(data:font/woff2;base64,${font.toString('base64')})`;
        }),
      );
    }
    const rest = css.replace(FONT_FACE, '').trim();
    const [leads] = rest.matchAll(URL_IN_CSS);
    if (leads) throw new Error(`${file} loads ${leads[1]}, which a single file has no place for`);
    texts.set(file, rest);
  }
  return { texts, fonts: [...faces].join('\n') };
}
