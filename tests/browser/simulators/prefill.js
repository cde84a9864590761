/** What the checks know about the work of a prompt. */
import { formatOperations, formatTimes } from '../../../web/shared/number.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '36',
  shows: [
    {
      case: 'slide',
      figures: {
        'recap.prompt': true,
        'deck.prompt.linear': true,
        'deck.prompt.attention': true,
        'deck.prompt.double': true,
        'deck.prompt.crossing': [0],
      },
    },
    { case: 'larger', figures: { 'deck.prompt.crossing': [1] } },
  ],
  secret: ({ growth, prompts }) => [
    formatTimes(growth.total),
    plain(formatOperations(prompts[2].total)),
    plain(formatOperations(prompts[2].attention)),
  ],
  secretValues: ({ growth, prompts }) => [growth.total, prompts[2].total],
};
