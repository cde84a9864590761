/**
 * The table of embed.html: what of each simulator fits below the heading of a slide, how high its frame is, and its single file. Made of
 * what `npm run heights` measured.
 */
import { COLUMNS } from '../../shared/embed-text.js';
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { escapeText } from './tree.mjs';

/** What a slide may hide, one after the other, until the rest fits; in the order of heights.json. */
export const LADDER = ['', 'cases', 'cases,toolbar', 'cases,toolbar,sentence'];

const DECKS = [
  ['reveal', 'reveal.js'],
  ['marp', 'Marp'],
  ['slidev', 'Slidev'],
];

const px = (value) => formatNumber(value, { decimals: 0 });
const code = (text) => `<code translate="no">${escapeText(text)}</code>`;

/**
 * The least that has to be hidden so that a simulator fits.
 * @param {number[]} heights with each rung of the ladder hidden
 * @param {number} room
 * @returns {string | undefined} a value of `hide`; undefined where nothing helps
 */
export const leastHidden = (heights, room) => LADDER[heights.findIndex((height) => height <= room)];

function fitsText(heights, room) {
  const hide = leastHidden(heights, room);
  if (hide === undefined) return escapeText(msg('on a slide without a heading'));
  return hide === '' ? escapeText(msg('fits')) : code(`hide="${hide}"`).replaceAll(',', ',<wbr>');
}

/**
 * @param {object} what
 * @param {{rooms: Record<string, {width: number, height: number}>, heights: Record<string, Record<string, object>>}} what.measured
 * @param {string} what.language
 * @param {string} what.up from the page to the top of the site
 * @param {{name: string, title: string}[]} what.simulators
 * @returns {{rooms: string, table: string}} what a slide leaves, in words; the table
 */
export function fitsMarkup({ measured: { rooms, heights }, language, up, simulators }) {
  const said = DECKS.map(([deck, title]) => {
    const [width, height] = [rooms[deck].width, rooms[deck].height].map(px);
    return msg(str`${title} ${width} × ${height} px`);
  });
  const heads = [
    msg('Simulator'),
    ...DECKS.map(([, title]) => title),
    ...COLUMNS.map((column) => {
      const width = px(column);
      return msg(str`Frame, ${width} px`);
    }),
    msg('One file'),
  ];
  // One that was not measured yet is left out; the test of the recipes names it.
  const rows = simulators
    .filter(({ name }) => heights[language][name])
    .map(({ name, title }) => {
      const { slides, frames } = heights[language][name];
      const cells = [
        ...DECKS.map(([deck]) => fitsText(slides[rooms[deck].width], rooms[deck].height)),
        ...COLUMNS.map((column) => px(frames[column])),
        `<span data-single="${name}.html" hidden><a href="${up}${name}.html" download>${name}.html</a> (<data value="">?</data>)</span>`,
      ];
      const link = `<a href="elements/${name}.html">${escapeText(title)}</a>`;
      return `<tr><th scope="row">${link}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    });
  const label = msg('What fits on a slide, and how high a frame is');
  return {
    rooms: escapeText(said.join(', ')),
    table: `<div class="recipe-table" tabindex="0" role="group" aria-label="${escapeText(label)}"><table><thead><tr>${heads
      .map((head) => `<th scope="col">${escapeText(head)}</th>`)
      .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  };
}
