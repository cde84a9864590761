import { define } from '../../shared/simulator.js';
import { AttnMultiHead } from './multi-head.element.js';

define('attn-multi-head', AttnMultiHead);

export { AttnMultiHead };
