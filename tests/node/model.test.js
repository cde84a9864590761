import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { golden, tinyGguf, tinySafetensors } from './tiny-model.js';
import { variants, watchedEngine } from './support.js';

const { tokens, cases } = golden;
/**
 * As shares of the largest number, as in tests/native/model_numbers_test.cpp: sums in float32; and activations rounded to
 * 8 bits before they meet weights in blocks.
 */
const errors = { sums: 2e-5, bytes: 5e-2 };

/** Brings what is wanted in pieces of at most so many bytes. */
function bring(loading, files, piece = 1 << 20) {
  for (let wanted; (wanted = loading.wanted());) {
    const { file, begin, bytes } = wanted;
    loading.give(files[file].subarray(begin, begin + Math.min(bytes, piece)));
  }
  return loading;
}

function open(models, of, options = {}, { piece, count } = {}) {
  if (of.file === 'gguf') {
    const file = tinyGguf(of, options.keys);
    return bring(models.gguf({ file_bytes: file.length }), [file], piece);
  }
  const { config, files } = tinySafetensors(of, count);
  const file_bytes = files.map(({ length }) => length);
  return bring(models.safetensors({ config, file_bytes }), files, piece);
}

const refused = (call, code, field, words = /./) =>
  assert.throws(call, (error) => {
    assert.equal(error.code, code, error.message);
    assert.equal(error.field, field, error.message);
    assert.match(error.message, words);
    return true;
  });

const near = (found, wanted, most) =>
  found.length === wanted.length &&
  wanted.every((number, i) => Math.abs(found[i] - number) <= most);

const llama = cases.find((each) => each.weights === 'Q8_0' && each.architecture === 'llama');
const gpt2 = cases.find((each) => each.weights === 'F32' && each.architecture === 'gpt2');

for (const variant of variants) {
  const models = await load('model', { variant });

  test(`${variant}: logits and weights of the tiny models are Hugging Face's, in every format`, () => {
    for (const of of cases) {
      const model = open(models, of).finish();
      const { n_heads: heads } = of.config;
      const n = tokens.length;
      model.take(tokens.slice(0, -1), { logits: true });
      const taken = model.take(tokens.slice(-1), { logits: true, weights: 'floats' });
      const what = `${of.architecture} ${of.file} ${of.weights}`;
      const isRounded = /^Q/.test(of.weights) && model.config.backend === 'simd';
      const share = isRounded ? errors.bytes : errors.sums;
      const check = (found, wanted) => {
        const most = share * Math.max(...wanted.map(Math.abs));
        assert.ok(near(found, wanted, most), `${what}: ${found}`);
      };
      check(taken.logits, of.logits.at(-1));
      check(taken.weights.slice((heads + 1) * n, (heads + 2) * n), of.layer_1_head_1_last_row);
      model.close();
    }
  });
}

const models = await load('model');

test('a model is the same however its files are cut', () => {
  const seen = new Set();
  const of = cases.find(({ file, weights }) => file === 'safetensors' && weights === 'BF16');
  for (const choice of [{ piece: 5 }, { piece: 333, count: 3 }, { piece: 4096 }, { count: 2 }]) {
    const loading = open(models, of, {}, choice);
    const { weight_bytes, given_bytes } = loading.progress();
    assert.ok(weight_bytes > 0 && weight_bytes === given_bytes);
    const model = loading.finish();
    seen.add(model.take(tokens, { logits: true }).logits.join());
    model.close();
  }
  assert.equal(seen.size, 1);
});

test('tokens at once and one by one give the same; what was forgotten comes back the same', () => {
  for (const of of [llama, gpt2]) {
    const model = open(models, of).finish();
    assert.equal(model.config.architecture, of.architecture);
    assert.equal(model.config.n_kv_heads, of.config.n_kv_heads);
    const whole = model.take(tokens, { logits: true, losses: true, best: true });
    assert.equal(whole.length, tokens.length);
    assert.ok(Number.isNaN(whole.losses[0]));
    model.reset();
    const singly = tokens.map((id) => model.take([id], { logits: true, losses: true, best: true }));
    const best = singly.map(({ logits }) => logits.indexOf(Math.max(...logits)));
    assert.deepEqual([...whole.best], best);
    assert.deepEqual(
      singly.map((each) => each.best[0]),
      best,
    );
    assert.deepEqual(singly.at(-1).logits, whole.logits);
    const losses = singly.map((each) => each.losses[0]);
    assert.ok(near(losses.slice(1), [...whole.losses.slice(1)], 1e-9));
    assert.deepEqual(model.rewind(3), { length: 3, visible_tokens: 3 });
    assert.deepEqual(model.take(tokens.slice(3), { logits: true }).logits, whole.logits);
    const state = model.state();
    const { n_layers: layers, n_kv_heads: heads, head_dim: width } = of.config;
    assert.equal(model.config.cache_bytes_per_token, layers * 2 * heads * width * 4);
    assert.equal(state.cache_bytes, tokens.length * model.config.cache_bytes_per_token);
    model.close();
  }
});

test('a cache in 16 bits holds half, and is near', () => {
  const model = open(models, gpt2).finish();
  const { logits } = model.take(tokens, { logits: true });
  const half = open(models, gpt2).finish({ cache_format: 'f16', capacity: 9 });
  assert.equal(half.config.cache_bytes_per_token * 2, model.config.cache_bytes_per_token);
  assert.equal(half.config.capacity, 9);
  assert.ok(near(half.take(tokens, { logits: true }).logits, [...logits], 0.005));
  half.close();
  model.close();
});

test('weights as floats and as bytes, lengths of values, and what is cut out', () => {
  const model = open(models, llama).finish();
  const { n_layers: layers, n_heads: heads, n_kv_heads: kvHeads } = llama.config;
  const n = tokens.length;
  const all = model.take(tokens, { weights: 'floats', value_lengths: true, logits: true });
  assert.equal(all.weights.length, layers * heads * n * n);
  assert.equal(all.value_lengths.length, layers * kvHeads * n);
  assert.ok(all.value_lengths.every((length) => length > 0));
  for (let row = 0; row < layers * heads * n; row += 1) {
    const of = all.weights.subarray(row * n, (row + 1) * n);
    assert.ok(Math.abs(of.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
    assert.ok(of.subarray((row % n) + 1).every((weight) => weight === 0));
  }
  model.reset();
  const bytes = model.take(tokens, { weights: 'bytes' }).weights;
  assert.ok(bytes instanceof Uint8Array);
  assert.ok(all.weights.every((weight, i) => Math.abs(weight - bytes[i] / 255) <= 1 / 510 + 1e-6));
  const cut = (ablation) => {
    model.reset();
    return model.take(tokens, { weights: 'floats', logits: true, ablation });
  };
  const headless = cut({ heads: [0, 1, 1, 5] });
  assert.notDeepEqual(headless.logits, all.logits);
  const hidden = cut({ positions: [2] });
  const columns = hidden.weights.filter((_, i) => i % n === 2 && Math.floor(i / n) % n !== 2);
  assert.ok(columns.every((weight) => weight === 0));
  assert.deepEqual(cut({}).logits, all.logits);
  const out = {};
  model.reset();
  model.take(tokens, { weights: 'bytes', out });
  const kept = out.weights;
  model.reset();
  model.take(tokens, { weights: 'bytes', out });
  assert.equal(out.weights, kept);
  model.close();
});

test('eviction drops the oldest, but for those that are pinned', () => {
  const model = open(models, gpt2).finish({ pinned: 1 });
  model.take(tokens);
  assert.deepEqual(model.evict(2), { length: 7, visible_tokens: 3 });
  const { weights } = model.take([4], { weights: 'floats' });
  const row = [...weights.slice(0, 8)].map((weight) => weight > 0);
  assert.deepEqual(row, [true, false, false, false, false, true, true, true]);
  refused(() => model.rewind(3), 'out_of_range', 'length', /evicted/);
  assert.deepEqual(model.reset(), { length: 0, visible_tokens: 0 });
  model.take(tokens);
  assert.deepEqual(model.evict(2), { length: 7, visible_tokens: 2 });
  model.close();
});

test('candidates and the next token are drawn from the logits, the same for the same seed', () => {
  const model = open(models, llama).finish();
  refused(() => model.next(), 'out_of_range', 'logits');
  const { logits } = model.take(tokens, { logits: true });
  const best = model.candidates(3);
  const largest = logits.indexOf(Math.max(...logits));
  assert.equal(best[0].id, largest);
  assert.equal(best[0].text, '');
  const sum = logits.reduce((all, logit) => all + Math.exp(logit), 0);
  assert.ok(Math.abs(best[0].probability - Math.exp(logits[largest]) / sum) < 1e-6);
  assert.equal(model.candidates(99).length, logits.length);
  assert.equal(model.next(), largest);
  assert.equal(model.next({ temperature: 1, top_k: 1 }), largest);
  const drawn = (seed) => model.next({ temperature: 2, seed });
  assert.equal(drawn(3), drawn(3));
  const seen = new Set(Array.from({ length: 50 }, (_, seed) => drawn(seed)));
  assert.ok(seen.size > 3);
  model.close();
});

/** A vocabulary of 256 bytes and two merges for a model of as many rows, as a GGUF file says it. */
function vocabulary(change = {}) {
  const printable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(printable(byte) ? byte : next++),
  );
  const list = ['<|end|>', ...letters, 'ab', 'abc'];
  return {
    'general.name': 'Tiny',
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'smollm',
    'tokenizer.ggml.tokens': list,
    'tokenizer.ggml.token_type': list.map((_, i) => (i === 0 ? 3 : 1)),
    'tokenizer.ggml.merges': ['a b', 'ab c'],
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 0,
    ...change,
  };
}
const speaking = { ...llama, config: { ...llama.config, vocab_size: 259 } };

test('text becomes tokens by the vocabulary of the file, and comes back', () => {
  const model = open(models, speaking, { keys: vocabulary() }).finish();
  assert.equal(model.config.name, 'Tiny');
  assert.equal(model.config.end_id, 0);
  assert.deepEqual([...model.encode('abcab12')], [258, 257, 50, 51]);
  assert.deepEqual([...model.encode('<|end|>', { special_ids: true })], [0]);
  assert.deepEqual([...model.encode('a', { begin: true })], [0, 98]);
  const ids = model.encode('abcação 🙂');
  assert.equal(model.decode(ids), 'abcação 🙂');
  assert.deepEqual(model.pieces([258, 0]), [
    { id: 258, text: 'abc' },
    { id: 0, text: '<|end|>' },
  ]);
  const stream = model.stream();
  assert.equal([...ids].map((id) => stream.push([id])).join('') + stream.finish(), 'abcação 🙂');
  model.take(ids);
  const [best] = model.candidates(1);
  assert.equal(best.text, model.decode([best.id]));
  refused(() => model.decode([259]), 'out_of_range', 'ids[0]');
  model.close();
  const silent = open(models, llama).finish();
  refused(() => silent.encode('a'), 'bad_argument', 'model', /vocabulary/);
  silent.close();
});

test('a vocabulary that does not fit is refused by its key, before the weights are brought', () => {
  const tell = (change, field) => {
    const file = tinyGguf(speaking, vocabulary(change));
    const loading = models.gguf({ file_bytes: file.length });
    refused(() => bring(loading, [file], 4096), 'bad_argument', field);
    refused(() => loading.wanted(), 'bad_argument', 'loading', /closed/);
    loading.close();
  };
  tell({ 'tokenizer.ggml.model': 'llama' }, 'tokenizer.ggml.model');
  tell({ 'tokenizer.ggml.pre': 'bert' }, 'tokenizer.ggml.pre');
  tell({ 'tokenizer.ggml.merges': ['a z z'] }, 'tokenizer.ggml.merges');
  const few = tinyGguf(llama, vocabulary());
  const loading = models.gguf({ file_bytes: few.length });
  refused(() => bring(loading, [few]), 'shape_mismatch', 'tokenizer.ggml.tokens');
});

test('tokenizer.json beside safetensors, and the names of shards', () => {
  const of = cases.find(
    ({ file, architecture }) => file === 'safetensors' && architecture === 'gpt2',
  );
  const wide = { ...of, config: { ...of.config, vocab_size: 258 } };
  const bytes = vocabulary()['tokenizer.ggml.tokens'].slice(1, 257);
  const tokenizer = JSON.stringify({
    added_tokens: [{ id: 257, content: '<|endoftext|>', special: true }],
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries([...bytes, 'ab'].map((token, i) => [token, i])),
      merges: [['a', 'b']],
    },
  });
  const { config, files } = tinySafetensors(wide, 2);
  const file_bytes = Float64Array.from(files, ({ length }) => length);
  const loading = bring(models.safetensors({ config, file_bytes, tokenizer }), files);
  const model = loading.finish();
  assert.deepEqual([...model.encode('ab a')], [256, 32, 97]);
  model.close();
  const other = models.safetensors({ config, file_bytes, tokenizer: '{}' });
  refused(() => bring(other, files), 'bad_argument', 'tokenizer');
  const names = ['a-1.safetensors', 'a-2.safetensors'];
  const index = JSON.stringify({ weight_map: { x: names[0], y: names[1], z: names[0] } });
  assert.deepEqual(models.shardNames({ index }), { count: 2, names });
});

test('what cannot be done is named, and the model stays usable', async () => {
  const loading = open(models, gpt2);
  refused(() => loading.finish({ capacity: 17 }), 'too_large', 'capacity');
  refused(() => loading.finish({ cache_format: 'f8' }), 'bad_argument', 'cache_format');
  refused(() => loading.finish({ casual: 1 }), 'bad_argument', 'casual');
  refused(() => loading.give(new Uint8Array(1)), 'out_of_range', 'bytes');
  const model = loading.finish();
  refused(() => loading.wanted(), 'bad_argument', 'loading');
  const { logits } = model.take(tokens, { logits: true });
  for (const [call, code, field, words] of [
    [() => model.take([]), 'out_of_range', 'ids'],
    [() => model.take([13]), 'out_of_range', 'ids', /Token 0 is 13/],
    [() => model.take([-1]), 'out_of_range', 'ids', /Element 0 of ids .* from 0 on; it is -1\./],
    [() => model.take(Int32Array.of(1, -2)), 'out_of_range', 'ids', /Element 1 of ids .* it is -2/],
    [() => model.take([1.5]), 'bad_argument', 'ids', /Element 0 of ids .* 1\.5/],
    [() => model.take([2 ** 32 - 1]), 'bad_argument', 'ids', /4294967295/],
    [() => model.take(new Array(10).fill(1)), 'too_large', 'ids'],
    [() => model.take(['1']), 'bad_argument', 'ids'],
    [() => model.decode([-1]), 'out_of_range', 'ids', /it is -1/],
    [() => model.pieces([-1]), 'out_of_range', 'ids', /it is -1/],
    [() => model.take([1], { weights: true }), 'bad_argument', 'weights'],
    [() => model.take([1], { logits: 1 }), 'bad_argument', 'logits'],
    [() => model.take([1], { ablation: { heads: [1] } }), 'out_of_range', 'ablation.heads'],
    [() => model.take([1], { ablation: { heads: [9, 9] } }), 'out_of_range', 'ablation.heads'],
    [
      () => model.take([1], { ablation: { positions: [-3] } }),
      'out_of_range',
      'ablation.positions',
    ],
    [
      () => model.take([1], { ablation: { positions: [99] } }),
      'out_of_range',
      'ablation.positions',
    ],
    [() => model.take([1], { ablation: { layers: [1] } }), 'bad_argument', 'ablation.layers'],
    [() => model.candidates(0), 'out_of_range', 'count'],
    [() => model.candidates(1, { temperature: -1 }), 'out_of_range', 'temperature'],
    [() => model.next({ temperature: 1, top_p: 2 }), 'out_of_range', 'top_p'],
    [() => model.next({ seed: -1 }), 'out_of_range', 'seed'],
    [() => model.evict(0), 'out_of_range', 'kept'],
    [() => model.rewind(8), 'out_of_range', 'length'],
    [() => model.reset({ pinned: 17 }), 'too_large', 'pinned'],
  ]) {
    refused(call, code, field, words);
  }
  for (const [ids, options, field] of [
    [[-1], {}, 'ids'],
    [[13], {}, 'ids'],
    [[1], { ablation: { heads: [9, 9] } }, 'ablation.heads'],
  ]) {
    await assert.rejects(model.takeAnywhere(ids, options), { code: 'out_of_range', field });
  }
  assert.equal(model.state().length, tokens.length);
  model.rewind(tokens.length - 1);
  assert.deepEqual(model.take(tokens.slice(-1), { logits: true }).logits, logits);
  model.close();
  refused(() => model.take([1]), 'bad_argument', 'model', /closed/);
  refused(() => models.gguf({ file_bytes: -1 }), 'out_of_range', 'file_bytes');
  refused(() => models.gguf({}), 'bad_argument', 'file_bytes');
  refused(
    () => models.safetensors({ config: '{}', file_bytes: [1] }),
    'bad_argument',
    'model_type',
  );
  refused(
    () => models.safetensors({ config: '{}', file_bytes: [0.5] }),
    'out_of_range',
    'file_bytes',
  );
});

test('a file that is cut short or damaged is refused, and leaves nothing', () => {
  const file = tinyGguf(llama);
  for (const length of [0, 3, 30, 500, 2000, file.length - 40]) {
    const loading = models.gguf({ file_bytes: length });
    refused(() => bring(loading, [file.slice(0, length)]), 'bad_argument', 'file');
  }
  const damaged = file.slice();
  damaged.fill(255, 200, 260);
  const loading = models.gguf({ file_bytes: damaged.length });
  assert.throws(() => bring(loading, [damaged]), { name: 'AttentionDeckError' });
});

test('closing frees: a model opened again and again takes no more memory', async () => {
  const watched = watchedEngine();
  const own = await load('model', { variant: 'scalar', webAssembly: watched.webAssembly });
  const once = () => {
    const model = open(own, speaking, { keys: vocabulary() }).finish();
    model.take(tokens, { weights: 'floats' });
    model.close();
    open(own, llama).close();
  };
  for (let i = 0; i < 3; i += 1) once();
  const before = watched.heapBytes();
  for (let i = 0; i < 10; i += 1) once();
  assert.equal(watched.heapBytes(), before);
});

test('the weights are in memory once: a file and its cache take little more than that', async () => {
  const wide = {
    ...llama,
    weights: 'F32',
    config: { ...llama.config, vocab_size: 40_000, d_ff: 320 },
    tied: true,
  };
  const file = tinyGguf(wide);
  const watched = watchedEngine();
  const own = await load('model', { variant: 'scalar', webAssembly: watched.webAssembly });
  const empty = watched.heapBytes();
  const model = bring(own.gguf({ file_bytes: file.length }), [file], 65_536).finish();
  model.take(tokens);
  assert.ok(watched.heapBytes() - empty <= 1.3 * file.length);
  model.close();
});
