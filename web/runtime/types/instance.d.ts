/**
 * One running module and its successors. A trap (an abort in C++, memory that cannot grow) leaves
 * WebAssembly in a state that nobody may trust, so the instance is dropped and a fresh one started;
 * whoever holds this object keeps holding it.
 */
export class Instance {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     * @param {() => void} restarted  Called when a fresh instance has taken over.
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, restarted: () => void);
    get variant(): import("./loader.js").Variant;
    /** Another number after each restart: what was opened in an earlier life is gone. */
    get life(): number;
    /**
     * Calls a function of the raw module. What is passed must be plain data (options.js): code of
     * the caller's that throws inside the call would unwind through C++ and leave it half done.
     * @param {string} name
     * @param {...unknown} values
     * @returns {any} What the function gives back.
     */
    call(name: string, ...values: unknown[]): any;
    /**
     * The same for functions that answer `{ ok, value }` or `{ ok, code, field, message }`.
     * @param {string} name
     * @param {object} options
     * @returns {any} The value.
     */
    ask(name: string, options: object): any;
    /**
     * The same for functions that answer with a promise. Rejects when the module stops meanwhile.
     * @param {string} name
     * @param {object} options
     * @returns {Promise<any>} The value.
     */
    askLater(name: string, options: object): Promise<any>;
    /** Resolves once the module can be called; rejects when it could not be started again. */
    whenReady(): Promise<void>;
    #private;
}
