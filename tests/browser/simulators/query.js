/** What the checks know about “one query, three keys”. */
import { formatNumber, formatVector } from '../../../web/shared/number.js';

const all = true;

export const scenario = {
  slide: '15',
  shows: [
    {
      case: 'river',
      figures: {
        'bank.score': all,
        'bank.scaled': all,
        'bank.exp': all,
        'bank.sum': all,
        'bank.w': all,
        'bank.contrib': all,
        'bank.out': all,
      },
    },
    { case: 'a', figures: { 'bank.a': all } },
    { case: 'b', figures: { 'bank.b': all, 'bank.b.out': all } },
    { case: 'c', figures: { 'bank.c': all, 'bank.c.out': all } },
    { state: { d_k: 1 }, figures: { 'bank.dk': [0] } },
    { state: { d_k: 2 }, figures: { 'bank.dk': [1] } },
    { state: { d_k: 4 }, figures: { 'bank.dk': [2] } },
  ],
  secret: ({ weights, output }) => [
    ...weights.map((weight) => formatNumber(weight)),
    formatVector(output, { decimals: 2 }),
  ],
  secretValues: ({ weights, output }) => [...weights, ...output],
  exact: ({ output }) => output,
  drag: {
    handle: '.plane-handle',
    moves: [
      ['q.0', -1],
      ['q.1', -1],
    ],
  },
};
