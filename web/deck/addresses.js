/** Where the lecture and the speaker's window find each other's pages. A single file has others (web/single). */
import { msg } from '../shared/language.js';

/** A slide, small. @param {string} query @param {string} id */
export const previewAddress = (query, id) => `index.html?preview${query}#${id}`;

/** @param {string} lecture */
export const speakerAddress = (lecture) => `speaker.html#${encodeURIComponent(lecture)}`;

export const speakerBlocked = () =>
  msg(
    'The browser blocked the speaker’s window. Allow pop-ups for this page, or open speaker.html in a window of your own.',
  );
