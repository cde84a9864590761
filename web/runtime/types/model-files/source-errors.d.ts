/**
 * A request that got no answer: the browser does not say why.
 * @param {string} address
 * @param {unknown} cause
 */
export function unreachable(address: string, cause: unknown): AttentionDeckError;
/**
 * An answer that is none.
 * @param {string} address
 * @param {number} status
 */
export function refused(address: string, status: number): AttentionDeckError;
export function unclear(address: string): AttentionDeckError;
export function empty(name: string): AttentionDeckError;
export function changed(name: string, cause?: unknown): AttentionDeckError;
export function lost(name: string, at: number, bytes: number, cause?: unknown): AttentionDeckError;
export function badChoice(message: string, field?: string): AttentionDeckError;
/**
 * What can be wrong with where a model's bytes come from, each a sentence that says what to do.
 */
export type ErrorCode = import("../errors.js").ErrorCode;
import { AttentionDeckError } from '../errors.js';
