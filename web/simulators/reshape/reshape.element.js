import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './reshape.model.js';
import { view } from './reshape.view.js';

/** `<attn-reshape>`. */
export class AttnReshape extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
