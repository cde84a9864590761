import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './multi-head.model.js';
import { view } from './multi-head.view.js';

/** `<attn-multi-head>`. */
export class AttnMultiHead extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
