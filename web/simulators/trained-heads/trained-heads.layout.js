/** Which cells of a causal map are never drawn: geometry only, no result is computed here. */
export const hiddenOf = (n) =>
  Uint8Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? 1 : 0));
