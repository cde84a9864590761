/** Which exercises are solved, and what was written: on this device alone, sent to nobody. */

const SOLVED = 'attn-lab-solved';
const CODE = 'attn-lab-code-';

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be switched off: it is then forgotten with the page.
    return null;
  }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Switched off or full.
  }
}

/** @returns {Set<string>} */
export const solved = () => new Set((read(SOLVED) ?? '').split(' ').filter(Boolean));

/** @param {string} id */
export function markSolved(id) {
  write(SOLVED, [...solved().add(id)].join(' '));
}

/** What the student last wrote; null when it is as it was given. */
export const writtenCode = (id) => read(`${CODE}${id}`);
export const keepCode = (id, code) => write(`${CODE}${id}`, code);

/** @param {string[]} ids */
export function forgetAll(ids) {
  write(SOLVED, null);
  for (const id of ids) keepCode(id, null);
}

/** Calls back when another window of this site changes what is solved. @param {() => void} changed */
export const watchSolved = (changed) =>
  addEventListener('storage', ({ key }) => {
    if (key === SOLVED || key === null) changed();
  });
