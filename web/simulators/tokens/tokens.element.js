import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './tokens.model.js';
import { view } from './tokens.view.js';

/** `<attn-tokens>`: two texts in the tokens of GPT-2 and its successors (slide 6). */
export class AttnTokens extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
