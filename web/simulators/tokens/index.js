import { define } from '../../shared/simulator.js';
import { AttnTokens } from './tokens.element.js';

define('attn-tokens', AttnTokens);

export { AttnTokens };
