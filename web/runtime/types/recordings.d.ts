/**
 * Runs of real models that come with the lecture: `npm run record` makes them (tests/native/model/record.cpp). Each is
 * fetched when it is first asked for. The paths are written out because bundlers find files by reading them.
 */
export const recordings: Readonly<{
    /** SmolLM2-135M-Instruct in Q4_1 on four short texts. */
    smollm2: () => URL;
}>;
export function isRecording(bytes: Uint8Array): boolean;
export type RecordingName = keyof typeof recordings;
