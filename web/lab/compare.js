/**
 * What a student's program gave, held against what the C++ gives. Each function answers null when it is right, else one
 * sentence that says where it is not. What arrives here was made by somebody else's program: nothing about its shape is
 * taken for granted.
 */
import { msg, str } from '../shared/language.js';
import { formatNumber } from '../shared/number.js';

/** Rounding differs with the order of a sum; a wrong formula differs by far more. */
const TOLERANCE = 1e-6;
/** Deeper or longer than any answer asked for here. */
const DEEPEST = 4;
const MOST = 100_000;

const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** The numbers of nested lists in one list, row by row; undefined where there is anything else. */
function numbersOf(value, depth = 0) {
  if (typeof value === 'number') return [value];
  if (!isList(value) || value instanceof DataView || depth > DEEPEST || value.length > MOST)
    return undefined;
  const all = [];
  for (const item of value) {
    const inner = numbersOf(item, depth + 1);
    if (!inner || all.length + inner.length > MOST) return undefined;
    for (const number of inner) all.push(number);
  }
  return all;
}

/** Large enough for any digit that matters, short enough to be read. */
const told = (number) =>
  formatNumber(number, { decimals: Math.abs(number) >= 1000 ? 0 : 4, trim: true });

const nothing = (name) => msg(str`Nothing came back for ${name}. Is there a return at the end?`);

/** Where two lists differ; rows and columns are counted from 1, as students count them. */
function difference(name, at, columns, yours, ours) {
  if (columns > 0) {
    const [row, column] = [Math.floor(at / columns) + 1, (at % columns) + 1];
    return msg(
      str`In ${name}, row ${row}, column ${column}: yours is ${yours}, the C++ has ${ours}.`,
    );
  }
  const place = at + 1;
  return msg(str`In ${name}, place ${place}: yours is ${yours}, the C++ has ${ours}.`);
}

/**
 * Whether lists of numbers are those that are wanted.
 * @param {string} name  As the task calls it.
 * @param {unknown} got  Nested as it likes.
 * @param {ArrayLike<number>} wanted  Row by row.
 * @param {{columns?: number, tolerance?: number}} [options]
 * @returns {string | null}
 */
export function sameNumbers(name, got, wanted, { columns = 0, tolerance = TOLERANCE } = {}) {
  if (got === undefined || got === null) return nothing(name);
  const numbers = isList(got) ? numbersOf(got) : undefined;
  if (!numbers)
    return msg(str`For ${name} a list of numbers is wanted, and something else came back.`);
  if (numbers.length !== wanted.length) {
    const [many, count] = [wanted.length, numbers.length];
    return msg(str`For ${name} ${many} numbers are wanted, and ${count} came back.`);
  }
  const at = numbers.findIndex((number, i) => !isNear(number, wanted[i], tolerance));
  if (at === -1) return null;
  return difference(name, at, columns, told(numbers[at]), told(wanted[at]));
}

/** Whether one number is that which is wanted. */
export function sameNumber(name, got, wanted, { tolerance = TOLERANCE } = {}) {
  if (got === undefined || got === null) return nothing(name);
  if (typeof got !== 'number')
    return msg(str`For ${name} a number is wanted, and something else came back.`);
  if (isNear(got, wanted, tolerance)) return null;
  const [yours, ours] = [told(got), told(wanted)];
  return msg(str`For ${name} yours is ${yours}, the C++ has ${ours}.`);
}

/** Whether it is an object at all, whose fields can be asked for. */
export const fieldsOf = (value) =>
  typeof value === 'object' && value !== null && !isList(value) ? value : {};

function isNear(number, wanted, tolerance) {
  return Math.abs(number - wanted) <= tolerance * (1 + Math.abs(wanted));
}
