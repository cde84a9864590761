import { msg, str } from '../../shared/language.js';
import { drawn } from '../matrices.js';
import { sameNumbers } from '../compare.js';

export default {
  id: 'heads',
  get title() {
    return msg('Many heads, few keys');
  },
  slide: 28,
  modules: ['core'],
  call: 'layer',
  get task() {
    return [
      msg(
        'Heads are columns: head h looks at its own part of Q, K and V, and the outputs stand side by side. The program does this, and asks the C++ for the attention of each head.',
      ),
      msg(
        'With grouped queries there are fewer heads of keys and values than of queries, and several query heads share one. Say which one head h reads, so that it works for all three: as many, fewer, or a single one.',
      ),
    ];
  },
  get code() {
    return `const product = (A, B) =>
  A.map((row) =>
    B[0].map((_, c) => row.reduce((sum, x, k) => sum + x * B[k][c], 0)),
  );

const columns = (M, from, count) =>
  M.map((row) => row.slice(from, from + count));

function layer({ X, W_Q, W_K, W_V, W_O, n_heads, n_kv_heads }) {
  const [Q, K, V] = [product(X, W_Q), product(X, W_K), product(X, W_V)];
  const d = Q[0].length / n_heads;
  const joined = X.map(() => []);

  for (let h = 0; h < n_heads; h += 1) {
    const kv = 0; // ← ${msg('right only while there is a single one')}

    const { output } = core.attention({
      Q: columns(Q, h * d, d).flat(),
      K: columns(K, kv * d, d).flat(),
      V: columns(V, kv * d, d).flat(),
      n_q: X.length, n_k: X.length, d_k: d, d_v: d,
    });
    joined.forEach((row, i) => {
      row.push(...output.slice(i * d, (i + 1) * d));
    });
  }
  return product(joined, W_O);
}
`;
  },
  get hint() {
    return msg(
      'n_heads / n_kv_heads neighbours share one: with 4 and 2, heads 0 and 1 read the first, heads 2 and 3 the second. Math.floor helps.',
    );
  },
  solution: `const product = (A, B) =>
  A.map((row) =>
    B[0].map((_, c) => row.reduce((sum, x, k) => sum + x * B[k][c], 0)),
  );

const columns = (M, from, count) =>
  M.map((row) => row.slice(from, from + count));

function layer({ X, W_Q, W_K, W_V, W_O, n_heads, n_kv_heads }) {
  const [Q, K, V] = [product(X, W_Q), product(X, W_K), product(X, W_V)];
  const d = Q[0].length / n_heads;
  const joined = X.map(() => []);

  for (let h = 0; h < n_heads; h += 1) {
    const kv = Math.floor(h / (n_heads / n_kv_heads));

    const { output } = core.attention({
      Q: columns(Q, h * d, d).flat(),
      K: columns(K, kv * d, d).flat(),
      V: columns(V, kv * d, d).flat(),
      n_q: X.length, n_k: X.length, d_k: d, d_v: d,
    });
    joined.forEach((row, i) => {
      row.push(...output.slice(i * d, (i + 1) * d));
    });
  }
  return product(joined, W_O);
}
`,
  inputs({ core }, seed) {
    const grouped = (n_heads, n_kv_heads, from) => ({
      ...drawn(core, from, {
        X: [4, 8],
        W_Q: [8, 8],
        W_K: [8, (8 / n_heads) * n_kv_heads],
        W_V: [8, (8 / n_heads) * n_kv_heads],
        W_O: [8, 8],
      }),
      n_heads,
      n_kv_heads,
    });
    return [
      {
        X: [
          [1, 0, 0, 0],
          [0, 1, 0, 0],
          [0, 0, 1, 0],
        ],
        W_Q: [
          [1, 0, 0, 1],
          [1, 2, 2, 0],
          [0, 1, 1, 0],
          [0, 0, 0, 0],
        ],
        W_K: [
          [1, 0, 2, 0],
          [1, 1, 1, 1],
          [0, 2, 0, 2],
          [0, 0, 0, 0],
        ],
        W_V: [
          [1, 0, 1, 0],
          [0.5, 0.5, 0.5, 0.5],
          [1, 0, 0, 1],
          [0, 0, 0, 0],
        ],
        W_O: [
          [1, 0, 0, 0],
          [0, 1, 0, 0],
          [0, 0, 1, 0],
          [0, 0, 0, 1],
        ],
        n_heads: 2,
        n_kv_heads: 2,
      },
      grouped(4, 2, seed),
      grouped(4, 1, seed + 1),
    ];
  },
  check({ core }, { n_heads, n_kv_heads, ...matrices }, result) {
    const { X } = matrices;
    const flat = Object.fromEntries(
      Object.entries(matrices).map(([name, rows]) => [name, rows.flat()]),
    );
    const columns = X[0].length;
    const { output } = core.multiHead({
      ...flat,
      n: X.length,
      d_model: columns,
      n_heads,
      n_kv_heads,
    });
    const name = msg(str`the output with ${n_heads} heads and ${n_kv_heads} of keys and values`);
    return sameNumbers(name, result, output, { columns });
  },
};
