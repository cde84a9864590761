import { msg } from '../../shared/language.js';
import { drawn, inRows, product, transposed } from '../matrices.js';
import { fieldsOf, sameNumbers } from '../compare.js';

const unit = (n) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));

/** Where each word of the first text shall look: at the one before it, the first at itself. */
const BEFORE = [0, 0, 1, 2, 3, 4];

/** The same steps, with the forward and the backward pass of the C++. */
function taught(core, { X, W, targets, steps, rate }) {
  const [n, d_k] = [X.length, X[0].length];
  const losses = [];
  const maps = [];
  let now = W;
  for (let step = 0; step <= steps; step += 1) {
    const inputs = {
      Q: product(X, now).flat(),
      K: X.flat(),
      V: unit(n).flat(),
      n_q: n,
      n_k: n,
      d_k,
      d_v: n,
    };
    const A = inRows(core.attention(inputs).output, n);
    losses.push(A.reduce((sum, row, i) => sum - Math.log(row[targets[i]]) / n, 0));
    maps.push(A);
    const dO = A.flatMap((row, i) => row.map((a, j) => (j === targets[i] ? -1 / (n * a) : 0)));
    const dQ = inRows(core.attentionBackward({ ...inputs, dO }).dQ, d_k);
    const dW = product(transposed(X), dQ);
    now = now.map((row, i) => row.map((w, j) => w - rate * dW[i][j]));
  }
  return { losses, maps };
}

export default {
  id: 'teach',
  get title() {
    return msg('Teach attention where to look');
  },
  slide: 27,
  modules: ['core'],
  call: 'train',
  picture: 'training',
  get task() {
    return [
      msg(
        'Nobody writes weights by hand: they are learned. Each word shall look at the word before it. The loss says how far it is from that: minus the logarithm of the weight on the right word, on average.',
      ),
      msg(
        'The C++ gives the way back to the queries, `dQ`. The queries are X · W: find `dW`, how the loss changes with W, and W takes a step against it. Watch the loss fall, and the map move.',
      ),
    ];
  },
  get code() {
    return `const product = (A, B) =>
  A.map((row) =>
    B[0].map((_, c) => row.reduce((sum, x, k) => sum + x * B[k][c], 0)),
  );
const transposed = (A) => A[0].map((_, c) => A.map((row) => row[c]));
const inRows = (list, n) =>
  Array.from({ length: list.length / n }, (_, i) => [
    ...list.slice(i * n, (i + 1) * n),
  ]);

// X: [n][d] ${msg('one row for each word')}   targets: ${msg('where each shall look')}
// W: [d][d] ${msg('is what learns')}
function train({ X, W, targets, steps, rate }) {
  const [n, d] = [X.length, X[0].length];
  const one = X.map((_, i) => X.map((_, j) => (i === j ? 1 : 0)));
  const losses = [];
  const maps = [];

  for (let step = 0; step <= steps; step += 1) {
    const inputs = {
      Q: product(X, W).flat(), K: X.flat(), V: one.flat(),
      n_q: n, n_k: n, d_k: d, d_v: n,
    };
    // ${msg('With these values, the output is the map.')}
    const A = inRows(core.attention(inputs).output, n);
    const right = A.map((row, i) => row[targets[i]]);
    losses.push(right.reduce((sum, a) => sum - Math.log(a) / n, 0));
    maps.push(A);

    const dO = A.flatMap((row, i) =>
      row.map((a, j) => (j === targets[i] ? -1 / (n * a) : 0)),
    );
    const dQ = inRows(core.attentionBackward({ ...inputs, dO }).dQ, d);

    const dW = W.map((row) => row.map(() => 0)); // ← ${msg('learns nothing yet')}
    W = W.map((row, i) => row.map((w, j) => w - rate * dW[i][j]));
  }
  console.log('loss', losses[0], '→', losses[steps]);
  return { losses, maps };
}
`;
  },
  get hint() {
    return msg(
      'Q = X · W, so dW = Xᵀ · dQ: in the code, product(transposed(X), dQ). Its shape is that of W, which is a good check of any gradient.',
    );
  },
  solution: `const product = (A, B) =>
  A.map((row) =>
    B[0].map((_, c) => row.reduce((sum, x, k) => sum + x * B[k][c], 0)),
  );
const transposed = (A) => A[0].map((_, c) => A.map((row) => row[c]));
const inRows = (list, n) =>
  Array.from({ length: list.length / n }, (_, i) => [
    ...list.slice(i * n, (i + 1) * n),
  ]);

function train({ X, W, targets, steps, rate }) {
  const [n, d] = [X.length, X[0].length];
  const one = X.map((_, i) => X.map((_, j) => (i === j ? 1 : 0)));
  const losses = [];
  const maps = [];

  for (let step = 0; step <= steps; step += 1) {
    const inputs = {
      Q: product(X, W).flat(), K: X.flat(), V: one.flat(),
      n_q: n, n_k: n, d_k: d, d_v: n,
    };
    const A = inRows(core.attention(inputs).output, n);
    const right = A.map((row, i) => row[targets[i]]);
    losses.push(right.reduce((sum, a) => sum - Math.log(a) / n, 0));
    maps.push(A);

    const dO = A.flatMap((row, i) =>
      row.map((a, j) => (j === targets[i] ? -1 / (n * a) : 0)),
    );
    const dQ = inRows(core.attentionBackward({ ...inputs, dO }).dQ, d);

    const dW = product(transposed(X), dQ);
    W = W.map((row, i) => row.map((w, j) => w - rate * dW[i][j]));
  }
  console.log('loss', losses[0], '→', losses[steps]);
  return { losses, maps };
}
`,
  inputs({ core }, seed) {
    const start = (from, n) => ({
      ...drawn(core, from, { X: [n, 8] }),
      W: unit(8).map((row) => row.map(() => 0)),
    });
    const [first] = BEFORE;
    return [
      { ...start(7, BEFORE.length), targets: BEFORE, steps: 120, rate: 1 },
      { ...start(seed, 5), targets: [4, 3, first, 1, 2], steps: 40, rate: 0.5 },
    ];
  },
  check({ core }, input, result) {
    const wanted = taught(core, input);
    const { losses, maps } = fieldsOf(result);
    return (
      sameNumbers('losses', losses, wanted.losses, { tolerance: 1e-5 }) ??
      sameNumbers('maps', maps, wanted.maps.flat(2), { tolerance: 1e-5 })
    );
  },
};
