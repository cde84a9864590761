import pieces from '../../shared/pieces.css?inline';
import textField from '../../shared/text-field.css?inline';
import list from '../../shared/list.css?inline';
import stages from '../../shared/stages.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './stages.model.js';
import { view } from './stages.view.js';

/** `<attn-stages>`: the running sentence after some merges (slide 7). */
export class AttnStages extends Simulator {
  static styles = stylesWith(pieces, textField, list, stages);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
