/** Measurements in words: as many digits as they deserve. */

import { msg } from '../../shared/language.js';
import { forTheEye } from '../../shared/number.js';

/** @param {number} value */
export function short(value) {
  if (value >= 10) return value.toFixed(0);
  return forTheEye(value >= 1 ? value.toFixed(1) : value.toPrecision(2));
}

/** @param {number} ms */
export function duration(ms) {
  if (ms >= 1000) return `${short(ms / 1000)} s`;
  return ms >= 0.1 ? `${short(ms)} ms` : `${short(ms * 1000)} µs`;
}

/** @param {{ share: number, memory: boolean } | undefined} reached  What `shareOfRoof` gives. */
export const shareText = (reached) =>
  reached ? `${(100 * reached.share).toFixed(0)} %${reached.memory ? ` ${msg('mem')}` : ''}` : '–';
