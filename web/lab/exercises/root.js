import { msg, str } from '../../shared/language.js';
import { wholeNumbers } from '../matrices.js';
import { sameNumber } from '../compare.js';

export default {
  id: 'root',
  get title() {
    return msg('Why the root of d_k');
  },
  slide: 20,
  modules: ['core', 'experiments'],
  call: 'spread',
  get task() {
    return [
      msg(
        'Queries and keys of N(0, 1) numbers: the longer they are, the further apart their scores lie. Run the program and see how far.',
      ),
      msg(
        'Choose the divisor that brings the variance of the scores back to about 1, whatever `d_k` is. The numbers are drawn by the C++, so your variance must be its variance to the last digits.',
      ),
    ];
  },
  get code() {
    return `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function variance(list) {
  const mean = list.reduce((a, b) => a + b, 0) / list.length;
  return list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / list.length;
}

function spread({ d_k, keys, rows, seed }) {
  // ${msg('One stream of numbers: first all queries, then the keys, row by row.')}
  const count = rows * d_k + rows * keys * d_k;
  const numbers = core.randomNormals({ seed, count });
  let at = 0;
  const vector = () => numbers.slice(at, (at += d_k));

  const queries = Array.from({ length: rows }, vector);
  const scores = queries.flatMap((q) =>
    Array.from({ length: keys }, () => dot(q, vector())),
  );

  const divisor = 1; // ← ${msg('which one?')}

  const found = variance(scores.map((score) => score / divisor));
  console.log('d_k', d_k, 'variance', found);
  return found;
}
`;
  },
  get hint() {
    return msg(
      'A score is a sum of d_k products, each of variance 1, so its variance is d_k. Dividing a number by c divides its variance by c².',
    );
  },
  solution: `const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function variance(list) {
  const mean = list.reduce((a, b) => a + b, 0) / list.length;
  return list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / list.length;
}

function spread({ d_k, keys, rows, seed }) {
  const count = rows * d_k + rows * keys * d_k;
  const numbers = core.randomNormals({ seed, count });
  let at = 0;
  const vector = () => numbers.slice(at, (at += d_k));

  const queries = Array.from({ length: rows }, vector);
  const scores = queries.flatMap((q) =>
    Array.from({ length: keys }, () => dot(q, vector())),
  );

  const divisor = Math.sqrt(d_k);

  const found = variance(scores.map((score) => score / divisor));
  console.log('d_k', d_k, 'variance', found);
  return found;
}
`,
  inputs({ core }, seed) {
    const [d_k] = wholeNumbers(core, seed, 1, [100, 300]);
    return [
      { d_k: 64, keys: 16, rows: 50, seed: 1 },
      { d_k: 4, keys: 16, rows: 50, seed: 1 },
      { d_k, keys: 16, rows: 40, seed },
    ];
  },
  check({ experiments }, { d_k, keys, rows, seed }, result) {
    const { variances } = experiments.scalingExperiment({ d_k, keys, rows, seed });
    return sameNumber(msg(str`the variance at d_k ${d_k}`), result, variances[1]);
  },
};
