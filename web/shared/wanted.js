/** What the numbers of a state need besides their module: vocabularies, or recordings of real models. */
import { msg } from './language.js';

/** The names of what a state needs. */
export const wantedBy = (model, state) => (model.vocabularies ?? model.recordings)?.(state) ?? [];

/** Brings one of them; its answer can be had from the module's `opened(name)` then. */
export const bring = (model, module, name, options) =>
  model.recordings ? module.recording(name, options) : module.vocabulary(name, options);

export const bringing = (model) =>
  model.recordings ? msg('Fetching the recording …') : msg('Fetching the vocabulary …');
