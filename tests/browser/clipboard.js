/** There is one clipboard, and checks run side by side: whoever copies and reads what was copied does it alone. */
let last = Promise.resolve();

/**
 * @template T
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export function withClipboard(run) {
  const now = last.then(run, run);
  last = now.catch(() => {});
  return now;
}

/** Presses what copies, and reads what was copied. */
export const copied = (page, press) =>
  withClipboard(async () => {
    await press();
    return page.evaluate(() => navigator.clipboard.readText());
  });
