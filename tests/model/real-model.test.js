/** SmolLM2-135M-Instruct in Q4_1 as the module runs it, from the file that ATTN_MODEL names: see web/build/model.mjs. */
import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { watchedEngine } from '../node/support.js';
import { Reference, errorOf } from './reference.js';

const watched = watchedEngine();
const models = await load('model', { webAssembly: watched.webAssembly });

function open(options) {
  const file = openSync(process.env.ATTN_MODEL);
  const loading = models.gguf({ file_bytes: fstatSync(file).size });
  const piece = new Uint8Array(1 << 20);
  for (let wanted; (wanted = loading.wanted());) {
    const count = readSync(file, piece, 0, Math.min(wanted.bytes, piece.length), wanted.begin);
    loading.give(piece.subarray(0, count));
  }
  closeSync(file);
  return loading.finish(options);
}

const before = watched.heapBytes();
const model = open({ capacity: 512 });

test('its sizes; its weights are in memory once, and its cache costs what the formula says', () => {
  const { config } = model;
  assert.deepEqual(
    [config.n_layers, config.n_heads, config.n_kv_heads, config.head_dim, config.d_model],
    [30, 9, 3, 64, 576],
  );
  assert.equal(config.vocab_size, 49152);
  assert.equal(config.cache_bytes_per_token, 46_080);
  assert.ok(watched.heapBytes() - before <= 1.3 * fstatSync(openSync(process.env.ATTN_MODEL)).size);
});

test('texts have the ids that Hugging Face gives them, and come back', () => {
  const { texts } = JSON.parse(readFileSync(new URL('ids.json', import.meta.url), 'utf8'));
  for (const { text, ids } of texts) {
    assert.deepEqual([...model.encode(text)], ids, text);
    // Some bytes have no token there.
    if (!text.startsWith('bytes without')) assert.equal(model.decode(ids), text);
  }
  const chat = model.encode('<|im_start|>user\n', { special_ids: true });
  assert.equal(chat[0], model.config.begin_id);
});

test('the capital of France is Paris', () => {
  model.take(model.encode('The capital of France is'));
  const [best] = model.candidates(1);
  assert.equal(best.text, ' Paris');
  assert.ok(best.probability > 0.6 && best.probability < 0.9);
});

test('its logits are those of an implementation that shares no line with it', () => {
  const ids = [...model.encode('The capital of France is')];
  const reference = new Reference(process.env.ATTN_MODEL);
  const [exact, rounded] = reference.logits([{ ids }, { ids, levels: 127 }]);
  reference.close();
  const apart = (logits) => errorOf(logits, exact);
  const scalar = open({ capacity: 16, backend: 'scalar' });
  const { logits } = scalar.take(ids, { logits: true });
  scalar.close();
  assert.ok(apart(logits) < 1e-5, `${apart(logits)} without rounding`);
  model.reset();
  const quick = apart(model.take(ids, { logits: true }).logits);
  const allowed = 2 * apart(rounded);
  assert.ok(quick < allowed, `${quick} with activations in 8 bits, and ${allowed} is allowed`);
});

const prompts = [
  'The capital of France is',
  'Once upon a time there was a small robot who',
  'To make a good cup of tea, you',
  'def fibonacci(n):\n',
  'In 1969, for the first time,',
];

test('five prompts, 80 tokens each: the same with the cache and without', (t) => {
  for (const prompt of prompts) {
    model.reset();
    const ids = [...model.encode(prompt)];
    const written = [];
    model.take(ids);
    for (let i = 0; i < 80; i += 1) {
      written.push(model.next());
      model.take(written.slice(-1));
    }
    // Without: all tokens through the model anew, each of whose rows says what comes next.
    model.reset();
    const { best } = model.take([...ids, ...written], { best: true });
    assert.deepEqual([...best.slice(ids.length - 1, -1)], written, prompt);
    t.diagnostic(prompt + model.decode(written));
  }
});

test('and the long way, a whole sequence for each token', () => {
  const ids = [...model.encode(prompts[1])];
  model.reset();
  model.take(ids);
  const written = [...ids];
  for (let i = 0; i < 6; i += 1) {
    written.push(model.next());
    model.take(written.slice(-1));
  }
  for (let length = ids.length; length < written.length; length += 1) {
    model.reset();
    model.take(written.slice(0, length));
    assert.equal(model.next(), written[length]);
  }
});

test('without its first token it loses more than without its fortieth; pinned, it stays', () => {
  const text = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
  const ids = [...model.encode(text)].slice(0, 120);
  const lossWith = (pinned) => {
    model.reset({ pinned });
    model.take(ids.slice(0, 60));
    model.evict(40);
    const { losses } = model.take(ids.slice(60), { losses: true });
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  };
  const dropped = lossWith(0);
  const kept = lossWith(4);
  assert.ok(dropped > kept + 0.2, `${dropped} without the first tokens, ${kept} with them`);
});
