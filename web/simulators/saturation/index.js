import { define } from '../../shared/simulator.js';
import { AttnSaturation } from './saturation.element.js';

define('attn-saturation', AttnSaturation);

export { AttnSaturation };
