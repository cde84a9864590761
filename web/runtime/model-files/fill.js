/**
 * Gives a loader what it wants, from wherever its files are.
 *
 * @typedef {{ file: number, begin: number, bytes: number }} WantedBytes
 *
 * @typedef {object} Loader  What reads a model without holding a file; one in a worker answers with promises.
 * @property {() => WantedBytes | undefined | Promise<WantedBytes | undefined>} wanted
 * @property {(bytes: Uint8Array) => unknown} give
 *
 * @typedef {object} BytesProgress
 * @property {number} loaded  Bytes of all files that are read, or that nobody needs.
 * @property {number} total
 */

/**
 * Until nothing is wanted any more. What was given stays with the loader: after a lost connection or an abort the same call
 * goes on from there.
 * @param {Loader} loader
 * @param {import('./range-reader.js').RangeReader[]} readings  In the order of the loader's files.
 * @param {{ onProgress?: (progress: BytesProgress) => void, signal?: AbortSignal }} [options]
 */
export async function fillLoader(loader, readings, { onProgress, signal } = {}) {
  const total = readings.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await loader.wanted();
      if (!next) break;
      await loader.give(await readings[next.file].read(next.begin, next.bytes, signal));
      const loaded = readings.reduce((sum, { reached }) => sum + reached, 0);
      onProgress?.({ loaded, total });
    }
    onProgress?.({ loaded: total, total });
  } finally {
    // Those that wait for their turn would hold their connections.
    await Promise.all(readings.map((reading) => reading.close()));
  }
}
