/** What the checks know about the way back through the softmax. */
import { formatNumber } from '../../../web/shared/number.js';

export const scenario = {
  slide: '21',
  shows: [
    { case: 'bank', figures: { 'back.bank': ['dS'] } },
    { case: 'hundred', state: { row: 3 }, figures: { 'back.x100': [4] } },
    { case: 'once', figures: { 'back.x100': [1] } },
    { case: 'once', state: { row: 4 }, figures: { 'back.x100': [2] } },
  ],
  secret: ({ dS }) => dS[0].map((value) => formatNumber(value)),
  secretValues: ({ dS }) => dS[0],
  exact: ({ dS }) => dS[0],
};
