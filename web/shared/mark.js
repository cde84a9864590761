/**
 * The mark that a token of a worked example keeps throughout: a shape beside its name, so that neither
 * position nor colour has to carry it.
 */
import { html, svg } from 'lit';

const SHAPES = [
  svg`<rect x="2" y="2" width="8" height="8"></rect>`,
  svg`<circle cx="6" cy="6" r="4.6"></circle>`,
  svg`<path d="M6 1.2 11 10.4H1Z"></path>`,
  svg`<path d="M6 .6 11.4 6 6 11.4.6 6Z"></path>`,
  svg`<path d="M4 1h4v3h3v4H8v3H4V8H1V4h3Z"></path>`,
  svg`<path d="M1.6 1.2H10.4L7.2 6l3.2 4.8H1.6L4.8 6Z"></path>`,
  svg`<path fill-rule="evenodd" d="M6 .8A5.2 5.2 0 1 1 6 11.2 5.2 5.2 0 1 1 6 .8ZM6 3.8A2.2 2.2 0 1 0 6 8.2 2.2 2.2 0 1 0 6 3.8Z"></path>`,
];

/** The shape alone, as part of a larger drawing. */
export const markShape = (index) => SHAPES[index % SHAPES.length];

/** The shape as a small picture in a line of text; the name beside it says the same in words. */
export const mark = (index) =>
  html`<svg class="mark" viewBox="0 0 12 12" aria-hidden="true">${markShape(index)}</svg>`;

/** A token's mark and name. */
export const token = (name, index) => html`<span class="token">${mark(index)}${name}</span>`;
