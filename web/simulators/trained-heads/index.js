import { define } from '../../shared/simulator.js';
import { AttnTrainedHeads } from './trained-heads.element.js';

define('attn-trained-heads', AttnTrainedHeads);

export { AttnTrainedHeads };
