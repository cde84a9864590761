import { define } from '../../shared/simulator.js';
import { AttnMatrix } from './matrix.element.js';

define('attn-matrix', AttnMatrix);

export { AttnMatrix };
