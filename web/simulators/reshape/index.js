import { define } from '../../shared/simulator.js';
import { AttnReshape } from './reshape.element.js';

define('attn-reshape', AttnReshape);

export { AttnReshape };
