/** The options of every attention over a batch of heads, and how they reach C++: tensors by their numbers. */
import { maskFields } from './mask-options.js';
import { readOptions, writeOut } from './options.js';
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
 * The options as C++ reads them, tensors by their numbers, and what brings an answer into an earlier result.
 * @param {unknown} options
 * @param {{ [field: string]: import('./options.js').Kind }} fields
 * @returns {{ read: Record<string, any>, write: (value: any) => any }}
 */
export function readPlain(options, fields) {
  const read = readOptions(options, fields);
  for (const [field, kind] of Object.entries(fields)) {
    if (kind !== 'numbers' || !(read[field] instanceof Tensor)) continue;
    read[`${field}_tensor`] = read[field].number;
    delete read[field];
  }
  if (read.out === undefined) return { read, write: (value) => value };
  const { given, arrays } = read.out;
  read.out = arrays;
  return { read, write: (value) => writeOut(given, value) };
}
