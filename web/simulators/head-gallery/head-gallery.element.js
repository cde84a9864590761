import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './head-gallery.model.js';
import { view } from './head-gallery.view.js';

/** `<attn-head-gallery>`. */
export class AttnHeadGallery extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
