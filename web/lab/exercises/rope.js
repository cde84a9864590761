import { msg, str } from '../../shared/language.js';
import { drawn, wholeNumbers } from '../matrices.js';
import { sameNumber } from '../compare.js';

const q = [-1.5, 0, -2, 0, -3.5, 1, -3.5, -0.5];
const k = [0.5, 0.5, -2, -1.5, 1.5, 1.5, 0.5, -3];

export default {
  id: 'rope',
  get title() {
    return msg('Order, put in by turning');
  },
  slide: 25,
  modules: ['core', 'layer'],
  call: 'score',
  get task() {
    return [
      msg(
        'Attention does not know which word came first. RoPE tells it by turning: numbers 0 and 1 of a vector are one hand of a clock, 2 and 3 the next, and each clock is slower than the one before.',
      ),
      msg(
        'Turn each pair of `vector` by its angle. Pair i, at position p, turns by p · base^(−2i / d). Then the score depends on how far apart the words are, and on nothing else: 3 and 1 give the same as 10 and 8.',
      ),
    ];
  },
  get code() {
    return `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function turned(vector, position, base) {
  const d = vector.length;
  const result = [...vector];
  for (let i = 0; i < d / 2; i += 1) {
    const angle = position * base ** ((-2 * i) / d);
    const [x, y] = [vector[2 * i], vector[2 * i + 1]];
    result[2 * i] = x; // ← ${msg('turn the hand (x, y) by the angle')}
    result[2 * i + 1] = y;
  }
  return result;
}

// ${msg('the query q stands at position m, the key k at position n')}
function score({ q, k, m, n, base }) {
  return dot(turned(q, m, base), turned(k, n, base));
}
`;
  },
  get hint() {
    return msg(
      'Turning (x, y) by an angle gives (x · cos − y · sin, x · sin + y · cos), with Math.cos and Math.sin of the angle.',
    );
  },
  solution: `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function turned(vector, position, base) {
  const d = vector.length;
  const result = [...vector];
  for (let i = 0; i < d / 2; i += 1) {
    const angle = position * base ** ((-2 * i) / d);
    const [x, y] = [vector[2 * i], vector[2 * i + 1]];
    result[2 * i] = x * Math.cos(angle) - y * Math.sin(angle);
    result[2 * i + 1] = x * Math.sin(angle) + y * Math.cos(angle);
  }
  return result;
}

function score({ q, k, m, n, base }) {
  return dot(turned(q, m, base), turned(k, n, base));
}
`,
  inputs({ core }, seed) {
    const other = drawn(core, seed, { q: [1, 6], k: [1, 6] });
    const [m, n] = wholeNumbers(core, seed, 2, [5, 60]);
    return [
      { q, k, m: 3, n: 1, base: 10_000 },
      { q, k, m: 10, n: 8, base: 10_000 },
      { q: other.q[0], k: other.k[0], m, n, base: 500 },
    ];
  },
  check({ layer }, { m, n, ...rest }, result) {
    const { start_score: wanted } = layer.rotaryClocks({ ...rest, m, n });
    return sameNumber(msg(str`the score at ${m} and ${n}`), result, wanted);
  },
};
