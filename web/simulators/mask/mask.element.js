import matrixTable from '../../shared/matrix-table.css?inline';
import masks from '../../shared/masks.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './mask.model.js';
import { view } from './mask.view.js';

/** `<attn-mask>`: the mask that is added to the scores, and what a change reaches with it (slide 22). */
export class AttnMask extends Simulator {
  static styles = stylesWith(matrixTable, masks);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
