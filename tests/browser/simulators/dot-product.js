/** What the checks know about how far a dot product strays. */
import { formatVariance } from '../../../web/simulators/dot-product/dot-product.model.js';

/** As text in a page is compared. */
const plain = (text) => text.replace(/\s/g, ' ');

export const scenario = {
  slide: '19',
  shows: [
    { case: 'four', figures: { 'sqrt.overdk': [0] } },
    { case: 'slide', figures: { 'sqrt.overdk': [1], 'sqrt.sd': true } },
    { case: 'large', figures: { 'sqrt.overdk': [2] } },
  ],
  secret: ({ divided }) =>
    [divided[0], divided[1]].map(({ variance }) => plain(formatVariance(variance))),
  secretValues: ({ divided }) => [divided[0].variance, divided[1].variance],
  exact: ({ divided }) => divided.map(({ variance }) => variance),
};
