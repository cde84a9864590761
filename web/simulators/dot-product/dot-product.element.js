import logPlot from '../../shared/log-plot.css?inline';
import scaling from '../../shared/scaling.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './dot-product.model.js';
import { view } from './dot-product.view.js';

/** `<attn-dot-product>`. */
export class AttnDotProduct extends Simulator {
  static styles = stylesWith(logPlot, scaling);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
