import { define } from '../../shared/simulator.js';
import { AttnKvHeads } from './kv-heads.element.js';

define('attn-kv-heads', AttnKvHeads);

export { AttnKvHeads };
