/** What the checks know about the shape of every matrix. */
export const scenario = {
  slide: '17',
  predict: false,
  shows: [{ case: 'lab', figures: { 'lab2.shapes': true, 'lab2.params': true } }],
};
