import { define } from '../../shared/simulator.js';
import { AttnLiveRow } from './live-row.element.js';

define('attn-live-row', AttnLiveRow);

export { AttnLiveRow };
