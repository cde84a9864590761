/** The slider of the length d_k of random vectors, for the slides that measure what it does to their scores. */
import { html } from 'lit';
import { logSlider, logStops } from './controls.js';
import { msg, str } from './language.js';
import { formatCount } from './number.js';

const STOPS = logStops(1, 1024, 1);

/** @param {object|undefined} ui @param {number} d_k */
export const lengthSlider = (ui, d_k) =>
  logSlider(ui, {
    path: 'd_k',
    value: d_k,
    label: html`d<sub>k</sub>`,
    name: 'd_k',
    stops: STOPS,
    say: (length) => {
      const said = formatCount(length);
      return msg(str`vectors of length ${said}`);
    },
  });
