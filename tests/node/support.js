import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { relaxedSimd } from 'wasm-feature-detect';

export const root = new URL('../../', import.meta.url);
export const modulesUrl = new URL('web/runtime/modules/', root);
export const rootPath = fileURLToPath(root);

/** The variants that this engine runs as it was started. */
export const variants = ['scalar', 'simd'];
if (await relaxedSimd()) variants.push('relaxed');

/**
 * @param {string} variant
 * @param {string} [name] of the module
 */
export const bytesOf = (variant, name = 'core') =>
  readFile(new URL(`${name}.${variant}.wasm`, modulesUrl));

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
 * @param {{ name?: string, bytes?: Uint8Array, webAssembly?: any }} [choice]
 */
export async function rawModule(variant, { name = 'core', bytes, webAssembly = WebAssembly } = {}) {
  const { default: glue } = await import(new URL(`${name}.${variant}.mjs`, modulesUrl));
  const compiled = await WebAssembly.compile(bytes ?? (await bytesOf(variant, name)));
  return glue({
    instantiateWasm(imports, receive) {
      webAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
  });
}

/**
 * The functions that the bindings export. Emscripten hangs its own on a module: what it was given, classes of errors,
 * names with a _.
 * @param {any} raw
 */
export const boundNames = (raw) =>
  Object.keys(raw)
    .filter(
      (name) =>
        typeof raw[name] === 'function' &&
        /^[a-z][A-Za-z0-9]*$/.test(name) &&
        name !== 'instantiateWasm',
    )
    .sort();

/** Every vocabulary that the lecture brings. */
export const vocabularyNames = ['gpt2', 'cl100k', 'o200k'];

/**
 * The module `tokens` with its vocabularies open.
 * @param {string} variant
 */
export async function loadTokens(variant, names = vocabularyNames) {
  const { load } = await import('../../web/runtime/index.js');
  const tokens = await load('tokens', { variant });
  for (const name of names) await tokens.vocabulary(name);
  return tokens;
}
