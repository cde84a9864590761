/** llama.cpp in WebAssembly, as @wllama/wllama brings it, on one thread of the processor. */
import { Wllama } from '@wllama/wllama';
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';

const silent = { debug() {}, log() {}, warn() {}, error: console.error };

export async function open({ model: url, capacity }) {
  const wllama = new Wllama(
    { default: new URL(wasm, import.meta.url).href },
    { logger: silent, suppressNativeLog: true },
  );
  const file = await (await fetch(url)).blob();
  const began = performance.now();
  await wllama.loadModel([file], {
    n_ctx: capacity,
    n_threads: 1,
    n_gpu_layers: 0,
    n_parallel: 1,
    // As ours keeps it.
    cache_type_k: 'f32',
    cache_type_v: 'f32',
    warmup: false,
  });
  const load_ms = performance.now() - began;
  const complete = (prompt, max_tokens) =>
    wllama.createCompletion({ prompt, max_tokens, temperature: 0, cache_prompt: false });
  return {
    about: { load_ms, threads: wllama.getNumThreads(), version: Wllama.getLibllamaVersion() },
    async prefill({ text, ids }) {
      const { timings } = await complete(text, 1);
      if (timings.prompt_n !== ids.length) throw new Error(`${timings.prompt_n} tokens were read.`);
      return timings.prompt_ms;
    },
    async write({ text }, count) {
      const { choices, timings } = await complete(text, count);
      return { text: choices[0].text, ms: timings.predicted_per_token_ms };
    },
  };
}
