/** Real texts of this machine for `npm run bench:tokens`, each of about a megabyte; nothing is downloaded. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { randomNumbers } from '../tokens/texts.mjs';

const BYTES = 1_000_000;

const filesIn = (folder, ending) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => path.join(folder, name))
    : [];

/** Pieces one after another until there are enough bytes; undefined when there are less than half of them. */
function joined(pieces, limit = BYTES) {
  const seen = new Set();
  const parts = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (seen.has(piece)) continue;
    seen.add(piece);
    parts.push(piece);
    bytes += Buffer.byteLength(piece) + 1;
    if (bytes >= limit) break;
  }
  return bytes * 2 < limit ? undefined : parts.join('\n');
}

/** The prose of manual pages: lines that are no macros, without the escapes. */
function* manualPages() {
  for (const file of filesIn('/usr/share/man/man1', '.1.gz')) {
    const prose = gunzipSync(readFileSync(file))
      .toString('utf8')
      .split('\n')
      .filter((line) => line && !/^[.']/.test(line))
      .join('\n')
      .replace(/\\f[BIRPCW]|\\f\([A-Z]{2}|\\&|\\\|/g, '')
      .replace(/\\\(?(em|en|-|aq|lq|rq|dq)/g, (_, sign) => ({ '-': '-' })[sign] ?? '"');
    if (prose.length > 2000) yield prose;
  }
}

/** The translations in the message files of a language. */
function* messages(language) {
  for (const file of filesIn(`/usr/share/locale/${language}/LC_MESSAGES`, '.mo')) {
    const bytes = readFileSync(file);
    if (bytes.readUInt32LE(0) !== 0x950412de) continue;
    const count = bytes.readUInt32LE(8);
    const table = bytes.readUInt32LE(16);
    // The first is the file's own head.
    for (let i = 1; i < count; i += 1) {
      const length = bytes.readUInt32LE(table + 8 * i);
      const at = bytes.readUInt32LE(table + 8 * i + 4);
      yield bytes.toString('utf8', at, at + length).replaceAll('\0', '\n');
    }
  }
}

function* python() {
  for (const folder of filesIn('/usr/lib', '').filter((name) => /python3\.\d+$/.test(name))) {
    for (const file of filesIn(folder, '.py')) yield readFileSync(file, 'utf8');
  }
}

function* chained(...generators) {
  for (const generator of generators) yield* generator;
}

/** @returns {Record<string, string | undefined>} undefined where this machine has no such text */
export function realTexts() {
  const russian = joined(messages('ru'), BYTES / 2);
  const japanese = joined(messages('ja'), BYTES / 2);
  return {
    English: joined(manualPages()),
    Portuguese: joined(chained(messages('pt_BR'), messages('pt'))),
    'Russian + Japanese': russian && japanese && `${russian}\n${japanese}`,
    code: joined(python()),
  };
}

/** Texts on which encoders have been quadratic. */
export function hardTexts() {
  const random = randomNumbers(7);
  const bytes = Uint8Array.from({ length: 100_000 }, () => random(256));
  return {
    "'a' x 100,000": 'a'.repeat(100_000),
    '100,000 spaces': ' '.repeat(100_000),
    // As every encoder here takes a string: what is no UTF-8 has become U+FFFD.
    '100 KB of random bytes': new TextDecoder().decode(bytes),
  };
}
