import { define } from '../../shared/simulator.js';
import { AttnMask } from './mask.element.js';

define('attn-mask', AttnMask);

export { AttnMask };
