/**
 * @param {unknown} options
 * @param {{ [field: string]: Kind }} kinds
 * @param {string[]} [needed]  Fields that C++ would take as empty when they are missing.
 * @returns {any} A fresh object that holds the fields of `kinds` alone.
 */
export function readOptions(options: unknown, kinds: {
    [field: string]: Kind;
}, needed?: string[]): any;
/**
 * The options of one call as C++ reads them, and what brings its answer into an earlier result.
 * @param {unknown} options
 * @param {{ [field: string]: Kind }} kinds
 * @param {string[]} [needed]
 * @returns {{ read: Record<string, any>, write: (value: any) => any }}
 */
export function readCall(options: unknown, kinds: {
    [field: string]: Kind;
}, needed?: string[]): {
    read: Record<string, any>;
    write: (value: any) => any;
};
/**
 * One value that must be there, read by the same rules.
 * @param {unknown} value
 * @param {Kind} kind
 * @param {string} name  What the caller knows it by.
 * @returns {any}
 */
export function readOne(value: unknown, kind: Kind, name: string): any;
/**
 * The UTF-8 of a text as `readOne` gives it, for a call that reads no other text: that of a string lies in memory which
 * the next such string takes. A fresh array for each costs a browser as much as writing the UTF-8 into it.
 * @param {unknown} value
 * @param {string} name  What the caller knows it by.
 * @returns {Uint8Array}
 */
export function readTextInPlace(value: unknown, name: string): Uint8Array;
/** Our own handles of what the module keeps; whoever makes one enters it here. @type {WeakSet<object>} */
export const kept: WeakSet<object>;
/**
 * scalar: a number, string or boolean; floats: numbers in the call's dtype; float32: in that precision always; numbers: the same, or
 * what the module keeps (`kept`), which is handed on as it is; bytes: yes or no per
 * element; integers: 32 bits, signed; counts: the same from 0 on; text: a string or its UTF-8; texts: a list of them, which
 * becomes `Texts`; ids_by_text: an object of numbers, which becomes `Texts` with `ids`; out: an
 * earlier result; ids_out: an Int32Array to write into; host: an object of the browser's, handed on as it is; an
 * object: options within the option.
 */
export type Kind = "scalar" | "floats" | "float32" | "numbers" | "bytes" | "integers" | "counts" | "text" | "texts" | "ids_by_text" | "out" | "ids_out" | "host" | {
    [field: string]: Kind;
};
/**
 * One after another, and how long each is.
 */
export type Texts = {
    bytes: Uint8Array;
    lengths: Int32Array;
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
