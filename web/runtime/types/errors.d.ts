/**
 * A caller's value as it may stand in a sentence: short, and never running the caller's code.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value: unknown): string;
/**
 * Codes that the C++ core returns. The same list, in the same order, is `errorCodes()` of the
 * module: a test compares the two, so neither can grow alone.
 */
export const coreErrorCodes: readonly ["shape_mismatch", "not_finite", "out_of_range", "too_large", "bad_argument", "out_of_memory"];
/**
 * Codes that only the runtime can give: the module did not arrive, or stopped, the browser's WebGPU is not there or
 * refused something, or the files of a model did not come.
 */
export const runtimeErrorCodes: readonly ["aborted", "load_not_found", "load_wrong_type", "load_file_protocol", "no_webassembly", "load_memory", "load_self_test", "load_failed", "webgpu_unavailable", "webgpu_failed", "source_unreachable", "source_refused", "source_short", "source_changed", "source_lost"];
/** Every code that an `AttentionDeckError` can carry. */
export const errorCodes: readonly ("shape_mismatch" | "not_finite" | "out_of_range" | "too_large" | "bad_argument" | "out_of_memory" | "aborted" | "load_not_found" | "load_wrong_type" | "load_file_protocol" | "no_webassembly" | "load_memory" | "load_self_test" | "load_failed" | "webgpu_unavailable" | "webgpu_failed" | "source_unreachable" | "source_refused" | "source_short" | "source_changed" | "source_lost")[];
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
    constructor(code: ErrorCode, message: string, { field, cause }?: {
        field?: string;
        cause?: unknown;
    });
    /** @type {ErrorCode} */
    code: ErrorCode;
    /** @type {string} */
    field: string;
}
export type ErrorCode = (typeof coreErrorCodes)[number] | (typeof runtimeErrorCodes)[number];
