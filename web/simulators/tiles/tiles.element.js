import transport from '../../shared/transport.css?inline';
import heat from '../../shared/heat.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import measureButton from '../../shared/measure-button.css?inline';
import tiles from '../../shared/tiles.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './tiles.model.js';
import { view } from './tiles.view.js';

/** `<attn-tiles>`: attention tile by tile with a running maximum, and its costs, timed here (slide 33). */
export class AttnTiles extends Simulator {
  static styles = stylesWith(transport, heat, logPlot, measureButton, tiles);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
