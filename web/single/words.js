/** What a single file says where it lacks what the site has. */
import { msg } from '../shared/language.js';

export const words = {
  /** In the place of a paragraph that leads to a page of the site, by the page's name. */
  leftOut: {
    'contents.html': () =>
      msg(
        'This file holds the slides, every simulator and the lab. The parts to read and the pages of single simulators are on the lecture’s site.',
      ),
    'bench.html': () => msg('The page that times this device is on the lecture’s site.'),
  },
  noScript: () =>
    msg(
      'JavaScript is switched off, and this file unpacks itself with it. Allow it for this page.',
    ),
};
