/** The lecture's side of the speaker's window. */
import { speakerAddress, speakerBlocked } from './addresses.js';
import { fromSpeaker, openLine } from './channel.js';

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

/**
 * @param {import('./deck.js').Deck} deck
 * @param {import('./states.js').MovedStates} moved
 */
export function connectSpeaker(deck, moved) {
  const lecture = lectureId();
  const line = openLine();
  const tell = (send = line.send) => {
    const { current, slides, slide, last } = deck;
    const { id, number } = slide;
    send({
      from: 'lecture',
      lecture,
      language: document.documentElement.lang,
      index: current,
      id,
      number,
      last,
      next: slides[current + 1]?.id,
      states: moved.of(id),
    });
  };
  line.hear((data, answer) => {
    if (!fromSpeaker(data) || (data.lecture !== undefined && data.lecture !== lecture)) return;
    if (data.do === 'hello') tell(answer);
    else if (data.do === 'next') deck.next();
    else if (data.do === 'previous') deck.previous();
    else if (data.do === 'go') deck.go(data.index);
  });
  moved.addEventListener('move', ({ detail }) => detail === deck.slide.id && tell());
  deck.addEventListener('change', () => tell());
  deck.addEventListener('mode', () => tell());
  addEventListener('pagehide', () => line.send({ from: 'lecture', lecture, bye: true }));
  addEventListener('pageshow', ({ persisted }) => persisted && tell());

  return {
    open() {
      const opened = globalThis.open(
        speakerAddress(lecture),
        'attention-deck-speaker',
        'popup,width=1240,height=780',
      );
      const notice = document.getElementById('trouble');
      notice.hidden = Boolean(opened);
      if (!opened) {
        notice.textContent = speakerBlocked();
        setTimeout(() => (notice.hidden = true), 12_000);
      }
      if (opened) line.join(opened);
      opened?.focus();
    },
  };
}
