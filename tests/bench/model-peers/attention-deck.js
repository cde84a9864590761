/** Ours: the module that a page loads, in the worker that it is asked from. */
import { load } from '../../../web/runtime/index.js';

/** Bytes brought at a time, as a page would bring them. */
const PIECE = 1 << 22;

/** WebAssembly that keeps what it started, so that its memory can be measured. */
function watchedWebAssembly(started) {
  return {
    compile: (bytes) => WebAssembly.compile(bytes),
    async instantiate(module, imports) {
      const instance = await WebAssembly.instantiate(module, imports);
      started.push(instance);
      return instance;
    },
  };
}

const bytesOf = ({ exports }) =>
  Object.values(exports).find((value) => value instanceof WebAssembly.Memory).buffer.byteLength;

export async function open({ variant, model: url, capacity }) {
  const started = [];
  const models = await load('model', { variant, webAssembly: watchedWebAssembly(started) });
  const kernels = await load('kernels', { variant });
  const file = await (await fetch(url)).blob();
  const piece = async (begin, end) => new Uint8Array(await file.slice(begin, end).arrayBuffer());
  const read = async () => {
    const loading = models.gguf({ file_bytes: file.size });
    for (let wanted; (wanted = loading.wanted());) {
      const end = wanted.begin + Math.min(wanted.bytes, PIECE);
      loading.give(await piece(wanted.begin, end));
    }
    return loading.finish({ capacity });
  };
  const began = performance.now();
  const model = await read();
  const load_ms = performance.now() - began;
  const { cache_bytes_per_token: token } = model.config;
  return {
    about: { load_ms },
    /** Bytes that the module's memory has come to, and what it may take: the file, 30 % more, and a cache of so many tokens. */
    memory: (tokens) => ({
      bytes: bytesOf(started[0]),
      allowed: 1.3 * file.size + token * tokens,
    }),
    /** The file's bytes alone, as they come to the page; the file with a prompt after it, as a page has to. */
    async first({ ids }) {
      const from = performance.now();
      for (let at = 0; at < file.size; at += PIECE) await piece(at, at + PIECE);
      const bytes_ms = performance.now() - from;
      const begun = performance.now();
      const fresh = await read();
      const read_ms = performance.now() - begun;
      fresh.take(ids);
      fresh.next();
      const first_ms = performance.now() - begun;
      fresh.close();
      return { bytes_ms, read_ms, first_ms };
    },
    limits: (ms) => kernels.peak({ ms }),
    /** The first tokens of a text, and the text that they are. */
    prompt(text, count) {
      const ids = [...model.encode(text)].slice(0, count);
      return { ids, text: model.decode(ids) };
    },
    /** A prompt and the tokens that were written after it. */
    longer({ ids }, written) {
      const all = [...ids, ...written];
      return { ids: all, text: model.decode(all) };
    },
    words: (ids) => ids.map((id) => model.decode([id])),
    /** The ms in which some tokens were taken in, at once. */
    prefill({ ids }) {
      model.reset();
      const from = performance.now();
      model.take(ids);
      return performance.now() - from;
    },
    /** The same on WebGPU, once its weights and kernels are there: the ms and what computed, or why not. */
    async webgpu({ ids }, software) {
      const take = (some) => {
        model.reset();
        return model.takeAnywhere(some, { backend: 'webgpu' });
      };
      const { backend, notice, adapter } = await take(ids.slice(0, 1));
      if (backend !== 'webgpu') return { why: notice };
      const name = `${adapter.kind}, ${adapter.description || adapter.vendor}`;
      if (adapter.is_software && !software) return { why: `${name}: --software measures it.` };
      const from = performance.now();
      const taken = await take(ids);
      if (taken.backend !== 'webgpu') return { why: taken.notice };
      return { name, ms: performance.now() - from };
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
    /** The ids of its most probable continuation, and whether the whole sequence at once, without the cache, says the same. */
    continuation({ ids }, count) {
      model.reset();
      model.take(ids);
      const written = [];
      for (let i = 0; i < count; i += 1) {
        written.push(model.next());
        model.take(written.slice(-1));
      }
      model.reset();
      const { best } = model.take([...ids, ...written], { best: true });
      const uncached = written.every((id, i) => best[ids.length - 1 + i] === id);
      return { ids: written, uncached };
    },
    /** What it gives some tokens after a prompt. */
    logitsOf({ ids }, tokens) {
      model.reset();
      const { logits } = model.take(ids, { logits: true });
      return tokens.map((id) => logits[id]);
    },
  };
}
