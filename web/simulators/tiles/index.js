import { define } from '../../shared/simulator.js';
import { AttnTiles } from './tiles.element.js';

define('attn-tiles', AttnTiles);

export { AttnTiles };
