/** What the checks know about weight and influence. */
import { formatNumber } from '../../../web/shared/number.js';

export const scenario = {
  slide: '35',
  shows: [
    {
      case: 'slide',
      figures: {
        'deck.influence.norms': [0],
        'deck.influence.weighted': [0],
        'deck.influence.hidden': [0],
        'deck.influence.everywhere': [0],
        'deck.influence.without': true,
      },
    },
    {
      case: 'large',
      figures: {
        'deck.influence.weighted': [1],
        'deck.influence.hidden': [1],
        'deck.influence.everywhere': [1],
      },
    },
    { case: 'silent', figures: { 'deck.influence.silent': true } },
  ],
  tried: (path) => !/^V\./.test(path) || /^V\.[02]\./.test(path),
  secret: ({ hidden, everywhere }) => [
    formatNumber(hidden[0][0], { decimals: 3 }),
    formatNumber(everywhere[0][2], { decimals: 3 }),
  ],
  secretValues: ({ everywhere }) => [everywhere[0][2]],
  exact: ({ weights, hidden }) => [weights[0][1], hidden[0][0]],
};
