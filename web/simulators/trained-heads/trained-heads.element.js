import realModel from '../../shared/real-model.css?inline';
import weightMap from '../../shared/weight-map.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './trained-heads.model.js';
import { view } from './trained-heads.view.js';

/** `<attn-trained-heads>`. */
export class AttnTrainedHeads extends Simulator {
  static styles = stylesWith(weightMap, realModel);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
