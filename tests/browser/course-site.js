/**
 * A server such as courses have: the site in a folder of it, no header of ours, types that it does not know, its start
 * page for every address that it does not have. It can be stopped and come back at its old address with another build.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/**
 * @typedef {object} Course
 * @property {string} folder the built site
 * @property {string} [base] the path that it stands at
 * @property {Record<string, string>} [types] by suffix, where they differ
 * @property {Record<string, string>} [headers] sent with every file
 * @property {(file: string) => Record<string, string> | undefined} [headersOf] sent with one file
 * @property {boolean} [startPage] answers what it does not have with a page and 200
 * @property {(file: string, bytes: Buffer) => Buffer | undefined} [change] another content; undefined: not there
 * @property {Record<string, string>} [pages] of the host, by path
 */

/** @param {Course} course */
export async function courseSite(course) {
  const state = { base: '/', types: {}, headers: {}, pages: {}, ...course };
  /** @type {{method: string, path: string}[]} */
  const asked = [];
  const answer = (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    asked.push({ method: request.method, path: pathname });
    const page = state.pages[pathname];
    const name = pathname.startsWith(state.base) ? pathname.slice(state.base.length) : undefined;
    const file = name === undefined ? undefined : /(^|\/)$/.test(name) ? `${name}index.html` : name;
    const at = file === undefined ? undefined : path.join(state.folder, path.normalize(`/${file}`));
    const isThere = at && existsSync(at) && statSync(at).isFile();
    const bytes = page
      ? Buffer.from(page)
      : isThere
        ? (state.change ?? ((_, given) => given))(file, readFileSync(at))
        : undefined;
    if (!bytes) {
      const [code, type] = state.startPage ? [200, 'text/html'] : [404, 'text/plain'];
      response.writeHead(code, { 'content-type': type, ...state.headers });
      response.end(state.startPage ? '<!doctype html><title>Welcome</title>' : 'not found');
      return;
    }
    const suffix = page ? '.html' : path.extname(file);
    const type = state.types[suffix] ?? TYPES[suffix];
    response.writeHead(200, {
      ...(type && { 'content-type': type }),
      ...state.headers,
      ...state.headersOf?.(file ?? pathname),
    });
    response.end(bytes);
  };
  let server;
  const listen = (port) =>
    new Promise((resolve, reject) => {
      server = createServer(answer);
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server.address();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    base: state.base,
    asked,
    /** Serves something else from now on. @param {Partial<Course>} other */
    change: (other) => Object.assign(state, other),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
    start: () => listen(port),
  };
}
