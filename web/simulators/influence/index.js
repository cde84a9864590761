import { define } from '../../shared/simulator.js';
import { AttnInfluence } from './influence.element.js';

define('attn-influence', AttnInfluence);

export { AttnInfluence };
