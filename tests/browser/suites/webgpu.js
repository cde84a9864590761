/**
 * The WebGPU kernels in Chromium, on the adapter that computes on the processor: in a browser of its own, which has to
 * be told. The runtime is served as it stands in the repository, under the strict content policy.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../architecture/files.js';
import { launchChromium, openPage } from '../chromium.js';
import { serve } from '../server.js';

const FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
const FEATURE_DETECT = 'wasm-feature-detect';

/** The files as they are, but for the one name that a bundler would have resolved. */
function pages() {
  const name = 'web/runtime/loader.js';
  const source = readFileSync(path.join(ROOT, name), 'utf8');
  const body = source.replace(
    `'${FEATURE_DETECT}'`,
    `'/node_modules/${FEATURE_DETECT}/dist/esm/index.js'`,
  );
  return {
    [`/${name}`]: { type: 'text/javascript; charset=utf-8', body },
    '/favicon.ico': { type: 'image/x-icon', body: '' },
    '/webgpu.html': {
      type: 'text/html; charset=utf-8',
      body: '<!doctype html><title>WebGPU</title>',
    },
  };
}

/**
 * Runs in the page: attention of each shape in all three forms, as often as told, and one batch of products. The plain
 * form is the fused kernel where an adapter has no subgroups.
 */
async function inPage({ shapes, repeat }) {
  const { load } = await import('/web/runtime/index.js');
  const kernels = await load('kernels');
  const withoutSubgroups = {
    async requestAdapter(...options) {
      const adapter = await navigator.gpu.requestAdapter(...options);
      return {
        info: adapter.info,
        limits: adapter.limits,
        features: { has: (name) => name !== 'subgroups' && adapter.features.has(name) },
        requestDevice: (descriptor) => adapter.requestDevice(descriptor),
      };
    },
  };
  let gpu;
  try {
    gpu = await kernels.webgpu();
  } catch ({ code, message }) {
    return { refused: { code, message } };
  }
  const plain = await kernels.webgpu({ gpu: withoutSubgroups });
  const forms = { subgroups: [gpu, 'fused'], plain: [plain, 'fused'], three: [gpu, 'three'] };
  let state = 7;
  const numbers = (length) =>
    Float32Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
  const results = [];
  for (const { compare = true, ...shape } of shapes) {
    const { n_heads, n_kv_heads = n_heads, n_q, n_k, d_k, d_v } = shape;
    const options = {
      ...shape,
      compare,
      Q: numbers(n_heads * n_q * d_k),
      K: numbers(n_kv_heads * n_k * d_k),
      V: numbers(n_kv_heads * n_k * d_v),
    };
    const times = {};
    for (let i = 0; i < repeat; i += 1) {
      for (const [form, [opened, passes]] of Object.entries(forms)) {
        const result = await opened.attention({ ...options, passes });
        times[form] = Math.min(times[form] ?? Infinity, result.compute_ms);
        results.push({ ...result, output: result.output.length, form, times });
      }
    }
  }
  const product = await gpu.matmul({
    n_batches: 3,
    n_rows: 33,
    n_inner: 20,
    n_columns: 18,
    A: numbers(3 * 33 * 20),
    B: numbers(3 * 20 * 18),
    compare: true,
  });
  await plain.close();
  await gpu.close();
  return { adapter: gpu.adapter, results, product: product.largest_difference };
}

export async function webGpuSuite(runner, { browser }) {
  const server = await serve(ROOT, { extra: pages() });
  const withSoftware = await launchChromium(FLAGS);
  const run = async (where, options) => {
    const { page, troubles, close } = await openPage(where, server.origin);
    try {
      await page.goto(`${server.origin}/webgpu.html`);
      const found = await page.evaluate(inPage, options);
      assert.deepEqual(troubles, []);
      return found;
    } finally {
      await close();
    }
  };

  runner.check(
    'webgpu: both ways of attention agree with the processor, and the adapter is named',
    async () => {
      const { adapter, results, product, refused } = await run(withSoftware, {
        repeat: 1,
        shapes: [
          { n_heads: 2, n_q: 5, n_k: 5, d_k: 7, d_v: 3 },
          { n_heads: 4, n_kv_heads: 2, n_q: 70, n_k: 90, d_k: 64, d_v: 64, mask: { causal: true } },
          { n_heads: 1, n_q: 40, n_k: 40, d_k: 16, d_v: 16, mask: { window: 7 } },
        ],
      });
      assert.equal(refused, undefined);
      console.log(`# webgpu: ${adapter.kind}, ${adapter.architecture || adapter.device}`);
      assert.equal(adapter.kind, 'software adapter');
      assert.equal(adapter.has_subgroups, true);
      for (const { backend, largest_difference } of results) {
        assert.equal(backend, 'webgpu');
        assert.ok(largest_difference < 2e-6, `${largest_difference}`);
      }
      assert.ok(product < 1e-5, `${product}`);
    },
  );

  runner.check(
    'webgpu: fused is faster than three passes at 8 heads, n = 512, head_dim 64',
    async () => {
      const shape = { n_heads: 8, n_q: 512, n_k: 512, d_k: 64, d_v: 64, compare: false };
      const { results } = await run(withSoftware, { repeat: 3, shapes: [shape] });
      const { subgroups, plain, three } = results.at(-1).times;
      const told = Object.entries({ subgroups, plain }).map(
        ([form, time]) => `${form} ${(time / three).toFixed(2)}`,
      );
      console.log(`# webgpu: three passes = 1, fused ${told.join(', ')}`);
      assert.ok(subgroups < three, `${subgroups} ms against ${three} ms`);
    },
  );

  runner.check('webgpu: a browser without an adapter says what to do', async () => {
    const { refused } = await run(browser, { repeat: 0, shapes: [] });
    assert.equal(refused.code, 'webgpu_unavailable');
    assert.ok(refused.message.length > 40, refused.message);
  });

  return async () => {
    await withSoftware.close();
    await server.close();
  };
}
