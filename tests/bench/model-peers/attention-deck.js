/** Ours: the module that a page loads, in the worker that it is asked from. */
import { load } from '../../../web/runtime/index.js';

/** Bytes brought at a time, as a page would bring them. */
const PIECE = 1 << 22;

export async function open({ variant, model: url, capacity }) {
  const models = await load('model', { variant });
  const kernels = await load('kernels', { variant });
  const file = await (await fetch(url)).blob();
  const read = async (options) => {
    const loading = models.gguf({ file_bytes: file.size });
    for (let wanted; (wanted = loading.wanted());) {
      const end = wanted.begin + Math.min(wanted.bytes, PIECE);
      loading.give(new Uint8Array(await file.slice(wanted.begin, end).arrayBuffer()));
    }
    return loading.finish({ capacity, ...options });
  };
  const began = performance.now();
  const model = await read({});
  /** The same with activations that are not rounded to bytes; read when it is first asked. */
  let exact;
  return {
    about: { load_ms: performance.now() - began },
    limits: (ms) => kernels.peak({ ms }),
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
    /** Where another continuation leaves ours, and how probable both were then: here, and without any rounding. */
    async parting({ ids }, written, other) {
      let tokens = 0;
      while (other.startsWith(model.decode(written.slice(0, tokens + 1)))) tokens += 1;
      const before = [...ids, ...written.slice(0, tokens)];
      const rest = other.slice(model.decode(written.slice(0, tokens)).length);
      const thought = (by) => {
        by.reset();
        by.take(before);
        const candidates = by.candidates(100);
        const of = (fits) => candidates.find(fits)?.probability;
        const theirs = candidates.find(({ text }) => text !== '' && rest.startsWith(text));
        return {
          ours: of(({ id }) => id === written[tokens]),
          theirs: theirs?.probability,
          text: theirs?.text,
        };
      };
      exact ??= await read({ backend: 'scalar' });
      return {
        tokens,
        ours: model.decode([written[tokens]]),
        rounded: thought(model),
        exact: thought(exact),
      };
    },
  };
}
