/** Published models and accelerators, out of the tables of the module `cache`. */

/**
 * A reader of the tables, which are long and the same each time: it asks each module once, and makes of a row what its
 * user wants.
 * @template M, A
 * @param {object} make
 * @param {(row: import('../runtime/cache.js').PublishedModel) => M} make.model
 * @param {(row: import('../runtime/cache.js').PublishedAccelerator) => A} make.accelerator
 * @returns {(cache: import('../runtime/cache.js').Cache) => {models: M[], accelerators: A[]}}
 */
export function publishedTables({ model, accelerator: machine }) {
  const tables = new WeakMap();
  return (cache) => {
    if (!tables.has(cache)) {
      tables.set(cache, {
        models: cache.publishedModels().map(model),
        accelerators: cache.accelerators().map(machine),
      });
    }
    return tables.get(cache);
  };
}

const rows = publishedTables({ model: (row) => row, accelerator: (row) => row });

const byId = (list, id) => list.find((row) => row.id === id);

/**
 * The fields of a published model.
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {string} id
 */
export const publishedModel = (cache, id) => byId(rows(cache).models, id).model;

/**
 * Memory, bandwidth and arithmetic of an accelerator, as a bill wants them.
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {string} id
 */
export function accelerator(cache, id) {
  const { memory_bytes, bandwidth_bytes_s, flops_s } = byId(rows(cache).accelerators, id);
  return { memory_bytes, bandwidth_bytes_s, flops_s };
}
