/** What the browser checks know about grammar in trained heads. */
import { shareText } from '../../../web/simulators/trained-heads/trained-heads.model.js';

export const scenario = {
  slide: '27b',
  shows: [
    { figures: { 'deck.trained.syntax': true } },
    { case: 'coreference', figures: { 'deck.trained.coreference': true } },
  ],
  secret: ({ weights, order }) => order.slice(0, 1).map((j) => shareText(weights[j])),
  secretValues: ({ weights, order }) => order.slice(0, 1).map((j) => weights[j]),
  exact: ({ weights, order }) => order.slice(0, 4).map((j) => weights[j]),
};
