import { define } from '../../shared/simulator.js';
import { AttnMasks } from './masks.element.js';

define('attn-masks', AttnMasks);

export { AttnMasks };
