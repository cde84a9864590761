import { define } from '../../shared/simulator.js';
import { AttnQuery } from './query.element.js';

define('attn-query', AttnQuery);

export { AttnQuery };
