/** What the checks know about tiles and the running maximum. */
/** What the page says of the next tile before it is passed. */
const ahead = ({ rescaled }) =>
  `will rescale ${rescaled.length === 0 ? 'no row' : rescaled.map((i) => `q${i + 1}`).join(' and ')}`;

export const scenario = {
  slide: '33',
  shows: [
    { case: 'timed', figures: {} },
    // The table writes it as 512 MiB.
    { state: { view: 'timed', n_heads: 8 }, figures: { 'S.512': true } },
  ],
  // The corners stand for the matrix, and the ends for the values.
  tried: (path) => !/^(S|V)\./.test(path) || /^(S\.[05]\.[05]|V\.[05])$/.test(path),
  secret: ({ next }) => [ahead(next)],
  secretValues: ({ next, steps }) => next.rows.map((i) => steps.sums_after[i][next.b]),
  exact: ({ now, steps }) => [
    steps.factors[now.rescaled[0]][now.b],
    steps.sums_after[now.rescaled[0]][now.b],
  ],
};
