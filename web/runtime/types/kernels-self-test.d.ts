/**
 * @param {import('./kernels.js').Kernels} kernels
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestKernels(kernels: import("./kernels.js").Kernels): string | null;
