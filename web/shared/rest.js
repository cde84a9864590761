/** Once the page rests, but soon in any case: a page that is printed at once should have all of it. @param {() => void} work */
export const rest = (work) =>
  globalThis.requestIdleCallback
    ? requestIdleCallback(work, { timeout: 1000 })
    : setTimeout(work, 200);
