/**
 * @param {import('./bill.js').Bills} bills
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestBill(bills: import("./bill.js").Bills): string | null;
