/** Makes the frames that show a simulator's page (simulators/query.html) as high as the page says that it is. */

import { placeAnew } from './place.js';

/** A page that says less or more than this is not believed. */
const LEAST = 80;
const MOST = 8000;

const isOurs = (path) => /\/simulators\/[\w-]+\.html$/.test(path);

/** The frame that a message came from, when it shows a page of ours and the message is that page's. */
function frameOf({ source, origin }) {
  const frame = [...document.querySelectorAll('iframe')].find(
    ({ contentWindow }) => contentWindow !== null && contentWindow === source,
  );
  if (!frame?.src) return undefined;
  const address = new URL(frame.src, document.baseURI);
  // From a folder, and in a sandbox, an origin is no more than “null”.
  const sameOrigin = origin === address.origin || origin === 'null';
  return sameOrigin && isOurs(address.pathname) ? frame : undefined;
}

export function sizeFrames() {
  addEventListener('message', (event) => {
    const { source, type, height } = event.data ?? {};
    if (source !== 'attention-deck' || type !== 'height' || !Number.isInteger(height)) return;
    const frame = frameOf(event);
    if (!frame) return;
    frame.style.height = `${Math.min(MOST, Math.max(LEAST, height))}px`;
    placeAnew(frame);
  });
}
