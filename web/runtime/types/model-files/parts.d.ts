/**
 * What the reader chose or dropped.
 * @param {readonly File[]} files
 * @returns {Promise<ModelParts>}
 */
export function partsOfFiles(files: readonly File[]): Promise<ModelParts>;
/**
 * The address of the file itself, where somebody copied that of the page about it.
 * @param {string} typed
 */
export function addressOf(typed: string): string;
/**
 * A model on a server, or what the device keeps of it.
 * @param {string} typed
 * @param {AddressOptions} [options]
 * @returns {Promise<ModelParts>}
 */
export function partsOfAddress(typed: string, { fetch, signal, keep, onFull }?: AddressOptions): Promise<ModelParts>;
/**
 * The files that together are a model: a GGUF file by itself; safetensors, one or several, with the config.json and the
 * tokenizer.json that lie beside them.
 */
export type Source = import("./sources.js").Source;
/**
 * The files that together are a model: a GGUF file by itself; safetensors, one or several, with the config.json and the
 * tokenizer.json that lie beside them.
 */
export type ModelParts = {
    form: "gguf" | "safetensors";
    name: string;
    /**
     * What the loader reads.
     */
    files: Source[];
    /**
     * Of safetensors.
     */
    config?: string | undefined;
    /**
     * Of safetensors.
     */
    tokenizer?: Uint8Array<ArrayBufferLike> | undefined;
};
/**
 * The files that together are a model: a GGUF file by itself; safetensors, one or several, with the config.json and the
 * tokenizer.json that lie beside them.
 */
export type AddressOptions = {
    fetch?: typeof fetch | undefined;
    signal?: AbortSignal | undefined;
    /**
     * Whether the reader agreed that the device keeps it.
     */
    keep?: boolean | undefined;
    onFull?: ((cause: unknown) => void) | undefined;
};
