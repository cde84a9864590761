/** In place of web/deck/addresses.js: every page is this file, under another question. */
import { msg } from '../shared/language.js';

const here = () => `lang=${document.documentElement.lang}`;

/** A slide, small. @param {string} query @param {string} id */
export const previewAddress = (query, id) => `?preview${query}&${here()}#${id}`;

/** @param {string} lecture */
export const speakerAddress = (lecture) => `?speaker&${here()}#${encodeURIComponent(lecture)}`;

export const speakerBlocked = () =>
  msg('The browser blocked the speaker’s window. Allow pop-ups for this page.');
