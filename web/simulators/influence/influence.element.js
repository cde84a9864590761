import matrixTable from '../../shared/matrix-table.css?inline';
import heads from '../../shared/heads.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './influence.model.js';
import { view } from './influence.view.js';

/** `<attn-influence>`. */
export class AttnInfluence extends Simulator {
  static styles = stylesWith(matrixTable, heads);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
