/** Where the cells of the two triangles stand: geometry only, no result is computed here. */

const [CELL, ROW, LEFT, TOP, GAP, FOOT] = [27, 18, 32, 2, 3, 22];

/** A column more than steps, for the token that the last one writes. */
export const size = (steps) => ({
  width: LEFT + (steps + 1) * CELL,
  height: TOP + steps * ROW + FOOT,
});

/** Below the columns, where the tokens are named. */
export const foot = (steps, token) => ({
  x: LEFT + token * CELL + (CELL - GAP) / 2,
  y: TOP + steps * ROW + FOOT - 4,
});

/**
 * Step t from 1, token j from 0: keys in the upper half of a cell, values in the lower; strokes across it say that it
 * is done again.
 */
export function cell(step, token) {
  const [x, y] = [LEFT + token * CELL, TOP + (step - 1) * ROW];
  const [width, height] = [CELL - GAP, ROW - GAP];
  const stroke = (from) => `M${x + from} ${y + height}l${height} ${-height}`;
  return {
    x,
    y,
    width,
    half: height / 2,
    lower: y + height / 2,
    again: [-1, 8].map(stroke).join(''),
  };
}

/** The name of a step, and the line on which it will stand. */
export function row(step) {
  const y = TOP + (step - 1) * ROW;
  return { x: LEFT - 6, y: y + 13, line: `M${LEFT} ${y + 7.5}h${step * CELL - GAP}` };
}
