/**
 * reveal.js puts a slide in the middle by the height that it has when it is turned to, which is before a simulator is there: told that
 * something has grown, it does so again. It listens for the window's size, under a global name or none.
 * @param {Element} grown
 */
export function placeAnew(grown) {
  if (grown.closest('.reveal')) dispatchEvent(new Event('resize'));
}

/** After each simulator that becomes ready. */
export function keepInPlace() {
  addEventListener('ready', ({ target }) => {
    if (target instanceof Element && target.localName.startsWith('attn-')) placeAnew(target);
  });
}
