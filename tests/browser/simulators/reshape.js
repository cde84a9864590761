/** What the checks know about multi-head attention as a reshape. */
export const scenario = {
  slide: '26',
  shows: [
    { case: 'base', figures: { 'mha.params': [3], 'recap.dk': true } },
    { case: 'next', figures: { 'mha.params': [0] } },
    { case: 'sixteen', figures: { 'mha.params': [1] } },
    { case: 'sixty-four', figures: { 'mha.params': [2] } },
    { case: 'gpt2', figures: { 'mha.params': [4] } },
  ],
  // Of the other two sizes, one more is refused: heads have to divide the width.
  tried: (path) => path === 'n',
  secret: () => ['1,050,624 parameters'],
};
