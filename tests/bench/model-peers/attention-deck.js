/** Ours: the module that a page loads, in the worker that it is asked from. */
import { load } from '../../../web/runtime/index.js';

/** Bytes brought at a time, as a page would bring them. */
const PIECE = 1 << 22;

export async function open({ variant, model: url, capacity }) {
  const models = await load('model', { variant });
  const file = await (await fetch(url)).blob();
  const began = performance.now();
  const loading = models.gguf({ file_bytes: file.size });
  for (let wanted; (wanted = loading.wanted());) {
    const end = wanted.begin + Math.min(wanted.bytes, PIECE);
    loading.give(new Uint8Array(await file.slice(wanted.begin, end).arrayBuffer()));
  }
  const model = loading.finish({ capacity });
  return {
    about: { load_ms: performance.now() - began },
    /** The first tokens of a text, and the text that they are. */
    prompt(text, count) {
      const ids = [...model.encode(text)].slice(0, count);
      return { ids, text: model.decode(ids) };
    },
    /** The ms in which some tokens were taken in, at once. */
    prefill({ ids }) {
      model.reset();
      const from = performance.now();
      model.take(ids);
      return performance.now() - from;
    },
    /** The most probable continuation, and the ms of each of its tokens. */
    write({ ids }, count) {
      model.reset();
      model.take(ids);
      const written = [];
      const from = performance.now();
      for (let i = 0; i < count; i += 1) {
        const id = model.next();
        written.push(id);
        if (i + 1 < count) model.take([id]);
      }
      const ms = (performance.now() - from) / (count - 1);
      return { text: model.decode(written), ids: written, ms };
    },
  };
}
