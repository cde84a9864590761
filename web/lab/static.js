/**
 * The lab's page before any script runs, and where none does (from a file, in print): every task with its program, hint
 * and solution. Written when the site is built.
 */
import { words } from './words.js';

/** @typedef {import('./exercises/index.js').Exercise} Exercise */

/** Text with code between backticks, as markup. @param {(text: string) => string} escape */
export const marked = (text, escape) =>
  text
    .split('`')
    .map((piece, i) => (i % 2 === 1 ? `<code>${escape(piece)}</code>` : escape(piece)))
    .join('');

const paragraphs = (task, escape) =>
  task.map((text) => `<p class="lab-task">${marked(text, escape)}</p>`).join('');

const listing = (code, escape, label) =>
  `<pre class="lab-listing" tabindex="0" role="region" aria-label="${escape(label)}"><code>${escape(code)}</code></pre>`;

/** @param {readonly Exercise[]} exercises @param {(text: string) => string} escape */
export const navigation = (exercises, escape) =>
  exercises
    .map(
      ({ id, title }, at) =>
        `<li><a href="#${id}" data-to="${id}"><span class="lab-number">${at + 1}</span><span class="lab-name">${escape(title)}</span><span class="lab-solved" hidden><span aria-hidden="true">✓</span><span class="spoken">, ${words.solved}</span></span></a></li>`,
    )
    .join('');

/** @param {readonly Exercise[]} exercises @param {(text: string) => string} escape */
export const sections = (exercises, escape) =>
  exercises
    .map(({ id, title, slide, task, code, hint, solution }, at) => {
      const next = exercises[at + 1];
      const onward = next
        ? `<p class="lab-next"><a href="#${next.id}">${escape(words.next(next.title))}</a></p>`
        : '';
      return `<section class="lab-exercise" id="${id}" data-exercise="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${at + 1}. ${escape(title)}</h2>
<p class="lab-slide"><a href="index.html#slide-${slide}">${escape(words.slide(slide))}</a></p>
${paragraphs(task, escape)}
<div class="lab-code">${listing(code, escape, words.code(title))}</div>
<div class="lab-live" hidden></div>
<div class="lab-helps"><details class="lab-help"><summary>${words.hint}</summary><p>${marked(hint, escape)}</p></details>
<details class="lab-help"><summary>${words.solution}</summary>${listing(solution, escape, words.solution)}</details></div>
${onward}
</section>`;
    })
    .join('\n');
