import list from '../../shared/list.css?inline';
import realModel from '../../shared/real-model.css?inline';
import weightMap from '../../shared/weight-map.css?inline';
import { checkReading } from '../../runtime/index.js';
import { Simulator, simulatorProperties, stylesWith } from '../../shared/simulator.js';
import { model } from './real-model.model.js';
import { view } from './real-model.view.js';

/** `<attn-real-model>`. */
export class AttnRealModel extends Simulator {
  static styles = stylesWith(list, weightMap, realModel);
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);

  #reading;

  /**
   * What a model that runs here looked at, in place of the recording; see `Reading` in web/runtime/reading.js. What is no
   * reading is refused by an error that names the field, and the last one stays.
   */
  get reading() {
    return this.#reading;
  }

  set reading(reading) {
    this.#reading = reading === undefined || reading === null ? undefined : checkReading(reading);
    this.refresh();
  }

  /** @ignore */
  wanted(state) {
    return this.#reading ? [] : super.wanted(state);
  }

  /** @ignore */
  compute(module, state, how) {
    return model.compute(module, state, { ...how, reading: this.#reading });
  }
}
