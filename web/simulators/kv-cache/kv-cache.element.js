import transport from '../../shared/transport.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import rooflinePlot from '../../shared/roofline-plot.css?inline';
import kvCache from '../../shared/kv-cache.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './kv-cache.model.js';
import { view } from './kv-cache.view.js';

/** `<attn-kv-cache>`. */
export class AttnKvCache extends Simulator {
  static styles = stylesWith(transport, logPlot, rooflinePlot, kvCache);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
