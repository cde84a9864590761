/** The thread in which a model runs. */
import { answerCalls } from './model-calls.js';

answerCalls(/** @type {any} */ (globalThis));
