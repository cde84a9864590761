/** What the checks know about the way from an id to a vector. */
import { formatNumber, formatVector } from '../../../web/shared/number.js';

const all = true;
const short = { decimals: 2, trim: true };

export const scenario = {
  slide: '9',
  shows: [
    {
      case: 'sentence',
      figures: { 'emb.X': all, 'emb.gpt2.E': all, 'emb.gpt2.share': all, 'emb.gpt2.P': all },
    },
    { case: 'dog', figures: { 'deck.emb.dog': all } },
  ],
  secret: ({ X }) => [
    formatVector(X[1], short),
    ...X[1].map((value) => ` = ${formatNumber(value, short)}`),
  ],
  secretValues: ({ X }) => X.flat(),
};
