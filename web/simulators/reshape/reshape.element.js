import list from '../../shared/list.css?inline';
import heads from '../../shared/heads.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './reshape.model.js';
import { view } from './reshape.view.js';

/** `<attn-reshape>`. */
export class AttnReshape extends Simulator {
  static styles = stylesWith(list, heads);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
