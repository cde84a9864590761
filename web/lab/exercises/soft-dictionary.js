import { msg } from '../../shared/language.js';
import { drawn } from '../matrices.js';
import { remark } from '../remark.js';
import { sameNumbers } from '../compare.js';

export default {
  id: 'soft-dictionary',
  get title() {
    return msg('A soft dictionary');
  },
  slide: 11,
  modules: ['core'],
  call: 'lookUp',
  get task() {
    return [
      msg(
        'A dictionary gives the value of the one key that matches. A soft one gives a bit of every value, and most of the value whose key matches best.',
      ),
      msg(
        'The scores are there. Turn them into weights that are positive and sum to 1, so that `lookUp` returns the weighted average of the values.',
      ),
    ];
  },
  get code() {
    return `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

// ${msg('query: [d] numbers; keys: [n][d], a row for each word; values: [n][d_v]')}
function lookUp({ query, keys, values }) {
  const root = Math.sqrt(query.length); // ${msg('why: exercise 3')}
  const scores = keys.map((key) => dot(query, key) / root);

  const weights = scores; // ← ${msg('may be negative, and what do they sum to?')}

  console.log('weights', weights);
  return values[0].map((_, c) =>
    weights.reduce((sum, w, j) => sum + w * values[j][c], 0),
  );
}
`;
  },
  get hint() {
    return msg(
      'Math.exp makes every score positive and keeps their order. Then divide each by the sum of all of them: that is the softmax.',
    );
  },
  get solution() {
    return `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function lookUp({ query, keys, values }) {
  const root = Math.sqrt(query.length);
  const scores = keys.map((key) => dot(query, key) / root);

${remark(msg('The largest is taken away first: the weights stay the same,\nand no power overflows.'), '  ')}
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  const weights = powers.map((power) => power / sum);

  console.log('weights', weights);
  return values[0].map((_, c) =>
    weights.reduce((sum, w, j) => sum + w * values[j][c], 0),
  );
}
`;
  },
  inputs({ core }, seed) {
    const { query, ...rest } = drawn(core, seed, { query: [1, 4], keys: [5, 4], values: [5, 3] });
    return [
      {
        query: [1, 3],
        keys: [
          [1, 0],
          [0, 1],
        ],
        values: [[3], [7]],
      },
      { query: query[0], ...rest },
    ];
  },
  check({ core }, { query, keys, values }, result) {
    const { output } = core.attention({
      Q: query,
      K: keys.flat(),
      V: values.flat(),
      n_q: 1,
      n_k: keys.length,
      d_k: query.length,
      d_v: values[0].length,
    });
    return sameNumbers(msg('the answer'), result, output);
  },
};
