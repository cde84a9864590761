/** Objects that look like navigator.gpu as far as a test needs it. */

/**
 * A GPU whose device is given and then refuses every kernel. `adapter` may be replaced: what requestAdapter answers.
 * @param {{ info?: object, requestDevice?: () => unknown }} [parts]
 */
export function fakeGpu({ info = {}, requestDevice } = {}) {
  const device = {
    queue: {},
    lost: new Promise(() => {}),
    createShaderModule: () => ({}),
    createComputePipelineAsync: async () => {
      throw new Error('no kernel compiles here');
    },
    destroy() {},
  };
  const adapter = {
    info,
    features: new Set(),
    limits: { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28 },
    requestDevice: requestDevice ?? (async () => device),
  };
  return {
    adapter: undefined,
    requestAdapter() {
      return this.adapter ? this.adapter() : Promise.resolve(adapter);
    },
  };
}

const throwing = () => {
  throw new Error('thrown at once');
};

/** Each way of giving no device. */
export const refusals = {
  'no adapter': () => ({ requestAdapter: async () => null }),
  'requestAdapter rejects': () => ({ requestAdapter: () => Promise.reject(new Error('blocked')) }),
  'requestAdapter rejects with nothing': () => ({ requestAdapter: () => Promise.reject() }),
  'requestAdapter throws': () => ({ requestAdapter: throwing }),
  'no requestAdapter': () => ({}),
  'requestDevice rejects': () =>
    fakeGpu({ requestDevice: () => Promise.reject(new Error('no more devices')) }),
  'requestDevice throws': () => fakeGpu({ requestDevice: throwing }),
  'requestDevice gives nothing': () => fakeGpu({ requestDevice: async () => undefined }),
};
