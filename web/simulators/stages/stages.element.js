import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './stages.model.js';
import { view } from './stages.view.js';

/** `<attn-stages>`: the running sentence after some merges (slide 7). */
export class AttnStages extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
