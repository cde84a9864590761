/** What the checks know about the whole matrix of one head. */
import { formatNumber } from '../../../web/shared/number.js';
import { cellOf } from '../../../web/simulators/matrix/matrix.model.js';

const chosen = (numbers) => cellOf(numbers, numbers.state.row, numbers.state.column);

export const scenario = {
  slide: '18',
  shows: [
    { figures: { 'deck.map.weights': [4, 0] } },
    { figures: { 'deck.map.weights': [1, 1] } },
    { figures: { 'deck.map.outputs': [4, 0] } },
    { figures: { 'deck.map.outputs': [4, 1] } },
    { case: 'saturated', figures: { 'deck.map.untrained': [1, 1] } },
  ],
  secret: (numbers) => [
    formatNumber(chosen(numbers).weight),
    `averages ${formatNumber(numbers.map.mean_largest, { decimals: 2 })}`,
  ],
  secretValues: (numbers) => [chosen(numbers).weight],
  exact: (numbers) => [chosen(numbers).weight, chosen(numbers).sum],
};
