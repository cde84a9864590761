/** One encoder in a thread of its own, so that one that takes too long can be stopped. */
import { answerWith } from './answering.js';

let peer;
const texts = new Map();
let lastTrainer;

/** A mark of ids, to compare those of two encoders without sending them. FNV-1a over 32 bits. */
function markOf(ids) {
  let mark = 0x811c9dc5;
  for (let i = 0; i < ids.length; i += 1) mark = Math.imul(mark ^ ids[i], 0x01000193);
  return `${ids.length} ${mark >>> 0}`;
}

answerWith({
  /** Imports an encoder and encodes a few words: the time in ms until they are ids. */
  async open({ url, options }) {
    const start = performance.now();
    const { open } = await import(url);
    peer = await open(options);
    peer.encode('the cat climbed the');
    return { ms: performance.now() - start };
  },

  text({ name, text }) {
    texts.set(name, text);
  },

  /** Encodes a text again and again for at least `least` ms: the ms of the fastest time. */
  sample({ name, least }) {
    const text = texts.get(name);
    const begin = performance.now();
    let ids;
    let ms = Infinity;
    let end;
    do {
      const start = performance.now();
      ids = peer.encode(text);
      end = performance.now();
      ms = Math.min(ms, end - start);
    } while (end - begin < least);
    return { ms, mark: markOf(ids) };
  },

  train({ name, merges }) {
    lastTrainer?.close();
    const start = performance.now();
    lastTrainer = peer.train(texts.get(name));
    const learnt = lastTrainer.step(merges).left.length;
    return { ms: performance.now() - start, merges: learnt };
  },
});
