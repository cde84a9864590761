/**
 * @param {unknown} options
 * @param {{ [field: string]: Kind }} kinds
 * @returns {any} A fresh object that holds the fields of `kinds` alone.
 */
export function readOptions(options: unknown, kinds: {
    [field: string]: Kind;
}): any;
/**
 * @param {Record<string, unknown>} given
 * @param {object} value
 */
export function writeOut(given: Record<string, unknown>, value: object): Record<string, unknown> & object;
/**
 * scalar: a number, string or boolean; floats: numbers in the call's dtype; bytes: yes or no per
 * element; integers: 32 bits, signed; out: an earlier result; an object: options within the
 * option.
 */
export type Kind = "scalar" | "floats" | "bytes" | "integers" | "out" | {
    [field: string]: Kind;
};
/**
 * Everything that a caller passes is turned into plain data here, before C++ sees it: a getter, a
 * proxy or a lying `length` is the caller's code, and it must neither run nor throw inside a call.
 */
export type Floats = Float64ArrayConstructor | Float32ArrayConstructor;
/**
 * Everything that a caller passes is turned into plain data here, before C++ sees it: a getter, a
 * proxy or a lying `length` is the caller's code, and it must neither run nor throw inside a call.
 */
export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;
