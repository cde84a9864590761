/** What may follow `npm start --`. A file of its own, so that a slip is told before anything is installed or built. */
import { parseArgs } from 'node:util';

/**
 * @param {string[]} given
 * @returns {{port: number, folder: string | undefined}} port 0: the system chooses
 * @throws {Error} a sentence
 */
export function serveOptions(given = process.argv.slice(2)) {
  const { values } = parseArgs({
    args: given,
    options: { port: { type: 'string', default: '0' }, folder: { type: 'string' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`--port must be a whole number from 0 to 65535; it is “${values.port}”.`);
  }
  return { port, folder: values.folder };
}
