/**
 * Whether going on may help: what came is kept.
 * @param {unknown} error
 */
export function canGoOn(error: unknown): boolean;
export class RemoteModel {
    /** @param {RemotePort} [port] A worker of its own unless told. */
    constructor(port?: RemotePort);
    /**
     * A model on its way into memory; another one takes the place of the one before.
     * @param {ModelParts} parts
     * @param {Patience} [patience]
     */
    bringing(parts: ModelParts, patience?: Patience): Bringing;
    /**
     * A call of the model (running-model.js), answered when it is done.
     * @param {string} name
     * @param {...any} args
     * @returns {Promise<any>}
     */
    ask(name: string, ...args: any[]): Promise<any>;
    /**
     * The same, with the milliseconds that the call itself took.
     * @param {string} name
     * @param {...any} args
     * @returns {Promise<{ value: any, ms: number }>}
     */
    timed(name: string, ...args: any[]): Promise<{
        value: any;
        ms: number;
    }>;
    /**
     * [vocab_size] The probability of each id as the next one.
     * @returns {Promise<Float64Array>}
     */
    distribution(): Promise<Float64Array>;
    /**
     * For this file alone.
     * @param {string} call
     * @param {any[]} args
     * @param {Transferable[]} [transfer]
     * @returns {Promise<any>}
     */
    send(call: string, args: any[], transfer?: Transferable[]): Promise<any>;
    /** Ends the thread, in the middle of a call if need be, and gives all memory back. */
    close(): void;
    #private;
}
/** A model on its way: what came of it stays in the worker until all is there. */
export class Bringing {
    /**
     * @param {RemoteModel} remote
     * @param {ModelParts} parts
     * @param {Patience} [patience]
     */
    constructor(remote: RemoteModel, parts: ModelParts, patience?: Patience);
    get name(): string;
    /**
     * Brings the rest. After a lost connection or an abort the same call goes on; after an error in the file nothing does.
     * @param {{ onProgress?: (progress: BytesProgress) => void, signal?: AbortSignal } &
     *   { model?: import('./model-loading.js').ModelOptions }} [options]
     * @returns {Promise<import('./running-model.js').ModelSizes>} What the model is.
     */
    run({ onProgress, signal, model }?: {
        onProgress?: (progress: BytesProgress) => void;
        signal?: AbortSignal;
    } & {
        model?: import("./model-loading.js").ModelOptions;
    }): Promise<import("./running-model.js").ModelSizes>;
    #private;
}
/**
 * A model in a worker: what it answers comes as promises, in the order of the calls, and its arrays move over.
 */
export type ModelParts = import("./model-files/parts.js").ModelParts;
/**
 * A model in a worker: what it answers comes as promises, in the order of the calls, and its arrays move over.
 */
export type BytesProgress = import("./model-files/fill.js").BytesProgress;
/**
 * A model in a worker: what it answers comes as promises, in the order of the calls, and its arrays move over.
 */
export type Patience = import("./model-files/range-reader.js").Patience;
/**
 * A model in a worker: what it answers comes as promises, in the order of the calls, and its arrays move over.
 */
export type Answer = import("./model-calls.js").Answer;
/**
 * A worker, or one end of a channel.
 */
export type RemotePort = {
    postMessage: (message: any, transfer: Transferable[]) => void;
    addEventListener: (type: string, listen: (event: any) => void) => void;
    terminate?: (() => void) | undefined;
};
