/** What the checks know about “the cat sat”, exact beside hand-rounded. */
import { formatNumber } from '../../../web/shared/number.js';

const all = true;

export const scenario = {
  slide: '16',
  shows: [
    {
      figures: {
        'recap.score': all,
        'recap.scaled': all,
        'recap.exp.the': all,
        'recap.exp.cat': all,
        'recap.exp.sat': all,
        'recap.sum': all,
        'recap.w': all,
        'recap.contrib': all,
        'recap.contrib.sat2': all,
        'recap.out': all,
      },
    },
  ],
  secret: ({ exact, state }) =>
    exact.weights.map((weight) => formatNumber(weight, { decimals: state.decimals })),
  secretValues: ({ exact }) => [...exact.weights, ...exact.output],
  exact: ({ exact, state }) => [exact.exponentials[state.row], exact.weights[state.row]],
};
