/** What the checks know about the cache on one accelerator. */
import { formatDecimalBytes } from '../../../web/shared/number.js';

const said = (bytes) => formatDecimalBytes(bytes).replace(/\s/g, ' ');

export const scenario = {
  slide: '31',
  shows: [
    {
      case: 'gqa',
      figures: { 'kv.sim.8B': true, 'kv.sim.gqa32k': true, 'kv.sim.weights': [0] },
    },
    { case: 'mha', figures: { 'kv.sim.mha32k': true } },
    { case: '128k', figures: { 'kv.sim.gqa128k': true } },
    { case: '70b', figures: { 'kv.sim.70B': true, 'kv.sim.weights': [1] } },
    { case: '405b', figures: { 'kv.sim.405B': true, 'kv.sim.weights': [2] } },
  ],
  secret: ({ bill }) => [said(bill.needed_bytes), said(bill.memory.free_bytes), 'fits:'],
  secretValues: ({ bill }) => [bill.needed_bytes, bill.allocated_bytes],
  exact: ({ bill }) => [bill.decode.tokens_per_s, bill.decode.sequence_tokens_per_s],
};
