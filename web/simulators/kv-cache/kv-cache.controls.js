/** What the views of the cache on one accelerator share: their controls, and how they write numbers. */
import { html } from 'lit';
import {
  choice,
  logSlider,
  logStops,
  number,
  select,
  slider,
  withheld,
} from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import {
  formatBytes,
  formatCount as count,
  formatDecimalBytes as bytes,
  many,
} from '../../shared/number.js';
import { FORMATS, LAST, SCHEMES, schemeName } from './kv-cache.model.js';

const CONTEXTS = logStops(1024, 1048576, 4);
export const hidden = (ui, template) => (ui?.answerHidden ? withheld : template);
export const formats = FORMATS.map((value) => ({ value, label: value }));
export const both = (value) =>
  html`${number(bytes(value))} <span class="kv-soft">= ${number(formatBytes(value))}</span>`;

export const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: html`<span class="spoken">${msg('One accelerator')}</span>`,
    options: [
      { value: 'memory', label: msg('memory') },
      { value: 'roofline', label: msg('speed') },
      { value: 'filling', label: msg('filling') },
    ],
  });

/** What has no name in a list stands as itself, and leads to its fields, which the view of the memory shows. */
const own = () => ({ value: '', label: msg('own fields') });

export function published({ models, named }, ui) {
  return select(ui, {
    path: 'model',
    value: named?.id ?? '',
    label: html`<span class="spoken">${msg('model')}</span>`,
    options: [own(), ...models.map(({ id, name }) => ({ value: id, label: name }))],
    onChoose: (id) =>
      ui.set(
        id === ''
          ? { view: 'memory', panel: 'model' }
          : models.find((item) => item.id === id).fields,
      ),
  });
}

function machines({ state, accelerators, machine }, ui) {
  const how = count(state.accelerators);
  const on =
    state.accelerators === 1 ? msg('on', { id: 'kvOnAccelerator' }) : msg(str`on ${how} ×`);
  return select(ui, {
    path: 'accelerator',
    value: machine?.id ?? '',
    label: on,
    name: msg(str`${on} accelerator`),
    options: [own(), ...accelerators.map(({ id, name }) => ({ value: id, label: name }))],
    onChoose: (id) =>
      ui.set(
        id === ''
          ? { view: 'memory', panel: 'machine' }
          : accelerators.find((item) => item.id === id).fields,
      ),
  });
}

/** Each scheme with what it comes to, so that a choice shows its price before it is made. */
export const schemeChoice = ({ state, schemes }, ui) =>
  html`<div class="kv-schemes">
    ${choice(ui, {
      path: 'scheme',
      value: state.scheme,
      legend: html`${msg('Attention')}<span class="kv-under">${msg('cache')}</span>`,
      options: SCHEMES.map((scheme) => ({
        value: scheme,
        label: html`${schemeName(scheme)}<span class="kv-under"
            >${
              schemes[scheme].problem
                ? '–'
                : hidden(ui, number(bytes(schemes[scheme].needed_bytes)))
            }</span
          >`,
      })),
    })}
  </div>`;

export function planControls(numbers, ui) {
  const { state } = numbers;
  return html`<div class="kv-controls">
    ${logSlider(ui, {
      path: 'tokens',
      value: state.tokens,
      label: msg('context'),
      name: msg('context in tokens'),
      stops: CONTEXTS,
      say: (value) => many(value, msg('token'), msg('tokens')),
    })}
    ${slider(ui, {
      path: 'sequences',
      value: state.sequences,
      label: msg('requests'),
      name: msg('requests'),
      min: 1,
      max: 64,
      step: 1,
    })}
    ${select(ui, { path: 'cache_format', value: state.cache_format, label: msg('cache'), name: msg('cache format'), options: formats })}
    ${select(ui, { path: 'weight_format', value: state.weight_format, label: msg('weights'), name: msg('weights format'), options: formats })}
    ${machines(numbers, ui)}
  </div>`;
}

export function fillControls({ state }, ui) {
  const one = (path, label, name, min, max) =>
    slider(ui, { path, value: state[path], label, name, min, max, step: 1 });
  return html`<div class="kv-controls kv-fill-controls">
    ${one('slots', msg('page'), msg('page in tokens'), 1, 8)}
    ${one('seen', msg('window'), msg('window in tokens, 0 for none'), 0, LAST)}
    ${one('pinned', msg('pinned', { id: 'kvPinnedTokens' }), msg('pinned first tokens'), 0, 8)}
    ${one('fork', msg('shared'), msg('shared tokens, with which both requests begin'), 0, LAST)}
  </div>`;
}
