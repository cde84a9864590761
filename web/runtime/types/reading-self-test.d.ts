/** Known answers of the module `reading`, asked of every fresh instance as core-self-test.js asks the core's. */
/**
 * @param {import('./reading.js').Readings} readings
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestReadings(readings: import("./reading.js").Readings): string | null;
