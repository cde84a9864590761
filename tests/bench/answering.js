/** The other end of an engine's conversation, in a worker of Node and of a browser alike. */
const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const port = isNode ? (await import('node:worker_threads')).parentPort : globalThis;

/**
 * Answers each command with the id that it came with.
 * @param {Record<string, (parameters: any) => unknown>} commands
 */
export function answerWith(commands) {
  const answer = async ({ id, command, ...rest }) => {
    try {
      port.postMessage({ id, value: (await commands[command](rest)) ?? null });
    } catch (error) {
      port.postMessage({ id, error: String(error?.stack ?? error) });
    }
  };
  if (isNode) port.on('message', answer);
  else port.addEventListener('message', ({ data }) => answer(data));
}
