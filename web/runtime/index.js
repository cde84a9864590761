/**
 * The lecture's numbers, for any page or Node program:
 *
 *     import { load } from '…/web/runtime/index.js';
 *     const core = await load('core');
 *     const { weights, output } = core.attention({ Q, K, V, n_q, n_k, d_k, d_v });
 */
export { load } from './loader.js';
export { AttentionDeckError, errorCodes } from './errors.js';
export { checkReading } from './check-reading.js';
