import logPlot from '../../shared/log-plot.css?inline';
import prefill from '../../shared/prefill.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './prefill.model.js';
import { view } from './prefill.view.js';

/** `<attn-prefill>`. */
export class AttnPrefill extends Simulator {
  static styles = stylesWith(logPlot, prefill);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
