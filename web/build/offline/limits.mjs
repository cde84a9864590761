/** What a single file holds and may weigh. */
import { MODULES } from '../build-steps.mjs';

/** What the whole lecture holds: no slide runs a model, whose page fetches it and is on the site alone. */
export const LECTURE_MODULES = MODULES.filter((name) => name !== 'model');

/**
 * What it may weigh, in bytes. Of a simulator's, the typefaces are a fifth to a third; the heaviest hold the largest module
 * or GPT-2's vocabulary.
 */
export const LIMIT_BYTES = { lecture: 4_000_000, simulator: 1_200_000 };

/** @param {string} name of the file without its ending */
export const limitOf = (name) => LIMIT_BYTES[name === 'lecture' ? 'lecture' : 'simulator'];
