/**
 * A live module of compiled code. It is all that the lab's sandbox needs of the loader, which brings every glue with it.
 * @param {import('./loader.js').Glue} glue
 * @param {WebAssembly.Module} compiled
 * @param {typeof globalThis.WebAssembly} engine
 */
export async function instantiate(glue, compiled, engine) {
  /** @type {(reason: unknown) => void} */
  let fail = () => {};
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  const started = glue({
    // The glue alone would fetch the file by its own ideas, and wait for ever where that fails.
    instantiateWasm(
      /** @type {WebAssembly.Imports} */ imports,
      /** @type {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} */ receive,
    ) {
      engine
        .instantiate(compiled, imports)
        .then((instance) => receive(instance, compiled))
        .catch(fail);
      return {};
    },
    print: ignore,
    printErr: ignore,
  });
  return Promise.race([started, failed]);
}

function ignore() {}
