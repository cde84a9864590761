/**
 * The prompt of a model on Dawn: the processor's logits within rounding, its cache as if the processor had filled it,
 * limits, and whatever may go wrong on the way. Run by webgpu.test.js, as on-dawn.js is.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { create } from 'webgpu';
import { load } from '../../../web/runtime/index.js';
import { createModels } from '../../../web/runtime/model.js';
import { rawModule } from '../support.js';
import { golden, tinyGguf, tinySafetensors } from '../tiny-model.js';
import { changedGpu, losing, replace } from './faults.js';

const dawn = create([]);
const changed = (faults) => changedGpu(dawn, faults);
const models = await load('model', { variant: 'simd' });
const { tokens, cases } = golden;

/**
 * As shares of the largest number: sums in float32 in another order; and activations that the processor's vector kernels
 * round to 8 bits before they meet weights in blocks, which the device does not.
 */
const errors = { sums: 2e-5, bytes: 5e-2 };

function bring(loading, files) {
  for (let wanted; (wanted = loading.wanted());) {
    const { file, begin, bytes } = wanted;
    loading.give(files[file].subarray(begin, begin + bytes));
  }
  return loading;
}

function open(of, options, from = models) {
  if (of.file === 'gguf') {
    const file = tinyGguf(of);
    return bring(from.gguf({ file_bytes: file.length }), [file]).finish(options);
  }
  const { config, files } = tinySafetensors(of);
  const file_bytes = files.map(({ length }) => length);
  return bring(from.safetensors({ config, file_bytes }), files).finish(options);
}

function near(found, wanted, share, what) {
  const most = share * Math.max(...wanted.map(Math.abs));
  const off = Math.max(...wanted.map((number, i) => Math.abs(found[i] - number)));
  assert.ok(found.length === wanted.length && off <= most, `${what}: off by ${off} of ${most}`);
  return (off / most) * share;
}

const byName = { logits: true, backend: 'webgpu', gpu: dawn };
/** More than a tile, and a width that no vec4 divides. */
const long = (architecture, file, context = 200) => ({
  architecture,
  file,
  weights: 'F32',
  config: {
    ...cases.find((each) => each.architecture === architecture && each.weights === 'F32').config,
    context,
  },
});
const words = (count, vocab = 13) => Array.from({ length: count }, (_, i) => (i * 7 + 3) % vocab);

test('logits are the processor’s and Hugging Face’s, in every format of both architectures; decoding goes on', async (t) => {
  let most = 0;
  for (const of of cases) {
    const isQuantized = /^Q/.test(of.weights);
    // The vector kernels differ in what they round, and the same in both architectures.
    const isLlama = of.architecture === 'llama';
    for (const backend of isQuantized && isLlama ? ['scalar', 'simd'] : ['scalar']) {
      const model = open(of, { backend });
      const what = `${of.architecture} ${of.file} ${of.weights} ${backend}`;
      const isRounded = isQuantized && backend === 'simd';
      const share = isRounded ? errors.bytes : errors.sums;
      const wanted = model.take(tokens, { logits: true }).logits;
      const after = model.take([1], { logits: true }).logits;
      model.reset();
      const found = await model.takeAnywhere(tokens, byName);
      assert.equal(found.backend, 'webgpu', `${what}: ${found.notice}`);
      assert.equal(found.notice, undefined);
      assert.deepEqual([found.length, found.visible_tokens], [7, 7]);
      const off = near(found.logits, wanted, share, what);
      if (!isRounded) most = Math.max(most, off);
      near(found.logits, of.logits.at(-1), share, `${what}, Hugging Face`);
      near(model.take([1], { logits: true }).logits, after, share, `${what}, one more token`);
      model.rewind(3);
      near(model.take(tokens.slice(3), { logits: true }).logits, wanted, share, `${what}, rewound`);
      model.close();
    }
  }
  t.diagnostic(`measured: off by at most ${most.toExponential(1)} of the largest logit`);
});

test('prompts of every length around a tile, both orders of rotary pairs, grouped heads', async () => {
  for (const of of [
    long('llama', 'gguf'),
    long('llama', 'safetensors'),
    long('gpt2', 'safetensors'),
  ]) {
    const model = open(of, { backend: 'scalar' });
    for (const n of [1, 2, 8, 9, 33, 63, 64, 65, 130]) {
      model.reset();
      const wanted = model.take(words(n), { logits: true }).logits;
      model.reset();
      const found = await model.takeAnywhere(words(n), byName);
      assert.equal(found.backend, 'webgpu', found.notice);
      near(found.logits, wanted, errors.sums, `${of.architecture} ${of.file}, ${n} tokens`);
    }
    model.close();
  }
});

test('auto never takes a software adapter', async (t) => {
  const model = open(long('llama', 'gguf'));
  const named = await model.takeAnywhere(words(5), byName);
  const { adapter } = named;
  t.diagnostic(`adapter: ${adapter.kind}, ${adapter.description}`);
  model.reset();
  const auto = await model.takeAnywhere(words(100), { gpu: dawn });
  assert.equal(auto.notice, undefined);
  assert.equal(auto.backend, adapter.is_software ? 'simd' : 'webgpu');
  model.close();
});

test('what WebGPU does not give is the processor’s: by name with a notice, else without one', async () => {
  const of = cases.find(({ weights, file }) => weights === 'Q4_1' && file === 'gguf');
  const model = open(of);
  const whole = model.take(tokens, { logits: true, losses: true, weights: 'floats' });
  const cut = { heads: [0, 1] };
  for (const options of [
    { losses: true },
    { best: true },
    { weights: 'bytes' },
    { value_lengths: true },
    { ablation: cut },
  ]) {
    model.reset();
    const found = await model.takeAnywhere(tokens, { ...options, ...byName });
    assert.equal(found.backend, 'simd');
    assert.match(found.notice, /logits alone.*processor took the prompt/);
    if (!options.ablation) assert.deepEqual(found.logits, whole.logits);
  }
  model.reset();
  await model.takeAnywhere(tokens.slice(0, 3), byName);
  const rest = await model.takeAnywhere(tokens.slice(3), byName);
  assert.match(rest.notice, /begin a sequence/);
  assert.equal(rest.length, tokens.length);
  near(rest.logits, whole.logits, errors.bytes, 'the rest');
  model.close();
  const half = open(of, { cache_format: 'f16' });
  assert.match((await half.takeAnywhere(tokens, byName)).notice, /cache of f32/);
  half.close();
});

test('bad input is refused as by take, and nothing is in the sequence', async () => {
  const model = open(cases[0]);
  const refused = (ids, code, field, options = byName) =>
    assert.rejects(model.takeAnywhere(ids, options), { code, field });
  await refused([], 'out_of_range', 'ids');
  await refused([13], 'out_of_range', 'ids');
  await refused(words(17), 'too_large', 'ids');
  await refused([1], 'bad_argument', 'backend', { backend: 'gpu' });
  await refused([1], 'bad_argument', 'backend', { backend: 'scalar' });
  await refused([1], 'bad_argument', 'colour', { colour: 1 });
  await refused([1], 'bad_argument', 'gpu', { gpu: 7 });
  assert.equal(model.state().length, 0);
  model.close();
});

test('what comes meanwhile stands, and a model that is closed is told', async () => {
  const model = open(cases[0]);
  const waiting = model.takeAnywhere(tokens, byName);
  model.take([1, 2]);
  await assert.rejects(waiting, { code: 'bad_argument', field: 'ids', message: /empty/ });
  assert.equal(model.state().length, 2);
  model.reset();
  const late = model.takeAnywhere(tokens, byName);
  model.close();
  await assert.rejects(late, { code: 'bad_argument', field: 'model' });
});

test('two models on one device keep their weights apart, one after another and at once', async () => {
  const pair = [cases[0], cases.find(({ architecture }) => architecture === 'gpt2')];
  const both = pair.map((of) => open(of, { backend: 'scalar' }));
  const wanted = both.map((model) => model.take(tokens, { logits: true }).logits);
  for (let round = 0; round < 2; round += 1) {
    both.forEach((model) => model.reset());
    const found = await Promise.all(both.map((model) => model.takeAnywhere(tokens, byName)));
    found.forEach(({ logits, backend }, i) => {
      assert.equal(backend, 'webgpu');
      near(logits, wanted[i], errors.sums, `model ${i}, round ${round}`);
    });
  }
  both.forEach((model) => model.close());
});

/**
 * One that says it is a GPU and binds little, so that the tests from here on share a device: each that is opened compiles
 * all kernels.
 */
const devices = [];
const other = changed({
  info: { vendor: 'a GPU' },
  limits: { maxStorageBufferBindingSize: 20_000, maxBufferSize: 65_536 },
  device: (device) => devices.push(device),
});
const onOther = { logits: true, backend: 'webgpu', gpu: other };

test('auto takes a GPU from 64 tokens on; G1: and what it does not bind stays with the processor', async () => {
  const model = open(long('llama', 'gguf'));
  const ask = (count, options) => {
    model.reset();
    return model.takeAnywhere(words(count), options);
  };
  assert.equal((await ask(63, { gpu: other })).backend, 'simd');
  const there = await ask(64, { gpu: other });
  assert.deepEqual([there.backend, there.adapter.kind], ['webgpu', 'GPU']);
  const found = await ask(100, onOther);
  assert.equal(found.backend, 'simd');
  assert.match(found.notice, /buffer of 29600 bytes.*binds 20000.*processor took/);
  assert.equal(found.length, 100);
  model.close();
});

/** The answer is right, the cache whole, and a second prompt too. */
async function withFault(gpu, change) {
  const model = open(cases[0], { backend: 'scalar' });
  const wanted = model.take(tokens, { logits: true }).logits;
  const after = model.take([1], { logits: true }).logits;
  const ask = async (what) => {
    model.reset();
    const found = await model.takeAnywhere(tokens, { ...onOther, gpu });
    near(found.logits, wanted, errors.sums, what);
    assert.equal(found.length, tokens.length);
    near(model.take([1], { logits: true }).logits, after, errors.sums, `${what}, one more token`);
    return found;
  };
  await change();
  const found = await ask('with a fault');
  const again = await ask('again');
  model.close();
  return { found, again };
}

const faults = {
  'createBuffer throws': (device) =>
    replace(device, 'createBuffer', () => {
      throw new RangeError('no buffer');
    }),
  'writeBuffer throws': (device) =>
    replace(device.queue, 'writeBuffer', () => {
      throw new Error('no room');
    }),
  'submit throws': (device) =>
    replace(device.queue, 'submit', () => {
      throw new Error('no queue');
    }),
  'the device finds a fault': (device) =>
    replace(device, 'popErrorScope', async (original) => {
      await original();
      return { message: 'a buffer is too small' };
    }),
  // Weights of which one tensor is nothing but ones: numbers that are none.
  'numbers that are not finite': (device) =>
    replace(device.queue, 'writeBuffer', (original, buffer, offset, data) =>
      original(buffer, offset, new Uint8Array(data.byteLength).fill(255)),
    ),
};
for (const [what, change] of Object.entries(faults)) {
  test(`${what}: the processor answers and says so, and the next prompt goes to the device`, async () => {
    const { found, again } = await withFault(other, () => change(devices.at(-1)));
    assert.equal(found.backend, 'scalar');
    assert.match(found.notice, /processor took the prompt/);
    assert.deepEqual([again.backend, again.notice], ['webgpu', undefined]);
  });
}

test('a device that is lost is replaced once: in the middle, or while nothing runs', async () => {
  const middle = await withFault(other, () => losing(devices.at(-1)));
  assert.equal(middle.found.backend, 'webgpu');
  assert.match(middle.found.notice, /was lost.*fresh device/);
  assert.deepEqual([middle.again.backend, middle.again.notice], ['webgpu', undefined]);
  assert.equal(devices.length, 2);
  const idle = await withFault(other, async () => {
    devices[1].destroy();
    await devices[1].lost;
  });
  assert.deepEqual([idle.found.backend, idle.found.notice], ['webgpu', undefined]);
  assert.equal(devices.length, 3);
});

/** What goes wrong while kernels are compiled, on each device. */
const compiling = {
  'a kernel that does not compile': (device) =>
    replace(device, 'createShaderModule', (original) => original({ code: 'fn main( {' }), {
      once: false,
    }),
  'a pipeline that is refused': (device) =>
    replace(device, 'createComputePipelineAsync', () => Promise.reject(new Error('no pipeline')), {
      once: false,
    }),
  'a device that is lost twice over': (device) =>
    replace(device, 'createComputePipelineAsync', async () => {
      device.destroy();
      await device.lost;
      throw new Error('lost');
    }),
};
for (const [what, device] of Object.entries(compiling)) {
  test(`${what}: the processor answers each time, and says so`, async () => {
    const { found, again } = await withFault(changed({ device }), () => {});
    for (const each of [found, again]) {
      assert.equal(each.backend, 'scalar');
      assert.match(each.notice, /(prefill_norm|was lost).*processor took the prompt/s);
    }
  });
}

test('no WebGPU: by name the processor and a sentence, by itself the processor', async () => {
  const model = open(cases[0]);
  const { notice, backend } = await model.takeAnywhere(tokens, { backend: 'webgpu' });
  assert.equal(backend, 'simd');
  assert.match(notice, /has no WebGPU.*https:\/\/.*processor took/);
  model.reset();
  const refusing = { requestAdapter: async () => null };
  const named = await model.takeAnywhere(tokens, { ...byName, gpu: refusing });
  assert.match(named.notice, /no adapter.*processor took/);
  model.close();
  const larger = open(long('gpt2', 'gguf'));
  const auto = await larger.takeAnywhere(words(70), { gpu: refusing });
  assert.deepEqual([auto.backend, auto.notice], ['simd', undefined]);
  larger.close();
});

test('W2: prompts leave nothing behind in the module, closed models neither', async () => {
  const raw = await rawModule('simd', { name: 'model' });
  const mine = createModels({ raw, variant: 'simd' }, () => assert.fail('it stopped'));
  const call = async (times) => {
    for (let i = 0; i < times; i += 1) {
      const model = open(cases[0], {}, mine);
      await model.takeAnywhere(tokens, byName);
      model.reset();
      await model.takeAnywhere(tokens, byName);
      model.close();
    }
  };
  await call(4);
  const before = raw.count_emval_handles();
  await call(8);
  assert.equal(raw.count_emval_handles(), before);
});
