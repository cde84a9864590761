/**
 * Holds what the slides state against what the module computes. Pure: slides as parse5 trees, golden rows,
 * values and lists go in, sentences come out. The Node test feeds it the slides' sources, the browser suite
 * the page as it stands in a browser.
 */
import { difference } from '../golden/compare.js';
import { attribute } from './slides.js';

const MINUS = '\u2212';
const NUMBER = new RegExp(
  `[-${MINUS}+]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:\\s*×\\s*10\\^?[-${MINUS}]?\\d+|e[-${MINUS}+]?\\d+)?`,
  'g',
);
const POWERS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `×10⁻⁵` written with small digits, as `×10^−5`. */
const plainPowers = (text) =>
  text.replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (small) => {
    const digits = [...small].map((sign) => (sign === '⁻' ? MINUS : POWERS.indexOf(sign))).join('');
    return `^${digits}`;
  });

/**
 * The numbers that a text displays: `{text, value, half}`, `half` being half a unit of the last digit shown.
 * A percent sign after a number divides it by 100.
 */
export function displayed(text) {
  const plain = plainPowers(text);
  return [...plain.matchAll(NUMBER)].map((match) => {
    const [mantissa, power = '0'] = match[0]
      .replaceAll(',', '')
      .replaceAll(MINUS, '-')
      .split(/\s*×\s*10\^?|e/);
    const decimals = mantissa.split('.')[1]?.length ?? 0;
    const percent = /^\s*%/.test(plain.slice(match.index + match[0].length)) ? -2 : 0;
    const exponent = Number(power) + percent;
    return {
      text: match[0],
      value: Number(`${mantissa}e${exponent}`),
      half: Number(`0.5e${exponent - decimals}`),
    };
  });
}

/** Whether a displayed number is a value rounded to the digits displayed. */
export const rounds = ({ value, half }, exact) =>
  Math.abs(value - exact) <= half * (1 + 1e-9) + Math.abs(exact) * 1e-15;

/** `bank.w[2]` → the golden id and the path of indices into its value. */
export function referenceOf(text) {
  const [, id, indices] = /^([^[\]]+)((?:\[\d+\])*)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  return { id, path: [...indices.matchAll(/\d+/g)].map(Number) };
}

const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
const flat = (value) => (isList(value) ? Array.from(value).flatMap(flat) : [value]);
const valueAt = (value, path) => path.reduce((inner, index) => inner?.[index], value);
const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

/** Text as a reader takes it in: superscripts of a figure are powers. */
export function textOf(node) {
  let text = '';
  const collect = (inner) => {
    if (inner.nodeName === '#text') text += inner.value;
    else if (inner.tagName === 'sup') {
      text += '^';
      inner.childNodes.forEach(collect);
    } else inner.childNodes?.forEach(collect);
  };
  node.childNodes.forEach(collect);
  return squeeze(text);
}

/** What one stated figure says against its value; nothing when it is right. */
export function figureProblem(reference, text, values) {
  const found = referenceOf(reference);
  if (!found) return `“${reference}” is not the id of a figure`;
  if (!values.has(found.id)) return `no golden figure has the id “${found.id}”`;
  const value = valueAt(values.get(found.id), found.path);
  if (value === undefined) return `${reference} leads past the end of ${found.id}`;
  const exact = flat(value);
  if (exact.some((item) => typeof item === 'string')) {
    const wanted = exact.join(' ');
    return squeeze(text) === wanted
      ? undefined
      : `${reference} is “${wanted}”, the slide says “${text}”`;
  }
  const shown = displayed(text);
  if (shown.length !== exact.length) {
    return `${reference} holds ${exact.length} number(s), the slide shows “${text}”`;
  }
  // What is left of the text when its numbers are gone must not hide another digit.
  const rest = plainPowers(text).replace(NUMBER, '');
  if (/\p{N}/u.test(rest)) return `${reference}: “${text}” holds digits that are no number`;
  const wrong = shown.findIndex((number, index) => !rounds(number, Number(exact[index])));
  if (wrong === -1) return undefined;
  return `${reference} is ${exact[wrong]}, the slide says “${text}”`;
}

const SKIPPED = new Set(['m-tex', 'code', 'pre', 'math', 'script', 'style', 'template']);
const SPOKEN = ['aria-label', 'alt', 'title', 'aria-description', 'placeholder'];
const INLINE = new Set(
  'a abbr b bdi cite dfn em i kbd mark q s small span strong sub sup time u var wbr'.split(' '),
);

const isFormula = (node) =>
  SKIPPED.has(node.tagName) ||
  (attribute(node, 'class') ?? '')
    .split(/\s+/)
    .some((name) => name === 'katex' || name === 'katex-display');

/** What a slide states: its figures and the text around them. */
export function readSlide({ node }) {
  const figures = [];
  const simulators = [];
  const text = [];
  const visit = (inner) => {
    if (inner.nodeName === '#text') {
      text.push(inner.value);
      return;
    }
    if (!inner.tagName) return;
    if (isFormula(inner)) {
      text.push(' ');
      return;
    }
    for (const name of SPOKEN) {
      const value = attribute(inner, name);
      if (value !== undefined) text.push(`\n${value}\n`);
    }
    const reference = attribute(inner, 'data-figure');
    if (reference !== undefined) {
      figures.push({ reference, text: textOf(inner) });
      text.push(' ');
      return;
    }
    if (inner.tagName.startsWith('attn-')) {
      simulators.push(inner.tagName);
      text.push(' ');
      return;
    }
    const edge = INLINE.has(inner.tagName) ? '' : '\n';
    text.push(edge);
    inner.childNodes.forEach(visit);
    text.push(edge);
  };
  node.childNodes.forEach(visit);
  return { figures, simulators, text: text.join('') };
}

// ① to ⑳ are the names of steps, as a bullet is: they state no number.
const DIGIT = '(?![\\u2460-\\u2473])\\p{N}';
const LONE = new RegExp(
  `[^\\s\\p{N}]{0,12}\\s?${DIGIT}(?:${DIGIT}|[.,])*\\s?[^\\s\\p{N}]{0,12}`,
  'gu',
);

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+');

/** An allowed text, found only where it stands by itself: “20” is not in “2017” nor in “1.20”. */
const allowedPattern = (text) =>
  new RegExp(`(?<![\\p{N}])(?<!\\p{N}[.,])${escaped(text)}(?![\\p{N}])(?![.,]\\p{N})`, 'gu');

/** The digits of a slide's text that no list explains, and the listed texts that the slide does not hold. */
export function strayDigits(text, listed) {
  let rest = text;
  const unused = [];
  for (const entry of [...listed].sort((a, b) => b.text.length - a.text.length)) {
    const pattern = allowedPattern(entry.text);
    if (!pattern.test(text)) unused.push(entry.text);
    rest = rest.replace(pattern, (match) => ' '.repeat(match.length));
  }
  const stray = [...rest.matchAll(LONE)].map((match) => squeeze(match[0]));
  return { stray, unused };
}

/**
 * Everything that is wrong with the figures of a deck.
 * @param {object} deck
 * @param {{slide: string, node: object}[]} deck.slides
 * @param {Map<string, unknown>} deck.values what the module computes, by golden id
 * @param {{id: string, slide: number|string, role: string}[]} deck.rows the golden rows
 * @param {Record<string, {text: string, source: string}[]>} deck.numbers slides/numbers.json
 * @param {Record<string, string>} deck.leftOut slides/left-out.json: id → reason
 * @param {Record<string, string[]>} deck.simulatorFigures tag → the golden ids that it shows
 * @returns {string[]}
 */
export function checkDeck({ slides, values, rows, numbers, leftOut, simulatorFigures }) {
  const complaints = [];
  const shownIds = new Set();
  const present = new Set();
  for (const slide of slides) {
    const where = `slide ${slide.slide}`;
    present.add(slide.slide);
    const { figures, simulators, text } = readSlide(slide);
    for (const { reference, text: stated } of figures) {
      const problem = figureProblem(reference, stated, values);
      if (problem) complaints.push(`${where}: ${problem}`);
      else shownIds.add(referenceOf(reference).id);
    }
    for (const tag of simulators) {
      for (const id of simulatorFigures[tag] ?? []) shownIds.add(id);
    }
    const listed = numbers[slide.slide] ?? [];
    for (const { text: entry, source } of listed) {
      if (!entry || !/\p{N}/u.test(entry))
        complaints.push(`${where}: numbers.json lists “${entry}”, which has no digit`);
      if (typeof source !== 'string' || source.trim().length < 3) {
        complaints.push(`${where}: numbers.json gives no source for “${entry}”`);
      }
    }
    const { stray, unused } = strayDigits(
      text,
      listed.filter((item) => item.text),
    );
    for (const found of stray) {
      complaints.push(`${where}: “${found}” is neither a figure nor listed in numbers.json`);
    }
    for (const entry of unused)
      complaints.push(`${where}: numbers.json lists “${entry}”, which the slide does not say`);
  }
  for (const slide of Object.keys(numbers)) {
    if (!present.has(slide))
      complaints.push(`numbers.json lists slide ${slide}, which the deck does not have`);
  }
  for (const { id, slide, role } of rows) {
    const needed = role === 'shown' && present.has(String(slide));
    if (needed && !shownIds.has(id) && !leftOut[id]) {
      complaints.push(
        `slide ${slide}: the figure ${id} is neither shown nor listed in left-out.json`,
      );
    }
  }
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [id, reason] of Object.entries(leftOut)) {
    if (!known.has(id)) complaints.push(`left-out.json names ${id}, which is no golden figure`);
    else if (shownIds.has(id)) complaints.push(`left-out.json names ${id}, which is shown`);
    else if (!present.has(String(known.get(id).slide)) || known.get(id).role !== 'shown') {
      complaints.push(`left-out.json names ${id}, which no slide of this deck has to show`);
    }
    if (typeof reason !== 'string' || reason.trim().length < 10) {
      complaints.push(`left-out.json gives no reason for ${id}`);
    }
  }
  return complaints;
}

/** A golden row against what the module computes: its full-precision value, and its printed digits. */
export function rowProblems(row, value) {
  const complaints = [];
  const differs = row.tolerance_kind === 'none' ? null : difference(row, value);
  if (differs !== null) complaints.push(differs);
  if (row.printed === null || row.status !== 'ok') return complaints;
  const [actual, printed, tolerances] = [value, row.printed, row.tolerance_printed].map(flat);
  if (printed.length !== actual.length) return complaints;
  printed.forEach((text, index) => {
    const tolerance = tolerances[index] ?? tolerances[0];
    const [number] = displayed(String(text));
    if (tolerance === null || tolerance === undefined || !number) return;
    // Printed percentages are bare numbers there, so no sign divides them.
    if (Math.abs(number.value - Number(actual[index])) > tolerance * (1 + 1e-9)) {
      complaints.push(
        `${row.id}[${index}]: the module computes ${actual[index]}, printed is ${text}`,
      );
    }
  });
  return complaints;
}
