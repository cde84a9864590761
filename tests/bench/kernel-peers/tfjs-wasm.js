/** TensorFlow.js on its WebAssembly back end: SIMD, one thread. */
import * as tf from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loop } from '../../../web/pages/bench/sampling.js';
import { attentionOf } from './tfjs-graph.js';

/** @param {Parameters<typeof setWasmPaths>[0]} paths */
export async function openWasm(paths) {
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setWasmPaths(paths);
  await tf.setBackend('wasm');
  return {
    ways: () => ['matMul, softmax, matMul'],
    prepare(_, shape, inputs) {
      const { compute, close } = attentionOf(tf, shape, inputs);
      return {
        run: loop(() => compute().dispose()),
        output() {
          const result = compute();
          const numbers = result.dataSync();
          result.dispose();
          return numbers;
        },
        close,
      };
    },
  };
}
