/** How long the bars are: geometry only, no result is computed here. */

/** Of a bar 100 wide for the largest of some rows: where its two parts begin and how wide they are. */
export function parts({ linear, attention }, rows) {
  const most = Math.max(...rows.map(({ total }) => total));
  const width = (flops) => Number(((100 * flops) / most).toFixed(2));
  return { linear: width(linear), attention: width(attention) };
}
