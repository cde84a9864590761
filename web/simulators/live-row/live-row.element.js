import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './live-row.model.js';
import { view } from './live-row.view.js';

/** `<attn-live-row>`: one live row of weights (slide 1). */
export class AttnLiveRow extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
