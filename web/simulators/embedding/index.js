import { define } from '../../shared/simulator.js';
import { AttnEmbedding } from './embedding.element.js';

define('attn-embedding', AttnEmbedding);

export { AttnEmbedding };
