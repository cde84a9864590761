import { define } from '../../shared/simulator.js';
import { AttnBpe } from './bpe.element.js';

define('attn-bpe', AttnBpe);

export { AttnBpe };
