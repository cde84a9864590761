/**
 * WebGPU without a GPU: what happens where there is none, or where the browser refuses, on objects that only look like
 * one; then, in processes of their own, the kernels and the prompts of models on Dawn (webgpu/on-dawn.js,
 * webgpu/prefill-on-dawn.js).
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { createKernels } from '../../web/runtime/kernels.js';
import { load } from '../../web/runtime/index.js';
import { modulesUrl, rawModule, rootPath, watchedEngine } from './support.js';
import { fakeGpu, refusals } from './webgpu/fake-gpu.js';

const kernels = await load('kernels', { variant: 'scalar' });
const one = { Q: [1], K: [1], V: [2], n_q: 1, n_k: 1, d_k: 1, d_v: 1 };

test('G6: without WebGPU the message says what to do', async () => {
  await assert.rejects(kernels.webgpu(), (error) => {
    assert.equal(error.name, 'AttentionDeckError');
    assert.equal(error.code, 'webgpu_unavailable');
    assert.match(error.message, /https:\/\//);
    return true;
  });
});

for (const [what, gpu] of Object.entries(refusals)) {
  test(`${what}: refused with words, and the module goes on`, async () => {
    await assert.rejects(kernels.webgpu({ gpu: gpu() }), {
      name: 'AttentionDeckError',
      code: 'webgpu_unavailable',
      field: 'gpu',
    });
    assert.equal(kernels.attention(one).output[0], 2);
  });
}

test('a device that compiles nothing is opened, and each call is refused with the name of the kernel', async () => {
  const gpu = await kernels.webgpu({ gpu: fakeGpu() });
  for (const passes of ['fused', 'three']) {
    await assert.rejects(gpu.attention({ ...one, passes }), {
      code: 'webgpu_failed',
      message: /kernel (fused_attention|attention_scores)/,
    });
  }
  await assert.rejects(gpu.matmul({ A: [1], B: [1], n_rows: 1, n_inner: 1, n_columns: 1 }), {
    code: 'webgpu_failed',
  });
  await gpu.close();
  await assert.rejects(gpu.attention(one), { code: 'bad_argument' });
});

test('G6: an adapter is called what it is', async () => {
  const kindOf = async (info) => {
    const gpu = await kernels.webgpu({ gpu: fakeGpu({ info }) });
    const { kind, is_software } = gpu.adapter;
    await gpu.close();
    assert.equal(is_software, kind === 'software adapter');
    return kind;
  };
  assert.equal(await kindOf({ vendor: 'nvidia', architecture: 'hopper' }), 'GPU');
  assert.equal(await kindOf({ vendor: 'amd', isFallbackAdapter: true }), 'software adapter');
  assert.equal(await kindOf({ architecture: 'swiftshader' }), 'software adapter');
  assert.equal(await kindOf({ description: 'llvmpipe (LLVM 19)' }), 'software adapter');
  assert.equal(await kindOf({ description: 'Microsoft Basic Render Driver' }), 'software adapter');
  assert.equal(await kindOf(undefined), 'GPU');
});

test('options are refused as those of the other kernels are', async () => {
  const gpu = await kernels.webgpu({ gpu: fakeGpu() });
  const refused = (options, code, field) =>
    assert.rejects(gpu.attention({ ...one, ...options }), { code, field });
  await refused({ n_q: 2 }, 'shape_mismatch', 'Q');
  await refused({ passes: 'two' }, 'bad_argument', 'passes');
  await refused({ n_heads: 0 }, 'out_of_range', 'n_heads');
  await refused({ n_heads: 3, n_kv_heads: 2 }, 'shape_mismatch', 'n_kv_heads');
  await refused({ n_heads: 1024, n_q: 2 ** 20, d_k: 65536 }, 'too_large', 'Q');
  await refused({ mask: { key_valid: [1, 1] } }, 'shape_mismatch', 'mask.key_valid');
  await refused({ scale: NaN }, 'not_finite', 'scale');
  await refused({ colour: 1 }, 'bad_argument', 'colour');
  await assert.rejects(kernels.webgpu(7), { code: 'bad_argument' });
  await assert.rejects(kernels.webgpu({ gpu: 7 }), { code: 'bad_argument', field: 'gpu' });
  await assert.rejects(kernels.webgpu({ GPU: {} }), { code: 'bad_argument', field: 'GPU' });
  await gpu.close();
});

test('a call that waits is told when the module stops, and the same object opens anew', async () => {
  const watched = watchedEngine();
  const mine = await load('kernels', {
    webAssembly: watched.webAssembly,
    baseUrl: modulesUrl,
    variant: 'scalar',
  });
  let answer = () => {};
  const slow = fakeGpu();
  const gpu = await mine.webgpu({ gpu: slow });
  slow.adapter = () => new Promise((resolve) => (answer = resolve));
  const waiting = mine.webgpu({ gpu: slow });
  watched.armed = true;
  assert.throws(() => mine.backends(), { code: 'aborted' });
  await assert.rejects(waiting, { code: 'aborted' });
  // The dead instance hears nothing that anybody believes.
  answer(null);
  await mine.whenReady();
  slow.adapter = undefined;
  await assert.rejects(gpu.attention(one), { code: 'webgpu_failed' });
  await gpu.close();
});

test('a trap while C++ goes on after a promise reaches the caller', async () => {
  const watched = watchedEngine();
  const mine = await load('kernels', {
    webAssembly: watched.webAssembly,
    baseUrl: modulesUrl,
    variant: 'scalar',
  });
  const gpu = fakeGpu();
  gpu.adapter = async () => {
    watched.armed = true;
    return null;
  };
  await assert.rejects(mine.webgpu({ gpu }), { code: 'aborted' });
  await mine.whenReady();
  assert.equal(mine.attention(one).output[0], 2);
});

test('W2: 2,000 refusals leave nothing behind', async () => {
  const raw = await rawModule('scalar', { name: 'kernels' });
  const mine = createKernels({ raw, variant: 'scalar' }, () => assert.fail('it stopped'));
  const gpus = [...Object.values(refusals).map((make) => make()), fakeGpu()];
  const refuseAll = async (times) => {
    for (let i = 0; i < times; i += 1) {
      const gpu = gpus[i % gpus.length];
      const opened = await mine.webgpu({ gpu }).catch(() => undefined);
      await opened?.attention(one).catch(() => undefined);
      await opened?.close();
    }
  };
  await refuseAll(100);
  const before = raw.count_emval_handles();
  await refuseAll(2000);
  assert.equal(raw.count_emval_handles(), before);
});

/** Chromium brings a driver that computes on the processor; Dawn finds it by these two. */
function driverEnvironment() {
  const folder = [
    process.env.ATTN_VULKAN_FOLDER,
    '/usr/lib/chromium',
    '/usr/lib/chromium-browser',
  ].find((place) => place && existsSync(join(place, 'vk_swiftshader_icd.json')));
  if (!folder) return undefined;
  return { LD_LIBRARY_PATH: folder, VK_DRIVER_FILES: join(folder, 'vk_swiftshader_icd.json') };
}

for (const [what, file] of [
  ['the kernels on Dawn', 'on-dawn.js'],
  ['the prompts of models on Dawn', 'prefill-on-dawn.js'],
]) {
  test(what, { timeout: 600_000 }, (t) => {
    const driver = driverEnvironment();
    const { status, stdout, stderr, signal } = spawnSync(
      process.execPath,
      ['--test-reporter=tap', join(rootPath, 'tests/node/webgpu', file)],
      {
        // A process that a test starts would otherwise report to that test's runner, and not here.
        env: { ...process.env, ...driver, NODE_TEST_CONTEXT: undefined },
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    );
    for (const [line] of stdout.matchAll(/^# (adapter|tests|pass|fail|measured).*$/gm)) {
      t.diagnostic(line.slice(2));
    }
    const hint = driver ? '' : 'If it found no adapter: on Debian, apt-get install chromium.';
    assert.equal(status, 0, `${signal ?? ''} ${hint}\n${stdout}\n${stderr}`);
  });
}
