/** The adapter that a page gets, in words: a software one must not be taken for a GPU. */
export async function adapterName() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error('there is no WebGPU adapter');
  const { vendor, architecture, device, description } = adapter.info;
  return `adapter ${[vendor, architecture, device, description].filter(Boolean).join(' ')}`;
}
