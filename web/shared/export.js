/**
 * A simulator's answer carried away: as a table (CSV) and as a picture (SVG, PNG).
 * The picture is drawn from the same rows as the table, by a short display list that either format paints,
 * so that no page element has to be photographed and no policy has to be loosened.
 */
import { exactText } from './number.js';

const csvCell = (value) => {
  const text = typeof value === 'number' ? exactText(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV (RFC 4180): every digit of every number, always with a point. */
export const toCSV = (rows) => `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

const FONT = "'Atkinson Text', 'Atkinson Hyperlegible Next', 'Segoe UI', Arial, sans-serif";
const ROW = 34;
const PAD = 24;
const INK = '#191b20';
const SOFT = '#4a4e57';

const widthOf = (text) => 9.6 * String(text).length + 28;

/**
 * The display list of a table with a title and a closing sentence.
 * @param {{title: string, head: string[], rows: string[][], weights?: number[], sentence: string}} table
 *   `weights` draws a bar behind the last column, one share for each row.
 */
function layOut({ title, head, rows, weights, sentence }) {
  const widths = head.map((text, column) =>
    Math.max(
      widthOf(text),
      ...rows.map((row) => widthOf(row[column])),
      weights && column === head.length - 1 ? 170 : 0,
    ),
  );
  const total = widths.reduce((sum, width) => sum + width, 0);
  const width = Math.max(total, widthOf(title) * 1.25, widthOf(sentence) * 0.9) + 2 * PAD;
  const items = [];
  const text = (x, y, content, options = {}) =>
    items.push({
      kind: 'text',
      x,
      y,
      content,
      size: 17,
      weight: 400,
      fill: INK,
      anchor: 'start',
      ...options,
    });
  const rule = (y, height) =>
    items.push({ kind: 'rect', x: PAD, y, width: width - 2 * PAD, height, fill: '#d8d3c6' });

  text(PAD, PAD + 20, title, { size: 22, weight: 700 });
  let y = PAD + 44;
  const line = (cells, options) => {
    let x = PAD;
    cells.forEach((cell, column) => {
      const first = column === 0;
      text(first ? x : x + widths[column] - 14, y + 23, cell, {
        anchor: first ? 'start' : 'end',
        ...options,
      });
      x += widths[column];
    });
    y += ROW;
  };
  line(head, { fill: SOFT, weight: 600 });
  rule(y, 1.5);
  rows.forEach((row, index) => {
    if (weights) {
      const x = PAD + total - widths.at(-1);
      items.push({
        kind: 'rect',
        x,
        y: y + 6,
        width: (widths.at(-1) - 84) * weights[index],
        height: ROW - 12,
        fill: '#5a2ca0',
      });
    }
    line(row, {});
    rule(y, 0.75);
  });
  text(PAD, y + 32, sentence, { weight: 600 });
  return { items, width: Math.ceil(width), height: Math.ceil(y + 32 + PAD) };
}

const escapeXml = (text) =>
  String(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The picture as an SVG document, complete by itself. */
export function toSVG(table) {
  const { items, width, height } = layOut(table);
  const drawn = items.map((item) =>
    item.kind === 'rect'
      ? `<rect x="${item.x}" y="${item.y}" width="${item.width.toFixed(2)}" height="${item.height}" fill="${item.fill}"/>`
      : `<text x="${item.x}" y="${item.y}" font-size="${item.size}" font-weight="${item.weight}" fill="${item.fill}" text-anchor="${item.anchor}">${escapeXml(item.content)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" role="img">`,
    `<title>${escapeXml(table.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** The same picture as a PNG blob, at twice the size for projectors. */
export async function toPNG(table) {
  const { items, width, height } = layOut(table);
  const canvas = document.createElement('canvas');
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  const context = canvas.getContext('2d');
  context.scale(2, 2);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  for (const item of items) {
    context.fillStyle = item.fill;
    if (item.kind === 'rect') {
      context.fillRect(item.x, item.y, item.width, item.height);
    } else {
      context.font = `${item.weight} ${item.size}px ${FONT}`;
      context.textAlign = item.anchor;
      context.fillText(item.content, item.x, item.y);
    }
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Hands a file to the reader's own download folder. */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
