/** What the checks know about the mask that is added. */
import { formatNumber } from '../../../web/shared/number.js';

const two = (value) => formatNumber(value, { decimals: 2 });

export const scenario = {
  slide: '22',
  shows: [
    {
      case: 'slide',
      figures: {
        'recap.mask.row1': true,
        'recap.mask.row2': true,
        'recap.mask.row3': true,
        'recap.mask.row4': true,
      },
    },
    { case: 'last', figures: { 'mask.predictions': true, 'mask.lasttoken': true } },
  ],
  secret: ({ weights }) => [two(weights[1][1]), two(weights[2][2]), two(weights[3][3])],
  secretValues: ({ weights }) => weights.flat().filter((weight) => weight > 0 && weight < 1),
  exact: ({ weights }) => weights.flat().filter((weight) => weight > 0 && weight < 1),
};
