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
  const complete = (prompt, max_tokens, more) =>
    wllama.createCompletion({ prompt, max_tokens, temperature: 0, cache_prompt: false, ...more });
  const countOf = ({ timings }, { ids }) => {
    if (timings.prompt_n !== ids.length) throw new Error(`${timings.prompt_n} tokens were read.`);
  };
  return {
    about: { load_ms, threads: wllama.getNumThreads(), version: Wllama.getLibllamaVersion() },
    async prefill(prompt) {
      const answer = await complete(prompt.text, 1);
      countOf(answer, prompt);
      return answer.timings.prompt_ms;
    },
    async write({ text }, count) {
      const { choices, timings } = await complete(text, count);
      return { text: choices[0].text, ms: timings.predicted_per_token_ms };
    },
    /** The most probable continuation; it ends where the model ends it. */
    async continuation(prompt, count) {
      const answer = await complete(prompt.text, count, { logprobs: 1 });
      countOf(answer, prompt);
      return answer.choices[0].logprobs.content.map(({ id }) => id);
    },
    /** The logarithm of the probability of so many tokens that it holds for most probable: logits but for one sum. */
    async logits(prompt, count) {
      const answer = await complete(prompt.text, 1, { logprobs: count });
      countOf(answer, prompt);
      const { top_logprobs: list } = answer.choices[0].logprobs.content[0];
      return { ids: list.map(({ id }) => id), logits: list.map(({ logprob }) => logprob) };
    },
  };
}
