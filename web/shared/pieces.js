/** A text cut into its tokens, drawn as a row of pieces. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { spokenPiece } from './piece-text.js';

/** Characters of a piece beyond which its end may be hidden. */
const LONG = 12;

/** White space is a sign here, softer than letters. */
const signs = (text) =>
  text
    .split(/([␣↵⇥␍⍽])/)
    .filter(Boolean)
    .map((part) => (/[␣↵⇥␍⍽]/.test(part) ? html`<span class="piece-space">${part}</span>` : part));

/** A fresh piece shows the seam that has just closed; two parts of a character have none, they become it. */
const inside = ({ text, seam }) =>
  seam && seam.join('') === text
    ? html`<span class="piece-halves"
        ><span>${signs(seam[0])}</span><span>${signs(seam[1])}</span></span
      >`
    : signs(text);

/** One piece in a line of text; a long one is shortened to the eye and whole in its title. */
export const pieceInline = (text, more = '') =>
  html`<span
    class="piece-inline ${more} ${text.length > LONG ? 'piece-long' : ''}"
    title=${text.length > LONG ? text : nothing}
    >${text}</span
  >`;

/** Two pieces that meet. */
export const pairInline = ([left, right]) =>
  html`${pieceInline(left)}<span class="merge-sign">+</span>${pieceInline(right)}`;

/**
 * @param {object} row
 * @param {string} row.label what the row is, for a screen reader
 * @param {unknown} row.moment changes when pieces with a seam are to be drawn anew, so that a merge is seen to close
 * @param {{text: string, id?: number|string, seam?: [string, string], unknown?: boolean}[]} row.pieces
 *   `seam`: the two pieces that this one was a moment ago; `unknown`: no token has this character
 * @param {boolean} [row.scrolls] where many pieces have little room, the row scrolls and takes the focus to do so
 * @param {boolean} [row.still] no merge is seen to close: nobody has done anything yet
 */
export const piecesRow = ({ label, moment, pieces, still, scrolls }) =>
  html`<ol
    class="pieces ${still ? 'pieces-still' : ''}"
    aria-label=${label}
    tabindex=${scrolls ? '0' : nothing}
  >
    ${pieces.map((piece, index) =>
      // The others keep their elements, whatever they are to say now: new ones cost a slider more than all the rest.
      keyed(piece.seam ? moment : '', drawnPiece(piece, index)),
    )}
  </ol>`;

const drawnPiece = (piece, index) =>
  html`<li
    class="piece ${index % 2 === 1 ? 'piece-odd' : ''} ${piece.seam ? 'piece-fresh' : ''} ${piece.unknown ? 'piece-unknown' : ''}"
  >
    <span
      class="piece-text"
      aria-hidden="true"
      title=${piece.text.length > LONG ? piece.text : nothing}
      >${inside(piece)}</span
    ><span class="spoken">${spokenPiece(piece.text)}</span>${
      piece.id === undefined
        ? nothing
        : html`<span class="piece-id num" data-num>${piece.id}</span>`
    }
  </li>`;
