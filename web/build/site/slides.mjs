/** The lecture's fragments, in the order of slides/index.json, turned into the sections of the deck. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { msg } from '../../shared/language.js';
import {
  append,
  attributeOf,
  createElement,
  elements,
  hasClass,
  parse,
  remove,
  replace,
  setAttribute,
  textNode,
  wordsOf,
  write,
  writeWhole,
} from './tree.mjs';
import { SOURCE } from './language.mjs';

/**
 * The lecture in a language: the fragments of `slides` are English, those of another are beside them in a folder of its name.
 * @param {string} root the repository
 * @param {{language: string, formulas: import('./formulas.mjs').Formulas, figures: import('./figures.mjs').Figures}} drawers
 */
export async function readLecture(root, { language = SOURCE, formulas, figures }) {
  // Pages are there in each language; other files are there once, at the top of the site.
  const top = language === SOURCE ? '' : '../';
  const folder = language === SOURCE ? 'slides' : `slides/${language}`;
  const index = JSON.parse(readFileSync(path.join(root, folder, 'index.json'), 'utf8'));
  const slides = [];
  for (const part of index.parts) {
    const file = `${folder}/${part.file}`;
    try {
      const tree = parse(readFileSync(path.join(root, file), 'utf8'));
      for (const section of sectionsOf(tree, file)) {
        slides.push(await readSlide(section, { part, file, top, formulas, figures }));
      }
    } catch (error) {
      throw new Error(`${file}: ${error.message}`, { cause: error });
    }
  }
  if (slides.length === 0) throw new Error(`${folder}/index.json lists no slide`);
  const twice = slides.find((slide, at) => slides.findIndex(({ id }) => id === slide.id) !== at);
  if (twice) throw new Error(`two slides have the id “${twice.id}”`);
  return { language, title: index.title, parts: index.parts, slides };
}

function sectionsOf(tree, file) {
  const sections = tree.childNodes.filter((node) => node.tagName);
  for (const node of sections) {
    const line = node.sourceCodeLocation?.startLine;
    if (node.tagName !== 'section')
      throw new Error(`line ${line}: a <${node.tagName}> stands outside any slide`);
    if (!attributeOf(node, 'id') || !attributeOf(node, 'data-slide')) {
      throw new Error(`line ${line}: a slide needs an id and a data-slide`);
    }
  }
  if (sections.length === 0) throw new Error(`${file} holds no slide`);
  return sections;
}

async function readSlide(section, { part, file, top, formulas, figures }) {
  const id = attributeOf(section, 'id');
  const number = attributeOf(section, 'data-slide');
  const where = `slide ${number}`;
  try {
    formulas.drawAll(section);
    await figures.drawAll(section);
  } catch (error) {
    throw new Error(`${where}: ${error.message}`, { cause: error });
  }
  const [heading] = elements(section, ({ tagName }) => tagName === 'h2');
  if (!heading) throw new Error(`${where} has no <h2>`);
  setAttribute(heading, 'id', `${id}-title`);
  setAttribute(section, 'aria-labelledby', `${id}-title`);
  setAttribute(section, 'data-part', part.id);
  const simulators = elements(
    section,
    (node) => attributeOf(node, 'data-simulator') !== undefined,
  ).map((node) => attributeOf(node, 'data-simulator'));
  for (const { link, href } of fileLinks(section)) {
    if (!isOfLanguage(href)) setAttribute(link, 'href', `${top}${href}`);
  }
  const [aside] = elements(section, (node) => hasClass(node, 'notes'));
  const notes = aside ? write(aside) : '';
  const [prose] = elements(section, (node) => hasClass(node, 'prose'));
  const reading = writeReading(section, { heading, aside, prose });
  if (prose) remove(prose);
  if (aside) replace(aside, foldedNotes(aside));
  return {
    id,
    number,
    part: part.id,
    file,
    title: wordsOf(heading),
    simulators,
    notes,
    markup: writeWhole(section),
    reading,
  };
}

/** Links to other files of the site. */
const fileLinks = (section) =>
  elements(section, ({ tagName }) => tagName === 'a')
    .map((link) => ({ link, href: attributeOf(link, 'href') }))
    .filter(({ href }) => /^(\.\.\/)?[\w-]+\.(html|ipynb)/.test(href ?? ''));

/** There once in each language: the pages, and the notebook. */
const isOfLanguage = (href) => /\.(html|ipynb)(#|$)/.test(href);

/** The slide as a student reads it: the explanation behind the title, and no notes. */
function writeReading(section, { heading, aside, prose }) {
  const before = [...section.childNodes];
  const left = before.filter((node) => node !== aside && node !== prose);
  const top = left.findIndex((node) => node === heading || node.childNodes?.includes(heading));
  if (prose) left.splice(top + 1, 0, prose);
  section.childNodes = left;
  // The pages to read are a folder further down than the deck.
  const links = fileLinks(section);
  for (const { link, href } of links) setAttribute(link, 'href', `../${href}`);
  const markup = writeWhole(section);
  for (const { link, href } of links) setAttribute(link, 'href', href);
  section.childNodes = before;
  return markup;
}

/** In the column the notes open on demand; the deck shows them in the speaker's window only. */
function foldedNotes(aside) {
  const summary = createElement('summary', {}, [textNode(msg('Lecturer’s notes'))]);
  const fold = createElement('details', { class: 'notes-fold' }, [summary]);
  const inside = createElement('div', { class: 'notes' });
  for (const child of aside.childNodes) append(inside, child);
  append(fold, inside);
  return fold;
}
