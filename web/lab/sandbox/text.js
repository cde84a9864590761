/** Values as text, for people to read: numbers short, lists and objects to a depth, nothing endless. */

const LONGEST = 2000;
const DEEPEST = 4;
const MOST_ITEMS = 40;

/** @param {unknown} value */
export function textOf(value) {
  const text = typeof value === 'string' ? value : inner(value, 0);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

function inner(value, depth) {
  // A count of bytes is read to the last digit.
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return ofObject(value, depth);
  } catch {
    // A getter or a proxy of somebody's that throws.
    return '(an object that cannot be read)';
  }
}

function ofObject(value, depth) {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const items = Array.from(value.slice(0, MOST_ITEMS), (item) => inner(item, depth + 1));
    if (value.length > MOST_ITEMS) items.push(`… ${value.length} in all`);
    return `[${items.join(', ')}]`;
  }
  const names = Object.keys(value);
  const fields = names
    .slice(0, MOST_ITEMS)
    .map((name) => `${name}: ${inner(value[name], depth + 1)}`);
  if (names.length > MOST_ITEMS) fields.push('…');
  return `{ ${fields.join(', ')} }`;
}
