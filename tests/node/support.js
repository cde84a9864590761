import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { relaxedSimd } from 'wasm-feature-detect';

export const root = new URL('../../', import.meta.url);
export const modulesUrl = new URL('web/runtime/modules/', root);
export const rootPath = fileURLToPath(root);

/** The variants that this engine runs as it was started. */
export const variants = ['scalar', 'simd'];
if (await relaxedSimd()) variants.push('relaxed');

/** @param {string} variant */
export const bytesOf = (variant) => readFile(new URL(`core.${variant}.wasm`, modulesUrl));

/**
 * The engine, watched: every instance that is made, and a switch that makes the next call out of
 * C++ trap, which leaves the instance as an abort does (half way, with nothing unwound).
 */
export function watchedEngine() {
  const watched = {
    instances: [],
    compilations: 0,
    armed: false,
    /** Bytes of the newest instance's memory. */
    heapBytes() {
      const { exports } = watched.instances.at(-1);
      const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
      return memory.buffer.byteLength;
    },
  };
  const trapping = (fn) =>
    function trap(...values) {
      if (watched.armed) {
        watched.armed = false;
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return fn.apply(this, values);
    };
  const watch = (imports) =>
    Object.fromEntries(
      Object.entries(imports).map(([space, members]) => [
        space,
        Object.fromEntries(
          Object.entries(members).map(([name, member]) => [
            name,
            typeof member === 'function' ? trapping(member) : member,
          ]),
        ),
      ]),
    );
  watched.webAssembly = {
    compile(bytes) {
      watched.compilations += 1;
      return WebAssembly.compile(bytes);
    },
    async instantiate(module, imports) {
      const instance = await WebAssembly.instantiate(module, watch(imports));
      watched.instances.push(instance);
      return instance;
    },
  };
  return watched;
}

/**
 * The raw module, as the bindings export it, without the runtime.
 * @param {string} variant
 * @param {{ bytes?: Uint8Array, webAssembly?: any }} [choice]
 */
export async function rawModule(variant, { bytes, webAssembly = WebAssembly } = {}) {
  const { default: glue } = await import(new URL(`core.${variant}.mjs`, modulesUrl));
  const compiled = await WebAssembly.compile(bytes ?? (await bytesOf(variant)));
  return glue({
    instantiateWasm(imports, receive) {
      webAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
  });
}
