/**
 * Whether what somebody hands over is a reading, as far as its shape says. What its numbers are is checked where they are
 * computed with.
 * @param {any} reading
 * @returns {import('./reading.js').Reading} the same
 * @throws {AttentionDeckError} bad_argument, with the field at fault
 */
export function checkReading(reading: any): import("./reading.js").Reading;
