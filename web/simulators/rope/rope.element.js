import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './rope.model.js';
import { view } from './rope.view.js';

/** `<attn-rope>`: a clock for each pair (slide 25). */
export class AttnRope extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
