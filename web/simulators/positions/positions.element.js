import textField from '../../shared/text-field.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import offsetPlot from '../../shared/offset-plot.css?inline';
import positions from '../../shared/positions.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './positions.model.js';
import { view } from './positions.view.js';

/** `<attn-positions>`: five schemes of position on one sentence (slide 24). */
export class AttnPositions extends Simulator {
  static styles = stylesWith(textField, logPlot, offsetPlot, positions);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
