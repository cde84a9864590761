import { AttentionDeckError, describe } from './errors.js';

const COUNTS = ['n_layers', 'n_heads', 'n_kv_heads'];

/** @param {string} field @param {string} says @returns {never} */
function refuse(field, says) {
  throw new AttentionDeckError('bad_argument', `${field} ${says}`, { field });
}

/** @param {string} field @param {unknown} array @param {Function[]} types @param {number} length */
function checkArray(field, array, types, length) {
  const given = /** @type {{ length: number }} */ (array);
  if (!types.some((type) => array instanceof type)) {
    const names = types.map(({ name }) => `a ${name}`).join(' or ');
    refuse(field, `must be ${names}; it is ${describe(array)}.`);
  }
  if (given.length !== length) {
    refuse(field, `must hold ${length} numbers for these sizes; it holds ${given.length}.`);
  }
}

/**
 * Whether what somebody hands over is a reading, as far as its shape says. What its numbers are is checked where they are
 * computed with.
 * @param {any} reading
 * @returns {import('./reading.js').Reading} the same
 * @throws {AttentionDeckError} bad_argument, with the field at fault
 */
export function checkReading(reading) {
  if (typeof reading !== 'object' || reading === null) {
    refuse(
      'reading',
      `must be an object with model, tokens, weights and value_lengths; it is ${describe(reading)}.`,
    );
  }
  const { model, tokens, weights, value_lengths } = reading;
  for (const name of COUNTS) {
    if (!Number.isInteger(model?.[name]) || model[name] < 1) {
      refuse(
        `reading.model.${name}`,
        `must be a whole number from 1 on; it is ${describe(model?.[name])}.`,
      );
    }
  }
  const isToken = (/** @type {any} */ token) =>
    Number.isInteger(token?.id) && typeof token.text === 'string';
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every(isToken)) {
    refuse(
      'reading.tokens',
      'must be an array of at least one token, each with its id and its text.',
    );
  }
  const { n_layers, n_heads, n_kv_heads } = model;
  const n = tokens.length;
  checkArray('reading.weights', weights, [Uint8Array, Float32Array], n_layers * n_heads * n * n);
  checkArray('reading.value_lengths', value_lengths, [Float32Array], n_layers * n_kv_heads * n);
  return reading;
}
