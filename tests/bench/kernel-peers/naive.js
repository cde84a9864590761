import { loop } from '../../../web/pages/bench/sampling.js';
import { naiveAttention } from '../../../web/pages/bench/naive.js';

export const open = async () => ({
  ways: () => ['loops'],
  prepare(_, shape, inputs) {
    const { compute, output } = naiveAttention(shape, inputs);
    return { run: loop(compute), output: () => output, close() {} };
  },
});
