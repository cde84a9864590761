import logPlot from '../../shared/log-plot.css?inline';
import measureButton from '../../shared/measure-button.css?inline';
import scaling from '../../shared/scaling.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './sqrt-dk.model.js';
import { view } from './sqrt-dk.view.js';

/** `<attn-sqrt-dk>`. */
export class AttnSqrtDk extends Simulator {
  static styles = stylesWith(logPlot, measureButton, scaling);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
