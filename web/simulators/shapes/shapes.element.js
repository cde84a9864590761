import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './shapes.model.js';
import { view } from './shapes.view.js';

/** `<attn-shapes>`: the shape of every matrix for any sizes (slide 17). */
export class AttnShapes extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
