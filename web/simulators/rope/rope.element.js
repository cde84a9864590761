import transport from '../../shared/transport.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import clock from '../../shared/clock.css?inline';
import offsetPlot from '../../shared/offset-plot.css?inline';
import rope from '../../shared/rope.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './rope.model.js';
import { view } from './rope.view.js';

/** `<attn-rope>`: a clock for each pair (slide 25). */
export class AttnRope extends Simulator {
  static styles = stylesWith(transport, logPlot, clock, offsetPlot, rope);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
