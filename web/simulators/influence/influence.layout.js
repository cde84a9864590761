/** The scale of a map that has no largest value of its own: geometry only, no result is computed here. */

/** The largest magnitude of a map, which takes the full shade. */
export const reachOf = (map) => Math.max(...map.flat());
