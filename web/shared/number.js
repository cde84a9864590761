/**
 * The one parser and the one formatter: every number that is typed goes through `parseNumber`, every
 * number that is shown goes through `formatNumber`. Links and CSV use `exactText`, always with a point.
 */

const MINUS = '\u2212';
const formatters = new Map();

function formatter(minimumFractionDigits, maximumFractionDigits) {
  const key = `${minimumFractionDigits}:${maximumFractionDigits}`;
  if (!formatters.has(key)) {
    formatters.set(
      key,
      new Intl.NumberFormat('en-GB', { minimumFractionDigits, maximumFractionDigits }),
    );
  }
  return formatters.get(key);
}

const withMinus = (text) => text.replace(/^-/, MINUS).replace(/e-/, `e${MINUS}`);

/**
 * A number as the reader sees it.
 * @param {number} value
 * @param {{decimals?: number, trim?: boolean}} [options] `decimals` fixes the places after the point
 *   (default 3); `trim` drops zeros at the end, as for values that somebody typed.
 * @returns {string} with a true minus sign and thousands commas; a magnitude that the decimals would
 *   print as zero is given in powers of ten instead, so that small never reads as nothing.
 */
export function formatNumber(value, { decimals = 3, trim = false } = {}) {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  if (value === 0) return trim ? '0' : formatter(decimals, decimals).format(0);
  const size = Math.abs(value);
  if (size >= 1e12 || size < 0.5 * 10 ** -decimals) return withMinus(value.toExponential(1));
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
  value > 0 && value < 0.0005 ? '<.001' : formatNumber(value);

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

/** `exactText` for the eye: with a true minus sign. */
export function formatExact(value) {
  return withMinus(exactText(value));
}

/** A row of numbers in brackets, e.g. [0.85, 0.15]. */
export function formatVector(values, options) {
  return `[${Array.from(values, (value) => formatNumber(value, options)).join(', ')}]`;
}

/**
 * What somebody typed, read as a number.
 * @param {string} text
 * @param {{name?: string, min?: number, max?: number, integer?: boolean}} [rules]
 * @returns {{value: number} | {problem: string}} `problem` is a sentence that says what to type.
 */
export function parseNumber(text, rules = {}) {
  const { name = 'This field' } = rules;
  const trimmed = text.trim().replace(/[\u2212\u2013]/g, '-');
  if (trimmed === '') return { problem: `${name} is empty: type a number.` };
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(trimmed)) {
    const [plain, point] = [trimmed.replaceAll(',', ''), trimmed.replace(',', '.')];
    const fraction = rules.integer || !/^[^,]*,[^,]*$/.test(trimmed) ? '' : `, or ${point}`;
    return { problem: `${name}: write ${trimmed} without commas, ${plain}${fraction}.` };
  }
  if (/^[+-]?\d*,\d+$/.test(trimmed)) {
    return {
      problem: `${name}: write the decimal point as a point, ${trimmed.replace(',', '.')} instead of ${trimmed}.`,
    };
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) {
    const shown = trimmed.length > 20 ? `${trimmed.slice(0, 20)}…` : trimmed;
    return { problem: `${name}: “${shown}” is not a number. Type digits, such as 1.5 or -2.` };
  }
  return checkNumber(Number(trimmed), rules);
}

/** A number held against its rules; the same sentences for a typed, a linked and an attribute's value. */
export function checkNumber(value, { name = 'This field', min, max, integer = false } = {}) {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { problem: `${name} must be a finite number.` };
  }
  if (integer && !Number.isInteger(value)) {
    return { problem: `${name} must be a whole number.` };
  }
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return {
      problem: `${name} must lie between ${formatNumber(min, { trim: true })} and ${formatNumber(max, { trim: true })}.`,
    };
  }
  return { value: value === 0 ? 0 : value };
}
