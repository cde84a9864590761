import matrixTable from '../../shared/matrix-table.css?inline';
import heads from '../../shared/heads.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './head-gallery.model.js';
import { view } from './head-gallery.view.js';

/** `<attn-head-gallery>`. */
export class AttnHeadGallery extends Simulator {
  static styles = stylesWith(matrixTable, heads);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
