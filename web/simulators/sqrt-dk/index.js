import { define } from '../../shared/simulator.js';
import { AttnSqrtDk } from './sqrt-dk.element.js';

define('attn-sqrt-dk', AttnSqrtDk);

export { AttnSqrtDk };
