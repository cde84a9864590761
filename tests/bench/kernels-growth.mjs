/** How the time of our quickest kernel grows with the number of tokens: one head of 64. */
import { flops, isDecode, whole } from '../../web/pages/bench/shapes.js';

export const TOKENS = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];
const HEAD = 64;

/**
 * Of all ours, on the shape with the most work that any of them was measured on; undefined where that was decoding alone,
 * some of whose ways do nothing else.
 */
function quickest(rows) {
  const measured = rows
    .filter(({ shape }) => !isDecode(shape))
    .map((row) => ({ ...row, ours: row.results.filter((result) => result.ours && result.fastest) }))
    .filter(({ ours }) => ours.length > 0)
    .sort((a, b) => b.flops - a.flops);
  return measured[0]?.ours.sort((a, b) => a.fastest - b.fastest)[0];
}

/**
 * @param {import('./kernels-measure.mjs').Measurement} measurement
 * @param {{ shape: import('../../web/pages/bench/shapes.js').Shape, flops: number,
 *   results: import('./kernels-measure.mjs').Result[] }[]} rows  What was measured before.
 */
export async function measureGrowth(measurement, rows, say) {
  const chosen = quickest(rows);
  if (!chosen) return [];
  const { library, way } = chosen;
  const points = [];
  for (const n of TOKENS) {
    say(`growth: ${n} tokens`);
    const shape = whole(1, n, HEAD);
    points.push({ n, flops: flops(shape), ...(await measurement.alone(library, way, shape)) });
  }
  return points;
}
