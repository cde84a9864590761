/**
 * Whether the module still knows it: a fresh instance numbers what it opens from the start, so an old number would find
 * another's.
 * @param {Handle} handle
 */
export function isAlive(handle: Handle): boolean;
/**
 * What a call of the module knows it by.
 * @param {Handle} handle
 * @throws {AttentionDeckError} When the module has started anew since.
 */
export function numberOf(handle: Handle): number;
/**
 * A call of the module about what is open.
 * @param {Handle} handle
 * @param {string} name
 * @param {object} [options]  Read before, by options.js.
 * @returns {any}
 */
export function askAbout(handle: Handle, name: string, options?: object): any;
/**
 * The same for calls that answer with a promise.
 * @param {Handle} handle
 * @param {string} name
 * @param {object} [options]  Read before, by options.js.
 * @returns {Promise<any>}
 */
export function askAboutLater(handle: Handle, name: string, options?: object): Promise<any>;
/**
 * Gives its memory back; what is lost already has none.
 * @param {Handle} handle
 * @param {string} name  The call that closes it.
 * @param {object} [options]
 */
export function closeHandle(handle: Handle, name: string, options?: object): void;
/** The base of everything that is opened. Close it when it is no longer needed: the garbage collector cannot. */
export class Handle {
    /**
     * @param {Instance} instance
     * @param {string} what  Its name, in calls of the module and in sentences.
     * @param {number} number  What the module knows it by.
     */
    constructor(instance: Instance, what: string, number: number);
}
export function openedIn(handle: Handle): import("./instance.js").Instance;
/**
 * What stays open in the module: a number there, and the life of the instance in which it holds.
 */
export type Instance = import("./instance.js").Instance;
/**
 * What stays open in the module: a number there, and the life of the instance in which it holds.
 */
export type Held = {
    instance: Instance;
    life: number;
    what: string;
    number: number;
};
