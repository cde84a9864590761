/** What the browser checks know about the heads of a real model. */
import { shareText } from '../../../web/simulators/real-model/real-model.model.js';

export const scenario = {
  slide: '34',
  shows: [
    { figures: { 'deck.smol.previous': true } },
    { figures: { 'deck.smol.first': true } },
    { case: 'sink', figures: { 'deck.smol.sink': true } },
    { case: 'induction', figures: { 'deck.smol.induction': true } },
  ],
  secret: ({ row }) => row.order.slice(0, 2).map((j) => shareText(row.weights[j])),
  secretValues: ({ row }) => row.order.slice(0, 2).map((j) => row.weights[j]),
  exact: ({ row }) => row.order.slice(0, 3).map((j) => row.weights[j]),
};
