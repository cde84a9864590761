import { define } from '../../shared/simulator.js';
import { AttnDecode } from './decode.element.js';

define('attn-decode', AttnDecode);

export { AttnDecode };
