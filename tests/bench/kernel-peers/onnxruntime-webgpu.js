/** onnxruntime-web on WebGPU: what goes in and what comes out stays on the adapter while it is timed. */
import * as ort from 'onnxruntime-web/webgpu';
import { graphOf, waysFor } from './onnx-graphs.js';
import { adapterName } from './webgpu-adapter.js';

function uploaded(device, data, dimensions) {
  const buffer = device.createBuffer({
    // Its kernels read four numbers at a time.
    size: 16 * Math.ceil(data.byteLength / 16),
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
  });
  device.queue.writeBuffer(buffer, 0, data);
  const tensor = ort.Tensor.fromGpuBuffer(buffer, { dataType: 'float32', dims: dimensions });
  return { tensor, buffer };
}

export async function open() {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal';
  return {
    about: await adapterName(),
    ways: waysFor,
    async prepare(way, shape, numbers) {
      const { model, inputs, read } = graphOf(way, shape, numbers);
      const session = await ort.InferenceSession.create(model, {
        executionProviders: ['webgpu'],
        graphOptimizationLevel: 'all',
        preferredOutputLocation: 'gpu-buffer',
        // What it cannot do on the adapter it would silently do on the processor.
        extra: { session: { disable_cpu_ep_fallback: '1' } },
      });
      const device = await ort.env.webgpu.device;
      const uploads = Object.entries(inputs).map(([name, { data, dimensions }]) => ({
        name,
        ...uploaded(device, data, dimensions),
      }));
      const feeds = Object.fromEntries(uploads.map(({ name, tensor }) => [name, tensor]));
      return {
        async run(count) {
          const began = performance.now();
          for (let i = 0; i < count; i += 1) (await session.run(feeds)).output.dispose();
          await device.queue.onSubmittedWorkDone();
          return (performance.now() - began) / count;
        },
        async output() {
          const { output } = await session.run(feeds);
          return read(await output.getData(true));
        },
        async close() {
          await session.release();
          for (const { buffer } of uploads) buffer.destroy();
        },
      };
    },
  };
}
