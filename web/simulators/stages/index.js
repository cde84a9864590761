import { define } from '../../shared/simulator.js';
import { AttnStages } from './stages.element.js';

define('attn-stages', AttnStages);

export { AttnStages };
