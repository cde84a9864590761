import transport from '../../shared/transport.css?inline';
import logPlot from '../../shared/log-plot.css?inline';
import matrixTable from '../../shared/matrix-table.css?inline';
import masks from '../../shared/masks.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './masks.model.js';
import { view } from './masks.view.js';

/** `<attn-masks>`: four masks, singly and together, and a model trained with and without the causal one (slide 23). */
export class AttnMasks extends Simulator {
  static styles = stylesWith(transport, logPlot, matrixTable, masks);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
