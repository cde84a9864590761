import logPlot from '../../shared/log-plot.css?inline';
import gradient from '../../shared/gradient.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './gradient.model.js';
import { view } from './gradient.view.js';

/** `<attn-gradient>`. */
export class AttnGradient extends Simulator {
  static styles = stylesWith(logPlot, gradient);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
