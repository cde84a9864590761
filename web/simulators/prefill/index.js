import { define } from '../../shared/simulator.js';
import { AttnPrefill } from './prefill.element.js';

define('attn-prefill', AttnPrefill);

export { AttnPrefill };
