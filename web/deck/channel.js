/**
 * What the lecture and the speaker's window say to each other. The channel joins pages of one origin and no
 * other, however each of them was opened and as often as either is reloaded. All that travels is numbers and
 * ids; both sides have the slides and the notes themselves.
 *
 * From the lecture: `{from: 'lecture', lecture, index, id, number, last, next}` and `{…, bye: true}`.
 * From the speaker: `{from: 'speaker', lecture?, do: 'hello' | 'next' | 'previous' | 'go', index?}`.
 */

export const openChannel = () => new BroadcastChannel('attention-deck');

const isText = (value) => typeof value === 'string' && value.length < 200;
const isIndex = (value) => Number.isInteger(value) && value >= 0 && value < 10_000;

/** Whether a message is one that the lecture sends. */
export const fromLecture = (data) =>
  data?.from === 'lecture' &&
  isText(data.lecture) &&
  (data.bye === true ||
    (isIndex(data.index) && isText(data.id) && isText(data.number) && isText(data.last)));

/** Whether a message is one that the speaker's window sends. */
export const fromSpeaker = (data) => data?.from === 'speaker' && isText(data.do);
