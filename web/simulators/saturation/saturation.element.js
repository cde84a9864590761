import scaling from '../../shared/scaling.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './saturation.model.js';
import { view } from './saturation.view.js';

/** `<attn-saturation>`. */
export class AttnSaturation extends Simulator {
  static styles = stylesWith(scaling);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
