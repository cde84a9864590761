/**
 * Formulas are drawn at build time: KaTeX gives MathML for those who listen and HTML for those who look.
 * The content policy allows no `style` attribute, so each distinct one becomes a class in one CSS file.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';
import katex from 'katex';
import { parseFragment } from 'parse5';
import { attributeOf, elements, setAttribute, textOf } from './tree.mjs';

const require = createRequire(import.meta.url);

/** One colour, one meaning: the lecture's five quantities keep theirs in formulas too. */
const TONES = { Q: 'q', K: 'k', V: 'v', S: 's', A: 'w' };
const macros = () =>
  Object.fromEntries(
    Object.entries(TONES).map(([letter, tone]) => [`\\${letter}c`, `\\htmlClass{${tone}}{#1}`]),
  );

/** Circled step numbers and words with accents are text to us, not a fault in the formula. */
const TOLERATED = new Set([
  'htmlExtension',
  'unicodeTextInMathMode',
  'unknownSymbol',
  'symbolNotInFont',
]);

export class Formulas {
  #styles = new Map();
  #classes = new Set();

  /** How many formulas were drawn. */
  count = 0;

  /**
   * The tree of one formula.
   * @param {string} source LaTeX
   * @param {boolean} display whether it stands on a line of its own
   */
  draw(source, display) {
    let markup;
    try {
      markup = katex.renderToString(source, {
        displayMode: display,
        output: 'htmlAndMathml',
        throwOnError: true,
        macros: macros(),
        trust: ({ command }) => command === '\\htmlClass',
        strict: (code) => (TOLERATED.has(code) ? 'ignore' : 'error'),
      });
    } catch (error) {
      throw new Error(`the formula “${source}”: ${error.message}`, { cause: error });
    }
    this.count += 1;
    const tree = parseFragment(markup);
    for (const node of elements(tree)) {
      const style = attributeOf(node, 'style');
      const classes = (attributeOf(node, 'class') ?? '').split(/\s+/).filter(Boolean);
      if (style !== undefined) {
        classes.push(this.#classFor(style));
        setAttribute(node, 'style', undefined);
      }
      if (classes.length > 0) setAttribute(node, 'class', classes.join(' '));
      for (const name of classes) this.#classes.add(name);
    }
    return tree.childNodes;
  }

  /** Replaces each `<m-tex>` below a node by what it says. */
  drawAll(root) {
    for (const node of elements(root, ({ tagName }) => tagName === 'm-tex')) {
      const display = attributeOf(node, 'display') !== undefined;
      const children = this.draw(textOf(node).trim(), display);
      node.tagName = 'span';
      node.nodeName = 'span';
      node.attrs = [{ name: 'class', value: display ? 'tex tex-display' : 'tex' }];
      node.childNodes = children;
      for (const child of children) child.parentNode = node;
    }
  }

  #classFor(style) {
    const declarations = style
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .sort()
      .join(';');
    const known = this.#styles.get(declarations);
    if (known) return known;
    const name = `tex-${createHash('sha256').update(declarations).digest('hex').slice(0, 8)}`;
    this.#styles.set(declarations, name);
    return name;
  }

  /** KaTeX's own style sheet with the typefaces that these formulas use, and the hoisted styles. */
  css() {
    const kept = [];
    const faces = [];
    const sheet = readFileSync(require.resolve('katex/dist/katex.css'), 'utf8');
    for (const [, selector, body] of withoutComments(sheet).matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      if (selector.trim() === '@font-face') faces.push(body);
      else kept.push({ selector: selector.trim(), body: body.trim() });
    }
    const wanted = this.#typefaces(kept);
    const used = faces.map((body) => readFace(body)).filter((face) => wanted.has(face.key));
    if (this.count > 0 && used.length === 0)
      throw new Error('KaTeX’s style sheet has no typeface for these formulas');
    return [
      ...used.map(
        ({ family, style, weight, file }) =>
          `@font-face{font-family:${family};font-style:${style};font-weight:${weight};font-display:block;` +
          `src:url("katex/dist/fonts/${file}") format("woff2")}`,
      ),
      ...kept.map(({ selector, body }) => `${selector}{${body}}`),
      // The name three times over: a class stands where an inline style stood, and must win as that did.
      ...[...this.#styles].map(([body, name]) => `.katex .${name}.${name}.${name}{${body}}`),
    ].join('\n');
  }

  /** Which faces the rules ask for whose classes all occur in what was drawn. */
  #typefaces(rules) {
    const wanted = new Set();
    for (const { selector, body } of rules) {
      const family = /font(?:-family)?:[^;]*?(KaTeX_\w+)/.exec(body)?.[1];
      if (!family) continue;
      const applies = selector
        .split(',')
        .some((one) =>
          [...one.matchAll(/\.([\w-]+)/g)].every(([, name]) => this.#classes.has(name)),
        );
      if (!applies) continue;
      const bold = /font-weight:\s*(bold|700)/.test(body);
      const italic = /font-style:\s*italic|font:[^;]*italic/.test(body);
      wanted.add(faceKey(family, bold, italic));
    }
    return wanted;
  }
}

const withoutComments = (css) => css.replace(/\/\*[\s\S]*?\*\//g, '');
const faceKey = (family, bold, italic) =>
  `${family} ${bold ? 700 : 400} ${italic ? 'italic' : 'normal'}`;

function readFace(body) {
  const value = (name) => new RegExp(`${name}:\\s*"?([^;"]+)"?`).exec(body)?.[1].trim();
  const family = value('font-family');
  const style = value('font-style');
  const bold = /^(bold|700)$/.test(value('font-weight'));
  const file = /([\w-]+\.woff2)/.exec(body)?.[1];
  if (!family || !file)
    throw new Error('KaTeX’s style sheet is not as expected: a typeface without a woff2 file');
  return {
    family,
    style,
    weight: bold ? 700 : 400,
    file,
    key: faceKey(family, bold, style === 'italic'),
  };
}
