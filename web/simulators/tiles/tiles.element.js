import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './tiles.model.js';
import { view } from './tiles.view.js';

/** `<attn-tiles>`: attention tile by tile with a running maximum, and its costs, timed here (slide 33). */
export class AttnTiles extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
