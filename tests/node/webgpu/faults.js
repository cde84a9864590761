/** GPUs like another one, whose objects are changed as they are made. */

/**
 * @param {any} gpu  What stands behind it.
 * @param {{ limits?: object, info?: object, without?: string[], device?: (device: any) => void }} faults
 */
export function changedGpu(gpu, faults) {
  return {
    async requestAdapter(...options) {
      const adapter = await gpu.requestAdapter(...options);
      return {
        info: faults.info ?? adapter.info,
        limits: faults.limits ?? adapter.limits,
        features: { has: (name) => !faults.without?.includes(name) && adapter.features.has(name) },
        async requestDevice(descriptor) {
          const device = await adapter.requestDevice(descriptor);
          faults.device?.(device);
          return device;
        },
      };
    },
  };
}

/** Replaces a method once, or for good. */
export function replace(object, name, make, { once = true } = {}) {
  const original = object[name].bind(object);
  object[name] = (...values) => {
    if (once) object[name] = original;
    return make(original, ...values);
  };
}

/** Lost as soon as work is handed over. */
export const losing = (device) =>
  replace(device.queue, 'submit', (original, commands) => {
    original(commands);
    device.destroy();
  });
