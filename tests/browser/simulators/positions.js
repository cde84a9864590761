/** What the checks know about the order of the words. */
import { amount } from '../../../web/simulators/positions/positions.model.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '24',
  shows: [
    { case: 'slide', figures: { 'deck.alibi.slopes': [0] } },
    { case: 'gentle', figures: { 'deck.alibi.slopes': [1] } },
  ],
  // The last is rounding alone, and RoPE's scores may differ by the same.
  secret: ({ change }) => change.slice(0, 4).map((value) => plain(amount(value))),
  secretValues: ({ change }) => change.slice(0, 4),
  exact: ({ change, moved }) => [change[0], change[3], moved[0]],
};
