import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './dot-product.model.js';
import { view } from './dot-product.view.js';

/** `<attn-dot-product>`. */
export class AttnDotProduct extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
