import { msg } from '../../shared/language.js';
import { drawn, inRows } from '../matrices.js';
import { sameNumbers } from '../compare.js';

const weightsOf = (core, x) =>
  inRows(core.softmax({ x: x.flat(), n: x.length, m: x[0].length }).weights, x[0].length);

export default {
  id: 'way-back',
  get title() {
    return msg('The way back by hand');
  },
  slide: 21,
  modules: ['core'],
  call: 'wayBack',
  get task() {
    return [
      msg(
        'Learning goes backwards: somebody hands you `dA`, how the loss changes with each weight. You hand on `dS`, how it changes with each score.',
      ),
      msg(
        'Weights of a row sum to 1, so pushing one up pushes the others down. The program forgets that. Write the whole way back through the softmax, row by row.',
      ),
    ];
  },
  get code() {
    return `// A: ${msg('weights, each row sums to 1')}   dA: ${msg('how the loss changes with them')}
function wayBack({ A, dA }) {
  return A.map((weights, i) => {
    const products = weights.map((a, j) => a * dA[i][j]);

    const dS = products; // ← ${msg('something is still missing')}

    console.log('sums to', dS.reduce((sum, x) => sum + x, 0));
    return dS;
  });
}
`;
  },
  get hint() {
    return msg(
      'dS = A ∘ (dA − rowsum(dA ∘ A)). The products are already there: their sum is what has to be taken from each dA before it is weighted. When you have it, each row of dS sums to 0.',
    );
  },
  solution: `function wayBack({ A, dA }) {
  return A.map((weights, i) => {
    const products = weights.map((a, j) => a * dA[i][j]);
    const mean = products.reduce((sum, x) => sum + x, 0);

    const dS = weights.map((a, j) => a * (dA[i][j] - mean));

    console.log('sums to', dS.reduce((sum, x) => sum + x, 0));
    return dS;
  });
}
`,
  inputs({ core }, seed) {
    const { S, dA } = drawn(core, seed, { S: [4, 5], dA: [4, 5] });
    return [
      { A: weightsOf(core, [[0, 1, 2]]), dA: [[1, 0, 1]] },
      { A: weightsOf(core, S), dA },
    ];
  },
  check({ core }, { A, dA }, result) {
    const columns = A[0].length;
    const { dS } = core.softmaxBackward({
      A: A.flat(),
      dA: dA.flat(),
      n: A.length,
      m: columns,
    });
    return sameNumbers('dS', result, dS, { columns });
  },
};
