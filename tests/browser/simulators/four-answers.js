/** What the browser checks know about <attn-four-answers>. */
import { formatPercent } from '../../../web/shared/number.js';

const LINEAR = 3;
/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '33b',
  shows: [
    { state: { view: 'seen' }, figures: { 'deck.answers.pairs': true } },
    { state: { view: 'costs' }, figures: { 'deck.answers.tokens': true } },
  ],
  secret: ({ recall }) => [plain(formatPercent(recall[LINEAR].accuracy, 1))],
  secretValues: ({ recall }) => [recall[LINEAR].accuracy],
  exact: ({ recall }) => [recall[LINEAR].accuracy],
};
