import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './positions.model.js';
import { view } from './positions.view.js';

/** `<attn-positions>`: five schemes of position on one sentence (slide 24). */
export class AttnPositions extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
