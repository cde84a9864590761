/** Bytes as letters: four bytes are five letters, a sixteenth less than base64. None of them means anything to a parser of HTML. */

const LETTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
  (letter) => !'<>&"\'\\`!-'.includes(letter),
);
const VALUES = new Uint8Array(128);
LETTERS.forEach((letter, value) => {
  VALUES[letter.charCodeAt(0)] = value;
});

/** @param {Uint8Array} bytes */
export function encode85(bytes) {
  const text = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const here = Math.min(4, bytes.length - at);
    let value = 0;
    for (let i = 0; i < 4; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
    const five = [];
    for (let i = 0; i < 5; i += 1) {
      five.unshift(LETTERS[value % 85]);
      value = Math.floor(value / 85);
    }
    // Of the last bytes, as many letters as tell them.
    text.push(...five.slice(0, here + 1));
  }
  return text.join('');
}

/** @param {string} text @returns {Uint8Array} */
export function decode85(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 4) / 5));
  for (let at = 0, to = 0; at < text.length; at += 5) {
    let value = 0;
    for (let i = 0; i < 5; i += 1) {
      value = value * 85 + (at + i < text.length ? VALUES[text.charCodeAt(at + i)] : 84);
    }
    for (let i = 3; i >= 0; i -= 1) {
      if (to + i < bytes.length) bytes[to + i] = value % 256;
      value = Math.floor(value / 256);
    }
    to += 4;
  }
  return bytes;
}
