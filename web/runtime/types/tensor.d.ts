/** Numbers that stay in the module. Close it when it is no longer needed: the garbage collector cannot. */
export class Tensor extends Handle {
    /**
     * @param {Instance} instance
     * @param {{ tensor: number, length: number }} opened
     */
    constructor(instance: Instance, { tensor, length }: {
        tensor: number;
        length: number;
    });
    length: number;
    /**
     * Copies numbers in.
     * @param {Float32Array | readonly number[]} data
     * @param {{ begin?: number }} [options]  Where the first of them goes.
     */
    write(data: Float32Array | readonly number[], options?: {
        begin?: number;
    }): void;
    /**
     * A copy of the numbers from `begin` to before `end`; of all unless told.
     * @param {{ begin?: number, end?: number, out?: { data: Float32Array } }} [options]
     * @returns {Float32Array}
     */
    read(options?: {
        begin?: number;
        end?: number;
        out?: {
            data: Float32Array;
        };
    }): Float32Array;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
}
export type Instance = import("./instance.js").Instance;
import { Handle } from './handle.js';
