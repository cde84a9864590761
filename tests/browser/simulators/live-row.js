/** What the checks know about the live row of weights: a picture beside a title, without a toolbar. */
export const scenario = {
  slide: '1',
  toolbar: false,
  predict: false,
  shows: [{ figures: { 'deck.row.weights': true } }],
  drag: {
    handle: '.plane-handle',
    moves: [
      ['q.0', -1],
      ['q.1', -1],
    ],
  },
};
