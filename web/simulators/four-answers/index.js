import { define } from '../../shared/simulator.js';
import { AttnFourAnswers } from './four-answers.element.js';

define('attn-four-answers', AttnFourAnswers);

export { AttnFourAnswers };
