/** What the checks know about multi-head attention, line by line. */
import { formatNumber } from '../../../web/shared/number.js';

export const scenario = {
  slide: '28',
  shows: [
    { case: 'slide', figures: { 'mha.all': ['A'], 'mha.head1.out': true, 'mha.head2.sat': true } },
    {
      case: 'causal',
      figures: { 'mha.causal.all': ['A'], 'mha.causal.bank': true, 'mha.causal.sat': true },
    },
    { case: 'one', figures: { 'mha.h1.all': ['A'], 'mha.h1': true } },
    { case: 'equal', figures: { 'mha.equal': ['A'] } },
    { case: 'slide', figures: { 'mha.all': ['O'] } },
    { case: 'causal', figures: { 'mha.causal.all': ['O'] } },
    { case: 'one', figures: { 'mha.h1.all': ['O'] } },
    { case: 'equal', figures: { 'mha.equal': ['O'] } },
  ],
  // Of the cells of a matrix two corners stand for all.
  tried: (path) => !/^W_/.test(path) || /^W_.\.(0\.0|3\.3)$/.test(path),
  secret: ({ steps }) => [
    formatNumber(steps.weights.values[1][1][0], { decimals: 2 }),
    formatNumber(steps.output.values[1][0], { decimals: 2 }),
  ],
  secretValues: ({ steps }) => [steps.weights.values[1][1][0], steps.output.values[1][0]],
  exact: ({ steps }) => steps.output.values[1],
};
