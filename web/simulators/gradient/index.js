import { define } from '../../shared/simulator.js';
import { AttnGradient } from './gradient.element.js';

define('attn-gradient', AttnGradient);

export { AttnGradient };
