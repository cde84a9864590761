/** What the checks know about the four masks and the training without one. */
import { formatNumber } from '../../../web/shared/number.js';

const two = (value) => formatNumber(value, { decimals: 2 });

export const scenario = {
  slide: '23',
  shows: [{ case: 'padding', figures: { 'mask.pad': true, 'mask.pad.masked': true } }],
  // What a row moves without a mask is shown, and may come to the same digits.
  secret: ({ open, masked }) =>
    masked.by.map(two).filter((text, i) => masked.by[i] > 0 && !open.by.map(two).includes(text)),
  secretValues: ({ masked }) => masked.by.filter((by) => by > 0),
  exact: ({ masked }) => masked.by.filter((by) => by > 0),
};
