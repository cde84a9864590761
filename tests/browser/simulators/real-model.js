/** What the browser checks know about <attn-real-model>. */
import { formatNumber } from '../../../web/shared/number.js';

export const scenario = {
  // The slide that it stands on.
  slide: '1',
  // Which golden figures it shows in which case or state: { case: 'start', figures: { 'bank.w': true } }.
  shows: [],
  secret: ({ weights }) => weights.map((weight) => formatNumber(weight)),
  secretValues: ({ weights }) => weights,
  exact: ({ weights }) => weights,
};
