import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './query.model.js';
import { view } from './query.view.js';

/** `<attn-query>`: one query, three keys (slide 15). */
export class AttnQuery extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
