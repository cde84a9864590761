/**
 * @param {Port} port
 * @param {(name: 'model') => Promise<any>} [load]
 */
export function answerCalls(port: Port, load?: (name: "model") => Promise<any>): void;
/**
 * The module `model` behind a port: each message is a call, each answer comes back with the call's number. It is what runs
 * in the worker; a model keeps it busy for seconds, and the page has to stay awake.
 */
export type Call = {
    id: number;
    call: string;
    args: any[];
};
/**
 * The module `model` behind a port: each message is a call, each answer comes back with the call's number. It is what runs
 * in the worker; a model keeps it busy for seconds, and the page has to stay awake.
 */
export type ToldError = {
    name: string;
    message: string;
    code?: string;
    field?: string;
};
/**
 * The module `model` behind a port: each message is a call, each answer comes back with the call's number. It is what runs
 * in the worker; a model keeps it busy for seconds, and the page has to stay awake.
 */
export type Answer = {
    id: number;
    value?: any;
    ms?: number;
    error?: ToldError;
};
/**
 * A worker's own scope, or one end of a channel.
 */
export type Port = {
    postMessage: (message: Answer, transfer: Transferable[]) => void;
    addEventListener: (type: "message", listen: (event: {
        data: Call;
    }) => void) => void;
};
/**
 * The module `model` behind a port: each message is a call, each answer comes back with the call's number. It is what runs
 * in the worker; a model keeps it busy for seconds, and the page has to stay awake.
 */
export type OpenedFiles = {
    form: "gguf" | "safetensors";
    file_bytes: number[];
    config?: string | undefined;
    tokenizer?: Uint8Array<ArrayBufferLike> | undefined;
};
