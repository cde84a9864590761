import { define } from '../../shared/simulator.js';
import { AttnShapes } from './shapes.element.js';

define('attn-shapes', AttnShapes);

export { AttnShapes };
