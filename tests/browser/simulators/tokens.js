/** What the checks know about the tokens of two texts. */
import { formatNumber } from '../../../web/shared/number.js';

const all = true;

export const scenario = {
  slide: '6',
  shows: [
    { case: 'roof', figures: { 'tok.gpt2.pair1': all, 'tok.ratio': all, 'tok.gpt2.vocab': all } },
    { case: 'morning', figures: { 'tok.gpt2.pair2': all } },
    { case: 'river', figures: { 'tok.gpt2.pair3': all } },
    {
      case: 'running',
      figures: {
        'tok.chars': all,
        'tok.gpt2.en4': all,
        'tok.gpt2.pt6': all,
        'tok.gpt2.pt6.pieces': all,
      },
    },
  ],
  secret: ({ rows: [{ first, second }] }) => [
    ...first.ids.filter((id) => id > 999).map(String),
    formatNumber(second.cost.tokens_per_word, { decimals: 2 }),
    formatNumber(second.cost.relative, { decimals: 2 }),
  ],
  secretValues: ({ rows: [{ first, second }] }) => [
    first.cost.tokens_per_word,
    second.cost.tokens_per_word,
    second.cost.relative,
  ],
};
