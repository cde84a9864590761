import pieces from '../../shared/pieces.css?inline';
import textField from '../../shared/text-field.css?inline';
import list from '../../shared/list.css?inline';
import textCosts from '../../shared/text-costs.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './tokens.model.js';
import { view } from './tokens.view.js';

/** `<attn-tokens>`: two texts in the tokens of GPT-2 and its successors (slide 6). */
export class AttnTokens extends Simulator {
  static styles = stylesWith(pieces, textField, list, textCosts);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
