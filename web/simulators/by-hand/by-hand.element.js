import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './by-hand.model.js';
import { view } from './by-hand.view.js';

/** `<attn-by-hand>`: “the cat sat”, exact beside hand-rounded (slide 16). */
export class AttnByHand extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
