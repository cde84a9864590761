import { define } from '../../shared/simulator.js';
import { AttnRealModel } from './real-model.element.js';

define('attn-real-model', AttnRealModel);

export { AttnRealModel };
