/** The lecture's side of the speaker's window. */
import { fromSpeaker, openChannel } from './channel.js';

const STORED = 'attn-lecture';

/** Which lecture this is, should several be open; the same after a reload. */
function lectureId() {
  const fresh = Math.random().toString(36).slice(2);
  try {
    const known = sessionStorage.getItem(STORED);
    if (known) return known;
    sessionStorage.setItem(STORED, fresh);
  } catch {
    // A reload then looks like another lecture, and the speaker's window follows that one.
  }
  return fresh;
}

/** @param {import('./deck.js').Deck} deck */
export function connectSpeaker(deck) {
  const lecture = lectureId();
  const channel = openChannel();
  const tell = () => {
    const { current, slides, slide, last } = deck;
    const { id, number } = slide;
    channel.postMessage({
      from: 'lecture',
      lecture,
      index: current,
      id,
      number,
      last,
      next: slides[current + 1]?.id,
    });
  };
  channel.addEventListener('message', ({ data }) => {
    if (!fromSpeaker(data) || (data.lecture !== undefined && data.lecture !== lecture)) return;
    if (data.do === 'hello') tell();
    else if (data.do === 'next') deck.next();
    else if (data.do === 'previous') deck.previous();
  });
  deck.addEventListener('change', tell);
  deck.addEventListener('mode', tell);
  addEventListener('pagehide', () => channel.postMessage({ from: 'lecture', lecture, bye: true }));
  addEventListener('pageshow', ({ persisted }) => persisted && tell());

  return {
    open() {
      const opened = globalThis.open(
        `speaker.html#${encodeURIComponent(lecture)}`,
        'attention-deck-speaker',
        'popup,width=1240,height=780',
      );
      const notice = document.getElementById('trouble');
      notice.hidden = Boolean(opened);
      if (!opened) {
        notice.textContent =
          'The browser blocked the speaker’s window. Allow pop-ups for this page, or open speaker.html in a window of your own.';
        setTimeout(() => (notice.hidden = true), 12_000);
      }
      opened?.focus();
    },
  };
}
