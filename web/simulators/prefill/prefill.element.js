import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './prefill.model.js';
import { view } from './prefill.view.js';

/** `<attn-prefill>`. */
export class AttnPrefill extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
