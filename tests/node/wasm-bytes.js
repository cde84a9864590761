/** Edits of a built module that stand for machines we do not have: little memory, wrong results. */

const MEMORY = 5;

/**
 * The same module with other limits of memory, in pages of 64 KiB.
 * @param {Uint8Array} bytes
 * @param {{ initial?: number, maximum?: number }} pages
 */
export function withMemory(bytes, pages) {
  for (const section of sections(bytes)) {
    if (section.id !== MEMORY) continue;
    const [, flags, ...limits] = leb(bytes, section.start, section.end);
    const [initial, maximum = 65536] = limits;
    const body = [
      1,
      flags | 1,
      ...encode(pages.initial ?? initial),
      ...encode(pages.maximum ?? maximum),
    ];
    return Buffer.concat([
      bytes.subarray(0, section.header),
      Uint8Array.of(MEMORY, ...encode(body.length), ...body),
      bytes.subarray(section.end),
    ]);
  }
  throw new Error('the module declares no memory');
}

/**
 * The same module with a constant of the exponential's polynomial changed: it runs, and computes
 * wrongly, as early SIMD engines did.
 * @param {Uint8Array} bytes
 */
export function withWrongExponential(bytes) {
  const right = Buffer.alloc(8);
  // The coefficient of r² in musl's exp, near 1/2.
  right.writeDoubleLE(0.49999999999996786);
  const at = Buffer.from(bytes).indexOf(right);
  if (at < 0) throw new Error('the constant of the exponential is not in the module');
  const changed = Buffer.from(bytes);
  changed.writeDoubleLE(0.4375, at);
  return changed;
}

function* sections(bytes) {
  for (let at = 8; at < bytes.length;) {
    const header = at;
    const id = bytes[at];
    const [size, start] = number(bytes, at + 1);
    yield { id, header, start, end: start + size };
    at = start + size;
  }
}

function leb(bytes, from, to) {
  const values = [];
  for (let at = from; at < to;) {
    const [value, next] = number(bytes, at);
    values.push(value);
    at = next;
  }
  return values;
}

function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    at += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function encode(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}
