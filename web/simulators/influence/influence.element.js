import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './influence.model.js';
import { view } from './influence.view.js';

/** `<attn-influence>`. */
export class AttnInfluence extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
