import kvHeads from '../../shared/kv-heads.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './kv-heads.model.js';
import { view } from './kv-heads.view.js';

/** `<attn-kv-heads>`: fewer heads of K and V, and what becomes smaller by it (slide 32). */
export class AttnKvHeads extends Simulator {
  static styles = stylesWith(kvHeads);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
