/** Where the parts of the picture stand, in percent of its width: geometry only, no result is computed here. */

/** Beyond the edge of the memory there is always room for what does not fit. */
const ROOM = 1.22;
const END = 1.01;

const percent = (value) => Number(Math.min(100, Math.max(0, value)).toFixed(3));

/** The bytes that the whole width stands for: one scale for all bars. `hidden`: it may not tell what the caches come to. */
export const scaleOf = (bills, hidden) =>
  Math.max(
    ...bills.map(({ memory }) =>
      Math.max(
        memory.memory_bytes * ROOM,
        (hidden ? memory.weight_bytes : memory.total_bytes) * END,
      ),
    ),
  );

/** The needed bytes as keys, values and latents, and as states. */
function splitOf({ needed_bytes, state_bytes, sequence_needed_bytes }) {
  const states = needed_bytes * (state_bytes / sequence_needed_bytes);
  return [needed_bytes - states, states];
}

/**
 * A bar's parts from left to right, each cut at the edge of the memory: `{kind, x, width, beyond}`.
 * @param {object} bill
 * @param {number} other bytes of what is neither weights nor cache
 * @param {number} scale
 */
export function partsOf(bill, other, scale) {
  const { memory, unused_bytes } = bill;
  const [kept, states] = splitOf(bill);
  const edge = memory.memory_bytes;
  let from = 0;
  const parts = [];
  for (const [kind, size] of [
    ['weights', memory.weight_bytes],
    ['other', other],
    ['cache', kept],
    ['state', states],
    ['unused', unused_bytes],
  ]) {
    const to = from + size;
    const cuts = from < edge && to > edge ? [from, edge, to] : [from, to];
    for (let i = 0; i + 1 < cuts.length; i += 1) {
      const [start, end] = [cuts[i], cuts[i + 1]];
      if (end <= start) continue;
      parts.push({
        kind,
        x: percent((100 * start) / scale),
        width: percent((100 * (end - start)) / scale),
        beyond: start >= edge,
      });
    }
    from = to;
  }
  return parts;
}

/** Where the memory ends. */
export const edgeOf = ({ memory }, scale) => percent((100 * memory.memory_bytes) / scale);

/** How wide a part is, in words that the style sheet knows: whether its name has room. */
export const roomIn = (width) => (width > 45 ? 'wide' : width > 14 ? 'fair' : 'narrow');

export const middleOf = ({ x, width }) => percent(x + width / 2);

/** The tokens that an entry of a table of pages has places for. */
export const placesOf = (entry, slots) =>
  Array.from({ length: slots }, (_, i) => entry * slots + i);

/** The newest of so many tokens. */
export const newestOf = (length) => length - 1;

/** Strokes from the lower left to the upper right over a box of any size that a bar may have. */
const [PERIOD, TALLEST, WIDEST] = [11.3, 120, 2600];
export const HATCH = Array.from(
  { length: Math.ceil((WIDEST + TALLEST) / PERIOD) },
  (_, i) => `M${(i * PERIOD - TALLEST).toFixed(1)} ${TALLEST}l${TALLEST} ${-TALLEST}`,
).join('');
