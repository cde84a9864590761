/**
 * The one parser and the one formatter: every number that is typed goes through `parseNumber`, every
 * number that is shown goes through `formatNumber`, in the way of the page's language: 1,024.5 in English, 1.024,5 in
 * Brazilian Portuguese. Links, attributes and CSV are the same in every language: `exactText`, always with a point.
 */
import { SOURCE, language, msg, str } from './language.js';

const MINUS = '\u2212';
const WAYS = {
  en: { intl: 'en-GB', point: '.', thousands: ',', between: ', ' },
  // Between two numbers with commas another comma would be one too many.
  'pt-BR': { intl: 'pt-BR', point: ',', thousands: '.', between: '; ' },
};
const way = (spoken = language()) => WAYS[spoken];
const formatters = new Map();

function formatter(minimumFractionDigits, maximumFractionDigits) {
  const { intl } = way();
  const key = `${intl}:${minimumFractionDigits}:${maximumFractionDigits}`;
  if (!formatters.has(key)) {
    formatters.set(
      key,
      new Intl.NumberFormat(intl, { minimumFractionDigits, maximumFractionDigits }),
    );
  }
  return formatters.get(key);
}

/** What JavaScript prints, for the eye: with a true minus sign and the language's decimal sign. */
export const forTheEye = (text) =>
  text.replace(/^-/, MINUS).replace(/e-/, `e${MINUS}`).replace('.', way().point);
const withMinus = (text) => text.replace(/^-/, MINUS);

/**
 * A number as the reader sees it.
 * @param {number} value
 * @param {{decimals?: number, trim?: boolean}} [options] `decimals` fixes the places after the point
 *   (default 3); `trim` drops zeros at the end, as for values that somebody typed.
 * @returns {string} with a true minus sign and a sign at each thousand; a magnitude that the decimals would
 *   print as zero is given in powers of ten instead, so that small never reads as nothing.
 */
export function formatNumber(value, { decimals = 3, trim = false } = {}) {
  if (Number.isNaN(value)) return msg('not a number');
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  if (value === 0) return trim ? '0' : formatter(decimals, decimals).format(0);
  const size = Math.abs(value);
  if (size >= 1e12 || size < 0.5 * 10 ** -decimals) return forTheEye(value.toExponential(1));
  const text = formatter(trim ? 0 : decimals, decimals).format(value);
  return withMinus(text);
}

const POWERS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A share as whole per cent without the sign, for a map whose caption has it, e.g. 0.174 → "17", 0.002 → "<1". */
export function formatWholePercent(share) {
  if (share > 0 && share < 0.005) return '<1';
  return Number.isNaN(share) ? 'NaN' : formatNumber(100 * share, { decimals: 0 });
}

/** A power of ten as it is printed, e.g. −4 → "10⁻⁴". */
export const formatPowerOfTen = (exponent) =>
  `10${String(exponent)
    .replaceAll('-', '⁻')
    .replace(/\d/g, (digit) => POWERS[digit])}`;

/** Two digits that count, of a value that may have any size, e.g. 0.000485 → "4.9 × 10⁻⁴". */
export function formatMagnitude(value) {
  const [digits, exponent] = value.toExponential(1).split('e').map(Number);
  if (!Number.isFinite(value) || value === 0) return formatNumber(value, { trim: true });
  if (exponent >= -2 && exponent < 3)
    return formatNumber(value, { decimals: Math.max(0, 1 - exponent) });
  return `${formatNumber(digits, { decimals: 1 })}\u00a0×\u00a0${formatPowerOfTen(exponent)}`;
}

/** A weight where there is room for five characters: one that three decimals would print as zero says that it is less. */
export const formatWeight = (value) =>
  value > 0 && value < 0.0005 ? `<${way().point}001` : formatNumber(value);

/** A count with every digit, however large: what is counted exactly is shown exactly. */
export const formatCount = (value) =>
  Number.isSafeInteger(value)
    ? withMinus(formatter(0, 0).format(value))
    : formatNumber(value, { decimals: 0 });

/** What is counted, in the singular for one. */
export const plural = (value, one, more = `${one}s`) => (value === 1 ? one : more);

/** A count and what is counted, e.g. 1 → "1 token", 1,024 → "1,024 tokens". */
export const many = (value, one, more) => `${formatCount(value)} ${plural(value, one, more)}`;

/** A share between 0 and 1 as a percentage, e.g. 0.62 → "62.0 %". */
export function formatPercent(share, decimals = 1) {
  return `${formatNumber(share * 100, { decimals })}\u00a0%`;
}

/** A count in millions, or bytes in MB, e.g. 327,680 → "0.33". */
export const formatMillions = (value, decimals = 2) => formatNumber(value / 1e6, { decimals });

/** A count in billions, or bytes in GB, e.g. 1,342,177,280 → "1.34". */
export const formatBillions = (value, decimals = 2) => formatNumber(value / 1e9, { decimals });

/** Places after the point that leave three digits that count. */
const placesOf = (value) => (value >= 100 ? 0 : value >= 10 ? 1 : 2);

/** How many times one thing is another: three digits that count, the zeros among them. */
export const formatTimes = (value) => formatNumber(value, { decimals: placesOf(value) });

/** Three digits that count, without zeros at the end, and a comma at each thousand, e.g. 5543.4 → "5,543". */
export const formatShort = (value) =>
  formatNumber(value, { decimals: placesOf(value), trim: true });

/** A value with the largest of some units, each `step` times the one before, that leaves it at 1 or more as printed. */
function withUnit(value, step, units) {
  let at = 0;
  let scaled = value;
  while (Number(scaled.toFixed(placesOf(scaled))) >= step && at < units.length - 1) {
    scaled /= step;
    at += 1;
  }
  return `${formatShort(scaled)}\u00a0${units[at]}`;
}

/** Bytes in binary units, e.g. 536,870,912 → "512 MiB". */
export const formatBytes = (bytes) =>
  withUnit(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']);

/** Bytes in decimal units, as data sheets and disks count them, e.g. 34,359,738,368 → "34.4 GB". */
export const formatDecimalBytes = (bytes) =>
  withUnit(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);

/** Operations, e.g. 17,179,869,184 → "17.2 G". */
export const formatOperations = (count) =>
  withUnit(count, 1000, ['', 'k', 'M', 'G', 'T', 'P', 'E']).trim();

/** A time that was measured, e.g. 1234.5 → "1.23 s". */
export const formatTime = (ms) => withUnit(ms, 1000, ['ms', 's']);

/** A time that was reckoned, e.g. 0.0146 → "14.6 ms". */
export const formatSeconds = (seconds) =>
  withUnit(shifted(seconds, 9), 1000, ['ns', 'µs', 'ms', 's', 'ks', 'Ms']);

/**
 * A number with its decimal point moved, as whoever writes 3.35 and means 3.35 × 10¹² does: no digit changes, so that
 * moving it back gives the same number.
 */
export function shifted(value, places) {
  const [digits, power = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(power) + places}`);
}

/** A short time that was measured, e.g. 0.0109 → "10.9 µs". */
export const formatShortTime = (ms) => withUnit(ms * 1000, 1000, ['µs', 'ms', 's']);

/** Every digit of a double, as JavaScript reads it back: for links, CSV and "exact values". */
export function exactText(value) {
  return Object.is(value, -0) ? '0' : String(value);
}

/** `exactText` for the eye: with a true minus sign and the language's decimal sign. */
export function formatExact(value) {
  return forTheEye(exactText(value));
}

/** A value as a field shows it that is edited where it stands: what was typed, without padding or thousands. */
export const formatPlain = (value) =>
  formatNumber(value, { decimals: 6, trim: true }).replaceAll(way().thousands, '');

/** What stands between two numbers of a row: a comma, and where that is the decimal sign, a semicolon. */
export const between = () => way().between;

/** A row of numbers in brackets, e.g. [0.85, 0.15]. */
export function formatVector(values, options) {
  return `[${Array.from(values, (value) => formatNumber(value, options)).join(between())}]`;
}

/** A field that has no name of its own, in a sentence. */
const thisField = () => msg('This field');

/** Digits in threes that commas keep apart: thousands, or a decimal comma. English asks which. */
function readCommas(typed, { name, integer }) {
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(typed)) {
    const [plain, point] = [typed.replaceAll(',', ''), typed.replace(',', '.')];
    return integer || !/^[^,]*,[^,]*$/.test(typed)
      ? msg(str`${name}: write ${typed} without commas, ${plain}.`)
      : msg(str`${name}: write ${typed} without commas, ${plain}, or ${point}.`);
  }
  if (/^[+-]?\d*,\d+$/.test(typed)) {
    const point = typed.replace(',', '.');
    return msg(str`${name}: write the decimal point as a point, ${point} instead of ${typed}.`);
  }
  return undefined;
}

/**
 * The same where the comma is the decimal sign: a point is taken as one too, except where it may as well keep
 * thousands apart, 131.072. That is asked, and never guessed.
 */
function readPoints(typed, { name, integer }) {
  if (!/^[+-]?[1-9]\d{0,2}(\.\d{3})+$/.test(typed)) return undefined;
  const [plain, comma] = [typed.replaceAll('.', ''), typed.replace('.', ',')];
  return integer || !/^[^.]*\.[^.]*$/.test(typed)
    ? msg(str`${name}: write ${typed} without points, ${plain}.`)
    : msg(str`${name}: is ${typed} meant as ${plain} or as ${comma}? Write one of the two.`);
}

/**
 * What somebody typed, read as a number.
 * @param {string} text
 * @param {{name?: string, min?: number, max?: number, integer?: boolean}} [rules]
 * @param {string} [spoken] the language whose decimal sign is used; attributes are written the English way
 * @returns {{value: number} | {problem: string}} `problem` is a sentence that says what to type.
 */
export function parseNumber(text, rules = {}, spoken = language()) {
  const { name = thisField(), integer } = rules;
  const typed = text.trim().replace(/[\u2212\u2013]/g, '-');
  if (typed === '') return { problem: msg(str`${name} is empty: type a number.`) };
  const english = spoken === SOURCE;
  const problem = (english ? readCommas : readPoints)(typed, { name, integer });
  if (problem) return { problem };
  const plain = english ? typed : typed.replace(/^([+-]?\d*),/, '$1.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) {
    const shown = typed.length > 20 ? `${typed.slice(0, 20)}…` : typed;
    return {
      problem: msg(str`${name}: “${shown}” is not a number. Type digits, such as 1.5 or -2.`),
    };
  }
  return checkNumber(Number(plain), rules);
}

/** A number held against its rules; the same sentences for a typed, a linked and an attribute's value. */
export function checkNumber(value, { name = thisField(), min, max, integer = false } = {}) {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { problem: msg(str`${name} must be a finite number.`) };
  }
  if (integer && !Number.isInteger(value)) {
    return { problem: msg(str`${name} must be a whole number.`) };
  }
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    const [least, most] = [min, max].map((end) => formatNumber(end, { trim: true }));
    return { problem: msg(str`${name} must lie between ${least} and ${most}.`) };
  }
  return { value: value === 0 ? 0 : value };
}
