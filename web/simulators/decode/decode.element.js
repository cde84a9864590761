import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './decode.model.js';
import { view } from './decode.view.js';

/** `<attn-decode>`: a small model that writes with and without a cache (slide 29). */
export class AttnDecode extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
