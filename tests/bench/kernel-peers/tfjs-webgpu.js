/** TensorFlow.js on WebGPU: the result stays on the adapter while it is timed. */
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgpu';
import { attentionOf } from './tfjs-graph.js';
import { adapterName } from './webgpu-adapter.js';

export async function open() {
  const about = await adapterName();
  await tf.setBackend('webgpu');
  await tf.ready();
  const backend = tf.backend();
  return {
    about,
    ways: () => ['matMul, softmax, matMul'],
    prepare(_, shape, inputs) {
      const { compute, close } = attentionOf(tf, shape, inputs);
      return {
        async run(count) {
          const began = performance.now();
          for (let i = 0; i < count; i += 1) compute().dispose();
          backend.submitQueue();
          await backend.device.queue.onSubmittedWorkDone();
          return (performance.now() - began) / count;
        },
        async output() {
          const result = compute();
          const numbers = await result.data();
          result.dispose();
          return numbers;
        },
        close,
      };
    },
  };
}
