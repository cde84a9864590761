/**
 * What the lecture and the speaker's window say to each other, in messages between the two windows where one has opened
 * the other, which needs no origin that they share, and over a channel that joins pages of one origin however each of
 * them was opened and as often as either is reloaded. What travels is numbers, ids and the states of
 * simulators, which each side checks by their schema; both have the slides and the notes themselves.
 *
 * From the lecture: `{from: 'lecture', lecture, language, index, id, number, last, next, states}` and `{…, bye: true}`.
 * From the speaker: `{from: 'speaker', lecture?, do: 'hello' | 'next' | 'previous' | 'go', index?}`.
 * From the speaker's window to the slide that it shows: `{from: 'mirror', id, states}`.
 *
 * `states` are those that the slide's simulators were moved to, by their place on the slide: `[{place, state}]`.
 */

/** As messages name it: “null” where pages share none, as in a folder. */
export const OWN_ORIGIN = globalThis.origin;
const shared = OWN_ORIGIN !== 'null';
/** No message can be addressed to “null”. */
export const TARGET = shared ? OWN_ORIGIN : '*';

/**
 * @param {Window | null} [other] the window that opened this one, or that this one has opened
 */
export function openLine(other) {
  const channel = shared ? new BroadcastChannel('attention-deck') : undefined;
  let peer = other;
  return {
    /** To whoever listens. What is sent may arrive twice, by window and by channel. */
    send(data) {
      channel?.postMessage(data);
      if (peer && !peer.closed) peer.postMessage(data, TARGET);
    },
    /** @param {(data: any, answer: (data: object) => void) => void} listen `answer` reaches the one that was heard, once. */
    hear(listen) {
      channel?.addEventListener('message', ({ data }) =>
        listen(data, (answer) => channel.postMessage(answer)),
      );
      addEventListener('message', ({ data, source, origin }) => {
        if (!source || source === globalThis || origin !== OWN_ORIGIN) return;
        // Without an origin anybody's frame would pass: only the window that was opened, or has opened, may speak.
        if (!shared && source !== peer) return;
        listen(data, (answer) => source.postMessage(answer, TARGET));
      });
    },
    /** @param {Window} opened */
    join(opened) {
      peer = opened;
    },
  };
}

const isText = (value) => typeof value === 'string' && value.length < 200;
const isIndex = (value) => Number.isInteger(value) && value >= 0 && value < 10_000;
const areStates = (value) =>
  Array.isArray(value) &&
  value.every((one) => isIndex(one?.place) && typeof one.state === 'object' && one.state !== null);

/** Whether a message is one that the lecture sends. */
export const fromLecture = (data) =>
  data?.from === 'lecture' &&
  isText(data.lecture) &&
  (data.bye === true ||
    (isIndex(data.index) &&
      isText(data.language) &&
      isText(data.id) &&
      isText(data.number) &&
      isText(data.last) &&
      areStates(data.states)));

/** Whether a message is one that the speaker's window sends. */
export const fromSpeaker = (data) =>
  data?.from === 'speaker' && isText(data.do) && (data.do !== 'go' || isIndex(data.index));

/** Whether a message is one for the slide that the speaker's window shows. */
export const fromMirror = (data) =>
  data?.from === 'mirror' && isText(data.id) && areStates(data.states);
