/** What the checks know about the two hundred rows. */
import { formatGradient, formatWeight } from '../../../web/shared/scaling.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

const single = (d_k) => ({
  state: { d_k, seed: 678916 },
  figures: { [`sqrt.table.${d_k}.single`]: true },
});

export const scenario = {
  slide: '20',
  shows: [
    { case: 'four', figures: { 'sqrt.table.4.seed': true } },
    { case: 'slide', figures: { 'sqrt.table.64.seed': true } },
    { case: 'large', figures: { 'sqrt.table.1024.seed': true } },
    single(4),
    single(64),
    single(1024),
  ],
  secret: ({ divided: [none] }) => [
    formatWeight(none.largest),
    plain(formatGradient(none.gradient)),
  ],
  secretValues: ({ divided: [none] }) => [none.largest, none.gradient],
  exact: ({ divided }) => divided.flatMap(({ largest, gradient }) => [largest, gradient]),
};
