import { define } from '../../shared/simulator.js';
import { AttnRope } from './rope.element.js';

define('attn-rope', AttnRope);

export { AttnRope };
