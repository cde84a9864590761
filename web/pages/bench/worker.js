/** The measuring, in a thread of its own: the page stays awake, and stopping is ending the thread. */
import { load } from '../../runtime/index.js';
import { measureAll } from './measure.js';
import { SHAPES, flops } from './shapes.js';

/** A shortened run leaves out what takes long. */
const QUICK_FLOPS = 1e7;

addEventListener('message', async ({ data: { quick } }) => {
  try {
    const kernels = await load('kernels');
    const shapes = SHAPES.filter((shape) => !quick || flops(shape) < QUICK_FLOPS);
    postMessage({ kind: 'shapes', count: shapes.length });
    for await (const news of measureAll(kernels, shapes)) postMessage(news);
    postMessage({ kind: 'done' });
  } catch (error) {
    postMessage({ kind: 'failed', message: error.message });
  }
});
