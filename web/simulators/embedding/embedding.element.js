import pieces from '../../shared/pieces.css?inline';
import embedding from '../../shared/embedding.css?inline';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './embedding.model.js';
import { view } from './embedding.view.js';

/** `<attn-embedding>`: from ids to the vectors that enter the first layer (slide 9). */
export class AttnEmbedding extends Simulator {
  static styles = stylesWith(pieces, embedding);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
