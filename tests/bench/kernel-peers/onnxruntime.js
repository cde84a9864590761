/** onnxruntime-web, whichever of its builds: sessions of one thread, of which the inputs are made beforehand. */
import { loopAsync } from '../../../web/pages/bench/sampling.js';
import { graphOf, waysFor } from './onnx-graphs.js';

/** @param {typeof import('onnxruntime-web')} ort */
export function openOnnx(ort) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal';
  return {
    ways: waysFor,
    async prepare(way, shape, numbers) {
      const { model, inputs, read } = graphOf(way, shape, numbers);
      const session = await ort.InferenceSession.create(model, { graphOptimizationLevel: 'all' });
      const feeds = Object.fromEntries(
        Object.entries(inputs).map(([name, { data, dimensions }]) => [
          name,
          new ort.Tensor('float32', data, dimensions),
        ]),
      );
      return {
        run: loopAsync(() => session.run(feeds)),
        output: async () => read((await session.run(feeds)).output.data),
        close: () => session.release(),
      };
    },
  };
}
