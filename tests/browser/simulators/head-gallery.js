/** What the checks know about the gallery of heads. */
import { formatWeight } from '../../../web/shared/number.js';

const heads = ['previous', 'induction', 'sink', 'content', 'distance'];

export const scenario = {
  slide: '27',
  shows: [
    ...heads.map((head, h) => ({ state: { head }, figures: { 'deck.heads.A': [h] } })),
    ...heads.map((head, h) => ({ state: { head }, figures: { 'deck.heads.out': [h, 4] } })),
  ],
  secret: ({ weights, at, outputs }) => [
    formatWeight(weights[at][2]),
    `[${outputs[at].map((value) => formatWeight(value)).join(', ')}]`,
  ],
  secretValues: ({ weights, at }) => [weights[at][2]],
  exact: ({ weights, at }) => [weights[at][2]],
};
