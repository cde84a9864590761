/** On a server there is no page: the tags stay as they are written, and the browser brings them to life. */
export const wake = () => {};

export const load = async (...wanted) => (await import('../runtime/index.js')).load(...wanted);
