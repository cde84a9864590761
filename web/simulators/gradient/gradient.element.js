import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './gradient.model.js';
import { view } from './gradient.view.js';

/** `<attn-gradient>`. */
export class AttnGradient extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
