import { define } from '../../shared/simulator.js';
import { AttnDotProduct } from './dot-product.element.js';

define('attn-dot-product', AttnDotProduct);

export { AttnDotProduct };
