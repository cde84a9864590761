/** Published models and accelerators, out of the tables of the module `bill`. */

/**
 * A reader of the tables, which are long and the same each time: it asks each module once, and makes of a row what its
 * user wants.
 * @template M, A
 * @param {object} make
 * @param {(row: import('../runtime/bill.js').PublishedModel) => M} make.model
 * @param {(row: import('../runtime/bill.js').PublishedAccelerator) => A} make.accelerator
 * @returns {(bills: import('../runtime/bill.js').Bills) => {models: M[], accelerators: A[]}}
 */
export function publishedTables({ model, accelerator: machine }) {
  const tables = new WeakMap();
  return (bills) => {
    if (!tables.has(bills)) {
      tables.set(bills, {
        models: bills.publishedModels().map(model),
        accelerators: bills.accelerators().map(machine),
      });
    }
    return tables.get(bills);
  };
}

const rows = publishedTables({ model: (row) => row, accelerator: (row) => row });

const byId = (list, id) => list.find((row) => row.id === id);

/**
 * The fields of a published model.
 * @param {import('../runtime/bill.js').Bills} bills
 * @param {string} id
 */
export const publishedModel = (bills, id) => byId(rows(bills).models, id).model;

/**
 * Memory, bandwidth and arithmetic of an accelerator, as a bill wants them.
 * @param {import('../runtime/bill.js').Bills} bills
 * @param {string} id
 */
export function accelerator(bills, id) {
  const { memory_bytes, bandwidth_bytes_s, flops_s } = byId(rows(bills).accelerators, id);
  return { memory_bytes, bandwidth_bytes_s, flops_s };
}
