import transport from '../../shared/transport.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import measureButton from '../../shared/measure-button.css?inline';
import decode from '../../shared/decode.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './decode.model.js';
import { view } from './decode.view.js';

/** `<attn-decode>`: a small model that writes with and without a cache (slide 29). */
export class AttnDecode extends Simulator {
  static styles = stylesWith(transport, logPlot, measureButton, decode);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
