/**
 * How a simulator is put into other people's tools: what the page embed.html prints, in the language that is spoken when it
 * is asked for. Each piece of code stands, letter for letter, in a source under tests/browser/hosts, which the tool itself made a
 * page of; tests/browser/suites/recipes.js opens that page.
 */
import { msg } from '../../shared/language.js';

/** Stands for the address of the site in every piece of code. */
export const SITE = 'https://attention.example';

const script = `<script type="module" src="${SITE}/attention-deck.js"></script>`;
const element = '<attn-query case="river"></attn-query>';
/** On a slide of 960 to 1280 px it takes the width, and the letters are no larger than they have to be. */
const onSlide = '<attn-query case="river" style="--attn-font-size: 16px"></attn-query>';
const page = `${SITE}/simulators/query.html?case=river`;
/** In px, and high enough for this simulator in a column of 960 px: a test compares it with what was measured. */
export const FRAME_HEIGHT = 500;
const frameOf = (address) =>
  `<iframe src="${address}&amp;theme=light&amp;hide=title,summary,foot" title="One query, three keys" width="100%" height="${FRAME_HEIGHT}"></iframe>`;
const frame = frameOf(page);
/** reveal.js lets a frame have 95 % of the slide, which is a little less than the wide layout needs. */
const wideFrame = frame.replace(' width=', ' style="max-width: none" width=');
const fenced = (html) => `\`\`\`{=html}\n${html}\n\`\`\``;

/**
 * @typedef {object} Step
 * @property {string} where what the code is put into
 * @property {string} file its source under tests/browser/hosts/<id>
 * @property {string} code
 *
 * @typedef {object} Recipe
 * @property {string} id the host's folder
 * @property {string} title
 * @property {string} note what to switch on, and what to know
 * @property {Step[]} steps the element
 * @property {Step} [frame] the same as a page in a frame, where that is another way
 */

/** @returns {Recipe[]} */
export const recipes = () => [
  {
    id: 'html',
    title: msg('A page of HTML'),
    note: msg(
      'Once a page, the script; then as many tags as you like. Only the simulators that are scrolled to are fetched, and they share one module.',
    ),
    steps: [
      { where: msg('In the head'), file: 'index.html', code: script },
      { where: msg('Where it shall stand'), file: 'index.html', code: element },
    ],
    frame: { where: msg('Where it shall stand'), file: 'index.html', code: frame },
  },
  {
    id: 'reveal',
    title: 'reveal.js',
    note: msg(
      'Nothing to switch on. The arrow keys move a slider while it has the focus, and the slides otherwise; Escape gives the keys back. Printing (?print-pdf) draws every simulator.',
    ),
    steps: [
      { where: msg('In the head'), file: 'index.html', code: script },
      { where: msg('In a slide'), file: 'index.html', code: onSlide },
    ],
    frame: { where: msg('In a slide'), file: 'index.html', code: wideFrame },
  },
  {
    id: 'quarto',
    title: 'Quarto',
    note: msg(
      'For format: revealjs and format: html alike. Leave embed-resources off: it would pull the script into the page, away from the files that it fetches.',
    ),
    steps: [
      {
        where: msg('In the settings at the top'),
        file: 'deck.qmd',
        code: `include-in-header:\n  text: |\n    ${script}`,
      },
      { where: msg('In a slide'), file: 'deck.qmd', code: fenced(onSlide) },
    ],
    frame: { where: msg('In a slide'), file: 'deck.qmd', code: fenced(frame) },
  },
  {
    id: 'marp',
    title: 'Marp',
    note: msg(
      'Marp strips HTML unless it is told not to: run marp --html, or set html: true in its configuration; in VS Code, “Markdown › Marp: HTML” is “all”.',
    ),
    steps: [
      { where: msg('In the first slide'), file: 'deck.md', code: script },
      { where: msg('In a slide'), file: 'deck.md', code: onSlide },
    ],
    frame: { where: msg('In a slide'), file: 'deck.md', code: frame },
  },
  {
    id: 'slidev',
    title: 'Slidev',
    note: msg(
      'Vue takes every unknown tag for a component of its own, so it is told that these are elements. The script goes into index.html, because Vue drops scripts from slides.',
    ),
    steps: [
      {
        where: 'vite.config.js',
        file: 'vite.config.js',
        code: `export default {
  slidev: {
    vue: {
      template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('attn-') } },
    },
  },
};`,
      },
      {
        where: msg('index.html, beside slides.md'),
        file: 'index.html',
        code: `<head>\n  ${script}\n</head>`,
      },
      {
        where: msg('In the settings at the top'),
        file: 'slides.md',
        code: 'canvasWidth: 1280',
      },
      { where: msg('In a slide'), file: 'slides.md', code: onSlide },
    ],
    frame: { where: msg('In a slide'), file: 'slides.md', code: frame },
  },
  {
    id: 'jupyter',
    title: 'Jupyter, JupyterLite',
    note: msg(
      'In a cell. It shows when the cell has run, and in the page that nbconvert makes of the notebook; a notebook that was only opened shows it after you trust it.',
    ),
    steps: [
      {
        where: msg('In a cell'),
        file: 'query.ipynb',
        code: `from IPython.display import HTML

HTML("""
${script}
${element}
""")`,
      },
    ],
    frame: {
      where: msg('In a cell'),
      file: 'query.ipynb',
      code: `from IPython.display import IFrame

IFrame("${page}&theme=light&hide=title,summary,foot", "100%", ${FRAME_HEIGHT})`,
    },
  },
  {
    id: 'mkdocs',
    title: 'MkDocs Material',
    note: msg(
      'The script is set once for the whole site. With navigation.instant too, each page that is turned to gets its simulators. Without its table of contents a page is wide enough for the figure to stand beside its table.',
    ),
    steps: [
      {
        where: 'mkdocs.yml',
        file: 'mkdocs.yml',
        code: `extra_javascript:
  - path: ${SITE}/attention-deck.js
    type: module`,
      },
      {
        where: msg('At the top of a page of Markdown'),
        file: 'docs/query.md',
        code: '---\nhide:\n  - toc\n---',
      },
      { where: msg('Where it shall stand'), file: 'docs/query.md', code: element },
    ],
    frame: { where: msg('Where it shall stand'), file: 'docs/query.md', code: frame },
  },
  {
    id: 'file',
    title: msg('A page on your disk'),
    note: msg(
      'Put the file of the simulator beside your page, query.html here, and show it in a frame: both open by a double click, without network. The table below has the files. No script of ours runs in a page that was opened so, so the frame keeps the height that you write.',
    ),
    steps: [
      {
        where: msg('Where it shall stand'),
        file: 'index.html',
        code: frameOf('query.html?case=river'),
      },
    ],
  },
];

/** What a careful page adds; tests/browser/suites/hosting.js tries each. @returns {{where: string, code: string}[]} */
export const careful = () => [
  {
    where: msg('With the hash that integrity.json gives: another file is refused'),
    code: script.replace('></', ' integrity="sha384-…" crossorigin="anonymous"></'),
  },
  {
    where: msg('With something to show if the script does not arrive'),
    code: `<attn-query case="river"><a href="${page}">${msg('Open the simulator')}</a></attn-query>`,
  },
  {
    where: msg('Under a content policy of your own'),
    code: `script-src ${SITE} 'wasm-unsafe-eval'; connect-src ${SITE}; frame-src ${SITE}`,
  },
];
