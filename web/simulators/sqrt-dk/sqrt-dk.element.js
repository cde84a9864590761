import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './sqrt-dk.model.js';
import { view } from './sqrt-dk.view.js';

/** `<attn-sqrt-dk>`. */
export class AttnSqrtDk extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
