// Texts on which tokenizers have been wrong, generated from a seed.

/** Marsaglia's xorshift on 32 bits: the same numbers on every machine. */
export function randomNumbers(seed) {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const spaces = [...'\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000'];
const almostSpaces = ['\u180e', '\u200b', '\u2060', '\ufeff', '\u001c', '\u001f'];
const contractions = [
  ...["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve", "'M", "'lL", "'D"],
  ...["'\u017f", "'\u212a", '’s', "'", "''", "'l", "'v", "'r e"],
];
const emoji = ['👩‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '🇧🇷', '1️⃣', '❤️', '🤠', '☝🏿'];
const words = [
  ...['the', 'The', 'THE', 'climbed', 'HTTPServer', 'camelCase', 'McDonald', 'ÉTÉ', 'naïve'],
  ...[
    'coração',
    'ǅungla',
    'straße',
    'ΣΊΣΥΦΟΣ',
    'кот',
    'Москва',
    '日本語',
    '東京タワー',
    'ภาษาไทย',
    'हिन्दी',
  ],
  ...[
    'العربية',
    'עברית',
    '한국어',
    'ªº',
    'ʰmod',
    'x²',
    '½',
    '１２３',
    '٣٤٥',
    'ⅷ',
    '12345678',
    '3.14',
  ],
  ...[
    'https://a.b/c?d=e&f#g',
    '/usr//bin/',
    '#include <x>',
    '=>',
    '...',
    '“quoted“',
    '—',
    '\\n',
    '<|endoftext|>',
  ],
];
const combining = [
  '\u0301',
  '\u0327',
  '\u0345',
  '\u20dd',
  '\u0e48',
  '\u0940',
  '\u{1d165}',
  '\u{e0101}',
];

function codePoint(random) {
  const planes = [0x80, 0x800, 0x3000, 0x10000, 0x20000, 0x30000, 0x40000, 0x110000];
  let point = random(planes[random(planes.length)]);
  if (random(12) === 0) point = 0xe0000 + random(0x1000);
  return String.fromCodePoint(point);
}

const of = (list) => (random) => list[random(list.length)];

const makers = [
  codePoint,
  codePoint,
  of(spaces),
  (random) => of(spaces)(random).repeat(1 + random(5)),
  (random) => ' '.repeat(1 + random(4)),
  (random) => '\r\n'.repeat(1 + random(3)),
  of(almostSpaces),
  of(contractions),
  of(contractions),
  of(emoji),
  of(words),
  of(words),
  (random) => ` ${of(words)(random)}`,
  of(combining),
  (random) => String.fromCharCode(random(0x20)),
  (random) => String.fromCharCode(0xd800 + random(0x800)),
  (random) => String.fromCharCode(0x21 + random(0x5e)),
  (random) => String.fromCharCode(0x41 + random(26)),
  (random) => String(random(100000)),
  (random) =>
    of(['a', '!', ' ', '\n', '0', 'Ab', 'é', '\u0301', '漢'])(random).repeat(1 + random(100)),
];

/** A text of some pieces, most of them short. */
export function text(random) {
  let made = '';
  for (let pieces = 1 + random(random(10) === 0 ? 40 : 8); pieces > 0; pieces -= 1) {
    made += makers[random(makers.length)](random);
  }
  return made;
}
