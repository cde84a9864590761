import textField from '../../shared/text-field.css?inline';
import weightMap from '../../shared/weight-map.css?inline';
import wholeMatrix from '../../shared/whole-matrix.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './matrix.model.js';
import { view } from './matrix.view.js';

/** `<attn-matrix>`. */
export class AttnMatrix extends Simulator {
  static styles = stylesWith(textField, weightMap, wholeMatrix);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
