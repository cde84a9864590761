/** One library with the model, in a thread of its own. */
import { answerWith } from './answering.js';

let peer;

answerWith({
  async open({ url, options }) {
    const { open } = await import(url);
    peer = await open(options);
    return peer.about;
  },
  limits: ({ ms }) => peer.limits(ms),
  memory: ({ tokens }) => peer.memory(tokens),
  first: ({ prompt }) => peer.first(prompt),
  prompt: ({ text, count }) => peer.prompt(text, count),
  prefill: ({ prompt }) => peer.prefill(prompt),
  webgpu: ({ prompt, software }) => peer.webgpu(prompt, software),
  write: ({ prompt, count }) => peer.write(prompt, count),
  longer: ({ prompt, written }) => peer.longer(prompt, written),
  words: ({ ids }) => peer.words(ids),
  continuation: ({ prompt, count }) => peer.continuation(prompt, count),
  logits: ({ prompt, count }) => peer.logits(prompt, count),
  logitsOf: ({ prompt, tokens }) => peer.logitsOf(prompt, tokens),
});
