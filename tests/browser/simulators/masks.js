/** What the checks know about the four masks and the training without one. */
import { formatNumber } from '../../../web/shared/number.js';

const two = (value) => formatNumber(value, { decimals: 2 });

export const scenario = {
  slide: '23',
  shows: [{ case: 'padding', figures: { 'mask.pad': true, 'mask.pad.masked': true } }],
  secret: ({ masked }) => masked.by.filter((by) => by > 0).map(two),
  secretValues: ({ masked }) => masked.by.filter((by) => by > 0),
  exact: ({ masked }) => masked.by.filter((by) => by > 0),
};
