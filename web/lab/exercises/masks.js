import { msg } from '../../shared/language.js';
import { drawn } from '../matrices.js';
import { sameNumbers } from '../compare.js';

const RECAP = [
  [2.1, 0.3, 1.7, 0.9],
  [0.8, 3.2, 0.4, 1.1],
  [1.4, 0.6, 2.8, 0.2],
  [0.5, 1.9, 1.2, 2.4],
];
const ALL = [true, true, true, true];

export default {
  id: 'masks',
  get title() {
    return msg('What a word must not see');
  },
  slide: 23,
  modules: ['core'],
  call: 'maskedWeights',
  get task() {
    return [
      msg(
        'The program hides the future: a score of minus infinity becomes a weight of 0. Two masks are missing.',
      ),
      msg(
        'A `window` of W shows a word itself and the W − 1 before it. `real[j]` is false where word j is padding, which nobody may see. And a word that may see nothing at all gets a row of zeros, never NaN.',
      ),
    ];
  },
  get code() {
    return `function softmax(row) {
  const largest = Math.max(...row);
  const powers = row.map((x) => Math.exp(x - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

// S: [n][n] ${msg('scores')}   window: ${msg('a number')}   real: [n] ${msg('true or false')}
function maskedWeights({ S, window, real }) {
  return S.map((row, i) => {
    const seen = row.map((score, j) => {
      const hidden = j > i; // ← ${msg('window and padding are missing')}
      return hidden ? -Infinity : score;
    });
    return softmax(seen); // ← ${msg('and if nothing is left?')}
  });
}
`;
  },
  get hint() {
    return msg(
      'Hidden is what comes later (j > i), lies too far back (i − j ≥ window) or is padding (!real[j]). If every score of a row is −Infinity, the softmax would divide 0 by 0: return zeros before it comes to that.',
    );
  },
  solution: `function softmax(row) {
  const largest = Math.max(...row);
  if (largest === -Infinity) return row.map(() => 0);
  const powers = row.map((x) => Math.exp(x - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

function maskedWeights({ S, window, real }) {
  return S.map((row, i) => {
    const seen = row.map((score, j) => {
      const hidden = j > i || i - j >= window || !real[j];
      return hidden ? -Infinity : score;
    });
    return softmax(seen);
  });
}
`,
  inputs({ core }, seed) {
    const { S } = drawn(core, seed, { S: [6, 6] });
    return [
      { S: RECAP, window: 4, real: ALL },
      { S: RECAP, window: 2, real: ALL },
      { S: RECAP, window: 4, real: [false, true, true, true] },
      { S, window: 3, real: [false, false, true, true, true, true] },
    ];
  },
  check({ core }, { S, window, real }, result) {
    const n = S.length;
    const { weights } = core.softmax({
      x: S.flat(),
      n,
      m: n,
      mask: { causal: true, window, key_valid: real },
    });
    return sameNumbers(msg('the weights'), result, weights, { columns: n });
  },
};
