/** What the checks know about the reach of the gradient. */
import { formatMagnitude } from '../../../web/shared/number.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '4',
  shows: [
    {
      case: 'slide',
      figures: {
        'rnn.plain.seed48': true,
        'rnn.plain.median100': true,
        'rnn.plain.quartiles100': true,
        'rnn.lstm': true,
        'rnn.attention': true,
      },
    },
    { case: 'long', figures: { 'rnn.plain.seed48': [1], 'rnn.lstm': [1], 'rnn.attention': [1] } },
  ],
  secret: ({ here, ends }) =>
    [here.plain, here.median, ends[1].plain].map((value) => plain(formatMagnitude(value))),
  secretValues: ({ here }) => [here.plain, here.median],
  exact: ({ here }) => [here.plain, here.cell_path, here.lstm],
};
