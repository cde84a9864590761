import transport from '../../shared/transport.css?inline';
import matrixTable from '../../shared/matrix-table.css?inline';
import heads from '../../shared/heads.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './multi-head.model.js';
import { view } from './multi-head.view.js';

/** `<attn-multi-head>`. */
export class AttnMultiHead extends Simulator {
  static styles = stylesWith(transport, matrixTable, heads);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
