/**
 * The roofline (Williams, Waterman and Patterson, 2009): what a machine allows a kernel, from its two limits, computing
 * and streaming from slow memory, and from how much the kernel computes with each byte.
 */

/**
 * @typedef {object} Limits  As measured in the same run.
 * @property {number} multiply_add_gflops
 * @property {number} stream_gb_s
 *
 * @typedef {{ flops: number, bytes: number }} Work  `bytes`: the least that has to travel.
 */

/** FLOPs for each byte that has to travel. @param {Work} work */
export const intensity = ({ flops, bytes }) => flops / bytes;

/** The limit that binds, and whether it is memory. @param {Limits} limits @param {number} flopsPerByte */
export function roofAt({ multiply_add_gflops: computing, stream_gb_s: streaming }, flopsPerByte) {
  const fed = flopsPerByte * streaming;
  return fed < computing ? { gflops: fed, memory: true } : { gflops: computing, memory: false };
}

/** @param {number} flops @param {number} ms */
export const gigaflops = (flops, ms) => flops / ms / 1e6;

/**
 * How much of what the limits allow was reached; undefined where no limits were measured.
 * @param {Limits | undefined} limits
 * @param {Work} work
 * @param {number} ms
 */
export function shareOfRoof(limits, work, ms) {
  if (!limits) return undefined;
  const { gflops, memory } = roofAt(limits, intensity(work));
  return { share: gigaflops(work.flops, ms) / gflops, memory };
}

/** The best of two measurements of the limits. @param {Limits | undefined} seen @param {Limits} now @returns {Limits} */
export const bestLimits = (seen, now) => ({
  multiply_add_gflops: Math.max(seen?.multiply_add_gflops ?? 0, now.multiply_add_gflops),
  stream_gb_s: Math.max(seen?.stream_gb_s ?? 0, now.stream_gb_s),
});
