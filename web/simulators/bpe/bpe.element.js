import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './bpe.model.js';
import { view } from './bpe.view.js';

/** `<attn-bpe>`: BPE learnt and applied, merge by merge (slide 8). */
export class AttnBpe extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
