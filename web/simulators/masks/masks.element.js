import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './masks.model.js';
import { view } from './masks.view.js';

/** `<attn-masks>`: four masks, singly and together, and a model trained with and without the causal one (slide 23). */
export class AttnMasks extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
