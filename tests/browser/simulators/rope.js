/** What the checks know about RoPE's clocks. */
import { formatMagnitude, formatNumber } from '../../../web/shared/number.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '25',
  shows: [
    { case: 'slide', figures: { 'rope.same': [1], 'deck.rope.turn': true } },
    { case: 'slide', state: { shift: 0 }, figures: { 'rope.same': [0] } },
    { case: 'far', figures: { 'rope.same': [2] } },
    { case: 'one', figures: { 'rope.other': [0] } },
    { case: 'three', figures: { 'rope.other': [1] } },
    { case: 'yarn', figures: { 'deck.rope.yarn': true } },
    { case: 'mixed', figures: { 'deck.rope.mixed': true } },
  ],
  // One number of each row stands for all.
  tried: (path) => !/^[qk]\./.test(path) || /^[qk]\.[07]$/.test(path),
  secret: ({ difference, terms }) => [
    plain(formatMagnitude(difference)),
    ...terms.map((term) => formatNumber(term)),
  ],
  secretValues: ({ difference, terms }) => [difference, ...terms],
  exact: ({ score, terms }) => [score, ...terms],
  // Down and left of its place the query's hand of the slowest pair goes on.
  drag: { handle: '[data-hand="q.4"] .clock-knob', moves: [['m', 1]] },
};
