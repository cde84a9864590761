import logPlot from '../../shared/log-plot.css?inline';
import measureButton from '../../shared/measure-button.css?inline';
import answers from '../../shared/answers.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './four-answers.model.js';
import { view } from './four-answers.view.js';

/** `<attn-four-answers>`: what each answer to n² gives back, who sees whom in it, and what it costs, timed here (slide 33b). */
export class AttnFourAnswers extends Simulator {
  static styles = stylesWith(logPlot, measureButton, answers);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
