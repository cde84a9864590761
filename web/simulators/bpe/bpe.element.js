import pieces from '../../shared/pieces.css?inline';
import textField from '../../shared/text-field.css?inline';
import transport from '../../shared/transport.css?inline';
import list from '../../shared/list.css?inline';
import bpe from '../../shared/bpe.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './bpe.model.js';
import { view } from './bpe.view.js';

/** `<attn-bpe>`: BPE learnt and applied, merge by merge (slide 8). */
export class AttnBpe extends Simulator {
  static styles = stylesWith(pieces, textField, transport, list, bpe);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
