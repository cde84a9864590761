import { msg, str } from '../../shared/language.js';
import { drawn } from '../matrices.js';
import { fieldsOf, sameNumber, sameNumbers } from '../compare.js';

export default {
  id: 'cache',
  get title() {
    return msg('A cache that forgets');
  },
  slide: 29,
  modules: ['core'],
  call: 'decode',
  get task() {
    return [
      msg(
        'Words come one after the other, and each brings its query, its key and its value once. Who comes later needs the keys and values of those before, so they are kept; the queries are not.',
      ),
      msg(
        'Let the cache keep what is needed: the new word’s key and value, and no more than the last `window` words. `decode` returns an output for each word, and how many words are in the cache at the end.',
      ),
    ];
  },
  get code() {
    return `// Q, K: [n][d_k]   V: [n][d_v]; ${msg('row t arrives at time t')}
function decode({ Q, K, V, window }) {
  let keys = [];
  let values = [];
  const outputs = [];

  for (let t = 0; t < Q.length; t += 1) {
    keys = [K[t]]; // ← ${msg('forgets everybody who came before')}
    values = [V[t]];

    const { output } = core.attention({
      Q: Q[t], K: keys.flat(), V: values.flat(),
      n_q: 1, n_k: keys.length, d_k: Q[t].length, d_v: V[t].length,
    });
    outputs.push([...output]);
  }
  return { outputs, kept: keys.length };
}
`;
  },
  get hint() {
    return msg(
      'keys.push(K[t]) keeps the new one. When there are more than window of them, keys.shift() drops the oldest. The same for the values.',
    );
  },
  solution: `function decode({ Q, K, V, window }) {
  const keys = [];
  const values = [];
  const outputs = [];

  for (let t = 0; t < Q.length; t += 1) {
    keys.push(K[t]);
    values.push(V[t]);
    if (keys.length > window) {
      keys.shift();
      values.shift();
    }

    const { output } = core.attention({
      Q: Q[t], K: keys.flat(), V: values.flat(),
      n_q: 1, n_k: keys.length, d_k: Q[t].length, d_v: V[t].length,
    });
    outputs.push([...output]);
  }
  return { outputs, kept: keys.length };
}
`,
  inputs({ core }, seed) {
    const shapes = (n) => ({ Q: [n, 4], K: [n, 4], V: [n, 2] });
    return [
      { ...drawn(core, 1, shapes(5)), window: 5 },
      { ...drawn(core, seed, shapes(9)), window: 3 },
    ];
  },
  check({ core }, { Q, K, V, window }, result) {
    const [n, columns] = [Q.length, V[0].length];
    const { output } = core.attention({
      Q: Q.flat(),
      K: K.flat(),
      V: V.flat(),
      n_q: n,
      n_k: n,
      d_k: Q[0].length,
      d_v: columns,
      mask: { causal: true, window },
    });
    const { outputs, kept } = fieldsOf(result);
    return (
      sameNumbers(msg(str`the outputs with a window of ${window}`), outputs, output, { columns }) ??
      sameNumber('kept', kept, Math.min(n, window))
    );
  },
};
