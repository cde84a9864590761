/**
 * A live module of compiled code. It is all that the lab's sandbox needs of the loader, which brings every glue with it.
 * @param {import('./loader.js').Glue} glue
 * @param {WebAssembly.Module} compiled
 * @param {typeof globalThis.WebAssembly} engine
 */
export function instantiate(glue: import("./loader.js").Glue, compiled: WebAssembly.Module, engine: typeof globalThis.WebAssembly): Promise<any>;
