/**
 * Codes that the C++ core returns. The same list, in the same order, is `errorCodes()` of the
 * module: a test compares the two, so neither can grow alone.
 */
export const coreErrorCodes = Object.freeze(
  /** @type {const} */ ([
    'shape_mismatch',
    'not_finite',
    'out_of_range',
    'too_large',
    'bad_argument',
    'out_of_memory',
  ]),
);

/**
 * Codes that only the runtime can give: the module did not arrive, or stopped, the browser's WebGPU is not there or
 * refused something, or the files of a model did not come.
 */
export const runtimeErrorCodes = Object.freeze(
  /** @type {const} */ ([
    'aborted',
    'load_not_found',
    'load_wrong_type',
    'load_file_protocol',
    'no_webassembly',
    'load_memory',
    'load_self_test',
    'load_failed',
    'webgpu_unavailable',
    'webgpu_failed',
    'source_unreachable',
    'source_refused',
    'source_short',
    'source_changed',
    'source_lost',
  ]),
);

/** Every code that an `AttentionDeckError` can carry. */
export const errorCodes = Object.freeze([...coreErrorCodes, ...runtimeErrorCodes]);

/** @typedef {(typeof coreErrorCodes)[number] | (typeof runtimeErrorCodes)[number]} ErrorCode */

/**
 * The one class of error that the runtime throws. `message` is a sentence for the page: what is
 * wrong and what to do. `code` is for programs, `field` names the option at fault ('' when none).
 */
export class AttentionDeckError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {{ field?: string, cause?: unknown }} [details]
   */
  constructor(code, message, { field = '', cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AttentionDeckError';
    /** @type {ErrorCode} */
    this.code = code;
    /** @type {string} */
    this.field = field;
  }
}

/**
 * A caller's value as it may stand in a sentence: short, and never running the caller's code.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}
