/**
 * Whether a computed value meets a row of a golden file. One rule for every reader of the rows:
 * `tolerance_computed` is relative; absolute where the golden value is 0 or a rounding residue;
 * words and switches must be equal; `bound` rows may not exceed their bound.
 */

/** Below this a golden number is what rounding left of a zero. */
const RESIDUE = 1e-12;

/**
 * @param {{ id: string, computed: unknown, tolerance_kind: string, tolerance_computed: number,
 *   bound?: number }} row
 * @param {unknown} value
 * @returns {string | null}  The first difference, in words; null when the value meets the row.
 */
export function difference(row, value) {
  if (row.tolerance_kind === 'none') return `${row.id} was measured elsewhere: it cannot be met`;
  if (row.tolerance_kind === 'bound') {
    const met = within(value, 0, Number(row.bound));
    return met ? null : `${row.id} is ${value}, outside its bound ${row.bound}`;
  }
  return walk(row.id, row.computed, value, row.tolerance_computed);
}

/**
 * @param {string} path
 * @param {any} golden
 * @param {any} value
 * @param {number} tolerance
 * @returns {string | null}
 */
function walk(path, golden, value, tolerance) {
  if (Array.isArray(golden)) {
    const list = ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value;
    if (!Array.isArray(list)) return `${path} is ${value}, not a list`;
    if (list.length !== golden.length) {
      return `${path} has ${list.length} elements, not ${golden.length}`;
    }
    return first(golden.keys(), (i) => walk(`${path}[${i}]`, golden[i], list[i], tolerance));
  }
  if (typeof golden === 'object' && golden !== null) {
    return first(Object.keys(golden), (key) =>
      walk(`${path}.${key}`, golden[key], value?.[key], tolerance),
    );
  }
  if (typeof golden === 'number') {
    const allowed = Math.abs(golden) < RESIDUE ? tolerance : tolerance * Math.abs(golden);
    return within(value, golden, allowed) ? null : `${path} is ${value}, not ${golden}`;
  }
  return value === golden ? null : `${path} is ${value}, not ${golden}`;
}

/**
 * @param {unknown} value
 * @param {number} golden
 * @param {number} allowed
 */
function within(value, golden, allowed) {
  // NaN meets nothing.
  return typeof value === 'number' && Math.abs(value - golden) <= allowed;
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => string | null} look
 */
function first(items, look) {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}
