import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './matrix.model.js';
import { view } from './matrix.view.js';

/** `<attn-matrix>`. */
export class AttnMatrix extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
