import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './kv-cache.model.js';
import { view } from './kv-cache.view.js';

/** `<attn-kv-cache>`. */
export class AttnKvCache extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
