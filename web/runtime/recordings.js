/**
 * Runs of real models that come with the lecture: `npm run record` makes them (tests/native/model/record.cpp). Each is
 * fetched when it is first asked for. The paths are written out because bundlers find files by reading them.
 */
export const recordings = Object.freeze({
  /** SmolLM2-135M-Instruct in Q4_1 on four short texts. */
  smollm2: () => new URL('./recordings/smollm2.maps', import.meta.url),
});

/** @typedef {keyof typeof recordings} RecordingName */

const MAGIC = new TextEncoder().encode('ATTNMAP1');

/** Whether a file begins as a recording does. @param {Uint8Array} bytes */
export const isRecording = (bytes) => MAGIC.every((byte, i) => bytes[i] === byte);
