/** Where this script came from: what is copied into other people's slides names it. */

// As text, so that the bundler does not look for the file that it is about to write.
const { url: here } = import.meta;

/** The folder that holds attention-deck.js; undefined where no server gave this script. */
export const site = /^https?:/.test(here) ? new URL('../', here) : undefined;
