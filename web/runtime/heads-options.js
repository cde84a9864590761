/** The options of every attention over a batch of heads, and how they reach C++: tensors by their numbers. */
import { numberOf } from './handle.js';
import { maskFields } from './mask-options.js';
import { readCall } from './options.js';
import { Tensor } from './tensor.js';

/** @type {{ [field: string]: import('./options.js').Kind }} */
export const headsFields = {
  Q: 'numbers',
  K: 'numbers',
  V: 'numbers',
  n_heads: 'scalar',
  n_kv_heads: 'scalar',
  n_q: 'scalar',
  n_k: 'scalar',
  d_k: 'scalar',
  d_v: 'scalar',
  capacity: 'scalar',
  scale: 'scalar',
  mask: maskFields,
  repeat: 'scalar',
  out: 'out',
};

/**
 * The same as readCall of options.js, with tensors by their numbers.
 * @param {unknown} options
 * @param {{ [field: string]: import('./options.js').Kind }} fields
 */
export function readPlain(options, fields) {
  const call = readCall(options, fields);
  const { read } = call;
  for (const [field, kind] of Object.entries(fields)) {
    if (kind !== 'numbers' || !(read[field] instanceof Tensor)) continue;
    read[`${field}_tensor`] = numberOf(read[field]);
    delete read[field];
  }
  return call;
}
