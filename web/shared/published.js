/** Published models and accelerators by their id, out of the tables of the module `cache`. */

const tables = new WeakMap();

/** The tables are long, and the same each time. */
function tablesOf(cache) {
  if (!tables.has(cache)) {
    const byId = (list) => new Map(list.map((entry) => [entry.id, entry]));
    tables.set(cache, {
      models: byId(cache.publishedModels()),
      accelerators: byId(cache.accelerators()),
    });
  }
  return tables.get(cache);
}

/**
 * The fields of a published model.
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {string} id
 */
export const publishedModel = (cache, id) => tablesOf(cache).models.get(id).model;

/**
 * Memory, bandwidth and arithmetic of an accelerator, as a bill wants them.
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {string} id
 */
export function accelerator(cache, id) {
  const { memory_bytes, bandwidth_bytes_s, flops_s } = tablesOf(cache).accelerators.get(id);
  return { memory_bytes, bandwidth_bytes_s, flops_s };
}
