import { define } from '../../shared/simulator.js';
import { AttnKvCache } from './kv-cache.element.js';

define('attn-kv-cache', AttnKvCache);

export { AttnKvCache };
