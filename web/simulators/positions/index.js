import { define } from '../../shared/simulator.js';
import { AttnPositions } from './positions.element.js';

define('attn-positions', AttnPositions);

export { AttnPositions };
