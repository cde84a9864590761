/** What the checks know about writing with a cache and without. */
import { formatNumber, formatTimes } from '../../../web/shared/number.js';

const count = (value) => formatNumber(value, { decimals: 0 });

export const scenario = {
  slide: '29',
  shows: [{ case: 'slide', figures: { 'kv.nocache': true, 'deck.kv.passes.n': true } }],
  secret: ({ passes }) => [count(passes.without_cache), formatTimes(passes.ratio)],
  secretValues: ({ passes }) => [passes.without_cache, passes.ratio],
};
