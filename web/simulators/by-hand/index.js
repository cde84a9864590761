import { define } from '../../shared/simulator.js';
import { AttnByHand } from './by-hand.element.js';

define('attn-by-hand', AttnByHand);

export { AttnByHand };
