import { AttentionDeckError, describe } from './errors.js';

/**
 * Everything that a caller passes is turned into plain data here, before C++ sees it: a getter, a
 * proxy or a lying `length` is the caller's code, and it must neither run nor throw inside a call.
 *
 * @typedef {'scalar' | 'floats' | 'float32' | 'numbers' | 'bytes' | 'integers' | 'counts' | 'text' | 'texts' | 'ids_by_text' |
 *   'out' | 'ids_out' | 'host' |
 *   { [field: string]: Kind }} Kind
 *   scalar: a number, string or boolean; floats: numbers in the call's dtype; float32: in that precision always; numbers: the same, or
 *   what the module keeps (`kept`), which is handed on as it is; bytes: yes or no per
 *   element; integers: 32 bits, signed; counts: the same from 0 on; text: a string or its UTF-8; texts: a list of them, which
 *   becomes `Texts`; ids_by_text: an object of numbers, which becomes `Texts` with `ids`; out: an
 *   earlier result; ids_out: an Int32Array to write into; host: an object of the browser's, handed on as it is; an
 *   object: options within the option.
 * @typedef {{ bytes: Uint8Array, lengths: Int32Array }} Texts  One after another, and how long each is.
 * @typedef {Float64ArrayConstructor | Float32ArrayConstructor} Floats
 * @typedef {Float64Array | Float32Array | Int32Array | Uint8Array} Numbers
 */

/** Plain arrays are for examples; above this a typed array is meant, and is far quicker. */
const PLAIN_LENGTH = 1_000_000;

const encoder = new TextEncoder();

/** Our own handles of what the module keeps; whoever makes one enters it here. @type {WeakSet<object>} */
export const kept = new WeakSet();

const prototype = Object.getPrototypeOf(Float64Array.prototype);
const nameOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');
const bufferOf = getter('buffer');
const offsetOf = getter('byteOffset');

/** @param {string | symbol} key */
function getter(key) {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  return (/** @type {unknown} */ value) => get?.call(value);
}

/**
 * @param {unknown} options
 * @param {{ [field: string]: Kind }} kinds
 * @param {string[]} [needed]  Fields that C++ would take as empty when they are missing.
 * @returns {any} A fresh object that holds the fields of `kinds` alone.
 */
export function readOptions(options, kinds, needed = []) {
  return guarded('', () => {
    requireObject(options, '');
    const given = /** @type {Record<string, unknown>} */ (options);
    const dtype = given.dtype ?? 'float64';
    const read = readObject(given, kinds, dtype === 'float32' ? Float32Array : Float64Array, '');
    for (const field of needed) if (read[field] === undefined) fail(field, `${field} is missing.`);
    return read;
  });
}

/**
 * The options of one call as C++ reads them, and what brings its answer into an earlier result.
 * @param {unknown} options
 * @param {{ [field: string]: Kind }} kinds
 * @param {string[]} [needed]
 * @returns {{ read: Record<string, any>, write: (value: any) => any }}
 */
export function readCall(options, kinds, needed) {
  const read = readOptions(options, kinds, needed);
  if (read.out === undefined) return { read, write: (value) => value };
  const { given, arrays } = read.out;
  read.out = arrays;
  return { read, write: (value) => writeOut(given, value) };
}

/**
 * One value that must be there, read by the same rules.
 * @param {unknown} value
 * @param {Kind} kind
 * @param {string} name  What the caller knows it by.
 * @returns {any}
 */
export function readOne(value, kind, name) {
  if (value === undefined || value === null) fail(name, `${name} is missing.`);
  return guarded(name, () => readValue(value, kind, Float64Array, name));
}

/**
 * @param {Record<string, unknown>} given
 * @param {{ [field: string]: Kind }} kinds
 * @param {Floats} floats
 * @param {string} path
 */
function readObject(given, kinds, floats, path) {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(kinds, key)) {
      fail(
        `${path}${key}`,
        `There is no option ${describe(key)}: the options are ` +
          `${Object.keys(kinds).join(', ')}.`,
      );
    }
  }
  /** @type {Record<string, unknown>} */
  const read = {};
  for (const field in kinds) {
    const name = path + field;
    const value = guarded(name, () => given[field]);
    if (value === undefined || value === null) continue;
    read[field] = guarded(name, () => readValue(value, kinds[field], floats, name));
  }
  return read;
}

/** @param {string} type */
const withArticle = (type) => `${/^[AEIOU](?!i)/.test(type) ? 'an' : 'a'} ${type}`;

/**
 * @param {unknown} value
 * @param {Kind} kind
 * @param {Floats} floats
 * @param {string} name
 */
function readValue(value, kind, floats, name) {
  if (kind === 'floats') return readNumbers(value, floats, name);
  if (kind === 'numbers' && kept.has(/** @type {object} */ (value))) return value;
  if (kind === 'numbers' || kind === 'float32') return readNumbers(value, Float32Array, name);
  if (kind === 'bytes') return readNumbers(value, Uint8Array, name);
  if (kind === 'integers') return readNumbers(value, Int32Array, name);
  if (kind === 'counts') return readCounts(value, name);
  if (kind === 'text') return readText(value, name);
  if (kind === 'texts') return joined(readList(value, name));
  if (kind === 'ids_by_text') return readIdsByText(value, name);
  if (kind === 'out') return readOut(value);
  if (kind === 'ids_out') {
    if (nameOf(value) === 'Int32Array') return readNumbers(value, Int32Array, name);
    fail(name, `${name} must be an Int32Array; it is ${describe(value)}.`);
  }
  if (kind === 'host') {
    requireObject(value, name);
    return value;
  }
  if (typeof kind === 'object') {
    requireObject(value, name);
    return readObject(/** @type {Record<string, unknown>} */ (value), kind, floats, `${name}.`);
  }
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'boolean') {
    fail(name, `${name} must be a single value; it is ${describe(value)}.`);
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {Floats | Int32ArrayConstructor | Uint8ArrayConstructor} Type
 * @param {string} name
 * @returns {Numbers}
 */
function readNumbers(value, Type, name) {
  const tag = nameOf(value);
  if (tag !== undefined) {
    if (tag.startsWith('Big')) fail(name, `${name} must hold numbers; it is a ${tag}.`);
    if (tag === Type.name && isPlain(value, Type)) return /** @type {Numbers} */ (value);
    const view = safeView(/** @type {Numbers} */ (value), tag);
    return tag === Type.name ? /** @type {Numbers} */ (view) : convert(view, Type, name);
  }
  if (!Array.isArray(value)) {
    fail(
      name,
      `${name} must be ${withArticle(Type.name)} or an array of numbers; it is ${describe(value)}.`,
    );
  }
  return convert(/** @type {unknown[]} */ (value), Type, name);
}

/**
 * @param {ArrayLike<unknown>} values
 * @param {Floats | Int32ArrayConstructor | Uint8ArrayConstructor} Type
 * @param {string} name
 * @returns {Numbers}
 */
function convert(values, Type, name) {
  const { length } = values;
  if (Array.isArray(values) && length > PLAIN_LENGTH) {
    throw new AttentionDeckError(
      'too_large',
      `${name} has ${length} elements; a plain array may have ${PLAIN_LENGTH}. ` +
        `Pass a ${Type.name}, or make the example smaller.`,
      { field: name },
    );
  }
  const whole = Type === Int32Array || Type === Uint8Array;
  const made = new Type(length);
  for (let i = 0; i < length; i += 1) {
    const element = values[i];
    const number = whole && typeof element === 'boolean' ? Number(element) : element;
    if (typeof number !== 'number') {
      fail(name, `Element ${i} of ${name} must be a number; it is ${describe(element)}.`);
    }
    made[i] = /** @type {number} */ (number);
    // An integer array wraps silently: 256 would turn into 0, that is, into “masked”.
    if (whole && made[i] !== number) {
      fail(
        name,
        `Element ${i} of ${name} does not fit ${withArticle(Type.name)}: it is ${describe(element)}.`,
      );
    }
  }
  return made;
}

/**
 * What counts from 0 is unsigned in C++, where -1 would be 4294967295.
 * @param {unknown} value
 * @param {string} name
 */
function readCounts(value, name) {
  const read = readNumbers(value, Int32Array, name);
  for (let i = 0; i < read.length; i += 1) {
    if (read[i] >= 0) continue;
    throw new AttentionDeckError(
      'out_of_range',
      `Element ${i} of ${name} must be a whole number from 0 on; it is ${read[i]}.`,
      { field: name },
    );
  }
  return read;
}

/**
 * Whether C++ can read `length` and call `set` on it and meet the language's own.
 * @param {unknown} value
 * @param {{ prototype: object } | undefined} Type
 */
function isPlain(value, Type) {
  return (
    Type !== undefined &&
    Object.getPrototypeOf(value) === Type.prototype &&
    !Object.hasOwn(/** @type {object} */ (value), 'length') &&
    !Object.hasOwn(/** @type {object} */ (value), 'set')
  );
}

/**
 * A view of the same memory without the caller's overrides.
 * @param {Numbers} value
 * @param {string} tag
 */
function safeView(value, tag) {
  const Type = /** @type {Record<string, any>} */ (typedArrays)[tag];
  return /** @type {Numbers} */ (new Type(bufferOf(value), offsetOf(value), lengthOf(value)));
}

const typedArrays = {
  Float64Array,
  Float32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
};

/** Units of UTF-16 of the longest string whose UTF-8 is put where the last one was. */
const KEPT_UNITS = 1 << 22;
let room = new Uint8Array(0);

/**
 * The UTF-8 of a text as `readOne` gives it, for a call that reads no other text: that of a string lies in memory which
 * the next such string takes. A fresh array for each costs a browser as much as writing the UTF-8 into it.
 * @param {unknown} value
 * @param {string} name  What the caller knows it by.
 * @returns {Uint8Array}
 */
export function readTextInPlace(value, name) {
  if (typeof value !== 'string' || value.length > KEPT_UNITS) return readOne(value, 'text', name);
  // A unit takes three bytes at most.
  const most = 3 * value.length;
  if (room.length < most) room = new Uint8Array(Math.min(2 * most, 3 * KEPT_UNITS));
  return room.subarray(0, encoder.encodeInto(value, room).written);
}

/**
 * The UTF-8 of a text. A lone surrogate has none and becomes U+FFFD.
 * @param {unknown} value
 * @param {string} name
 * @returns {Uint8Array}
 */
function readText(value, name) {
  if (typeof value === 'string') return encoder.encode(value);
  if (nameOf(value) === 'Uint8Array') {
    return /** @type {Uint8Array} */ (readNumbers(value, Uint8Array, name));
  }
  return fail(name, `${name} must be a string or a Uint8Array; it is ${describe(value)}.`);
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function readList(value, name) {
  if (!Array.isArray(value)) {
    fail(name, `${name} must be an array of texts; it is ${describe(value)}.`);
  }
  return Array.from(/** @type {unknown[]} */ (value), (text) => readText(text, name));
}

/**
 * @param {Uint8Array[]} parts
 * @returns {Texts}
 */
function joined(parts) {
  const lengths = Int32Array.from(parts, (part) => part.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, lengths };
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function readIdsByText(value, name) {
  requireObject(value, name);
  const entries = Object.entries(/** @type {object} */ (value));
  const ids = readNumbers(
    entries.map(([, id]) => id),
    Int32Array,
    name,
  );
  return { ...joined(entries.map(([text]) => encoder.encode(text))), ids };
}

/**
 * An earlier result, and those of its arrays that C++ may write into.
 * @param {unknown} value
 * @returns {{ given: Record<string, unknown>, arrays: Record<string, unknown> }}
 */
function readOut(value) {
  requireObject(value, 'out');
  const given = /** @type {Record<string, unknown>} */ (value);
  /** @type {Record<string, unknown>} */
  const arrays = {};
  for (const key of Object.keys(given)) {
    const array = given[key];
    const tag = nameOf(array);
    // What is overridden is left alone: the result gets a new array in its place.
    if (tag !== undefined && isPlain(array, /** @type {any} */ (typedArrays)[tag])) {
      arrays[key] = array;
    }
  }
  return { given, arrays };
}

/**
 * @param {Record<string, unknown>} given
 * @param {object} value
 */
function writeOut(given, value) {
  return guarded('out', () => Object.assign(given, value));
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function requireObject(value, name) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  fail(
    name,
    name === ''
      ? `The options must be one object with named fields; they are ${describe(value)}.`
      : `${name} must be an object with named fields; it is ${describe(value)}.`,
  );
}

/**
 * @template T
 * @param {string} field
 * @param {() => T} read
 * @returns {T}
 */
function guarded(field, read) {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof AttentionDeckError) throw cause;
    throw new AttentionDeckError(
      'bad_argument',
      field === ''
        ? 'The options could not be read: they throw when looked at. Pass a plain object.'
        : `${field} could not be used: it throws when touched. Pass plain arrays and objects.`,
      { field, cause },
    );
  }
}

/**
 * @param {string} field
 * @param {string} message
 * @returns {never}
 */
function fail(field, message) {
  throw new AttentionDeckError('bad_argument', message, { field });
}
