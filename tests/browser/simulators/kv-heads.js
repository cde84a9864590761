/** What the checks know about heads of K and V. */
import { formatBillions } from '../../../web/shared/number.js';

export const scenario = {
  slide: '32',
  shows: [
    {
      case: 'gqa',
      figures: {
        'kv.schemes': true,
        'recap.gqa.mb': true,
        'recap.gqa.gb': true,
        'recap.gqa.x': true,
        'deck.kv.scheme.kv': true,
        'deck.kv.scheme.mb': true,
        'deck.kv.scheme.gb': true,
        'deck.kv.scheme.times': true,
        'deck.kv.scheme.kvparams': true,
        'deck.kv.scheme.params': true,
      },
    },
    { case: 'mha', figures: { 'recap.kv.mb': true, 'recap.kv.gb': true } },
  ],
  secret: ({ chosen }) => [
    formatBillions(chosen.projections),
    formatBillions(chosen.parameters, 1),
  ],
  secretValues: ({ chosen }) => [chosen.projections, chosen.parameters],
};
