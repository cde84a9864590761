import { msg } from '../../shared/language.js';
import { drawn } from '../matrices.js';
import { sameNumbers } from '../compare.js';

export default {
  id: 'all-queries',
  get title() {
    return msg('All queries at once');
  },
  slide: 18,
  modules: ['core'],
  call: 'attend',
  get task() {
    return [
      msg(
        'Every word asks. With a query in each row of `Q`, the scores are a matrix, and so are the weights and the outputs.',
      ),
      msg(
        'The program answers the first query alone. Let it answer all of them: `attend` returns one row of output for each row of `Q`.',
      ),
    ];
  },
  get code() {
    return `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function softmax(row) {
  const powers = row.map((x) => Math.exp(x - Math.max(...row)));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

// Q: [n_q][d_k]   K: [n_k][d_k]   V: [n_k][d_v]
function attend({ Q, K, V }) {
  const d_k = Q[0].length;

  const scores = K.map((key) => dot(Q[0], key) / Math.sqrt(d_k));
  const weights = softmax(scores);
  const column = (c) => V.map((value) => value[c]);
  const output = V[0].map((_, c) => dot(weights, column(c)));

  return [output]; // ← ${msg('one row: [n_q][d_v] is wanted')}
}
`;
  },
  get hint() {
    return msg(
      'Put the three lines into Q.map((q) => { … }) and let each turn return its own output. The row of weights belongs to one query: the softmax runs along it, never down a column.',
    );
  },
  solution: `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function softmax(row) {
  const powers = row.map((x) => Math.exp(x - Math.max(...row)));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

function attend({ Q, K, V }) {
  const d_k = Q[0].length;

  const column = (c) => V.map((value) => value[c]);

  return Q.map((q) => {
    const scores = K.map((key) => dot(q, key) / Math.sqrt(d_k));
    const weights = softmax(scores);
    return V[0].map((_, c) => dot(weights, column(c)));
  });
}
`,
  inputs({ core }, seed) {
    return [
      {
        Q: [
          [0.3, 0.2],
          [0.5, 0.9],
          [1.2, 0.4],
        ],
        K: [
          [0.2, 0.1],
          [0.9, 0.3],
          [0.1, 0.8],
        ],
        V: [
          [0, 0.1],
          [0.8, 0.6],
          [0.2, 0.9],
        ],
      },
      drawn(core, seed, { Q: [4, 8], K: [6, 8], V: [6, 3] }),
    ];
  },
  check({ core }, { Q, K, V }, result) {
    const columns = V[0].length;
    const { output } = core.attention({
      Q: Q.flat(),
      K: K.flat(),
      V: V.flat(),
      n_q: Q.length,
      n_k: K.length,
      d_k: Q[0].length,
      d_v: columns,
    });
    return sameNumbers(msg('the output'), result, output, { columns });
  },
};
