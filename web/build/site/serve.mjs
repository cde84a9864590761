/**
 * Serves the built site on this machine alone: `node web/build/site/serve.mjs [--port 8000] [--folder dist]`.
 * Without a port, the system gives a free one. The last line that it prints is the address.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sirv from 'sirv';
import { WORKER } from './hosting.mjs';
import { POLICY, bringsItsPolicy } from './policy.mjs';
import { serveOptions } from './serve-options.mjs';

/** A state travels in the address, and one that is far too long must reach the page, which says so. */
const LONGEST_ADDRESS = 4 * 1024 * 1024;

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));

/**
 * @param {{folder?: string, port?: number}} [options]
 * @returns {Promise<{address: string, close: () => Promise<void>}>}
 */
export async function serve({ folder = DIST, port = 0 } = {}) {
  if (!existsSync(path.join(folder, 'index.html'))) {
    throw new Error(`There is no site in ${folder}. Build it first: npm run build.`);
  }
  // Files are looked up at each request, so that a new build shows after a reload.
  const exists = (name) => existsSync(path.join(folder, name));
  const setHeaders = (response, pathname) => headersOf(response, pathname, exists);
  const files = sirv(folder, { dev: true, etag: true, dotfiles: false, setHeaders });
  const server = createServer({ maxHeaderSize: LONGEST_ADDRESS }, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    // A copy that a browser kept would stand before the next build.
    if (new URL(request.url, 'http://localhost').pathname === `/${WORKER}`) notFound(response);
    else files(request, response, () => notFound(response));
  });
  await new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explained(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function headersOf(response, pathname, exists) {
  if (!bringsItsPolicy(pathname.slice(1), exists))
    response.setHeader('content-security-policy', POLICY);
  response.setHeader('x-content-type-options', 'nosniff');
  // Pages of other ports of this machine may take elements from here, as they may from a course site.
  response.setHeader('access-control-allow-origin', '*');
  // Names in assets/ carry a hash of what is in them: what is stored can never be stale.
  const forever = pathname.startsWith('/assets/');
  response.setHeader('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
}

function notFound(response) {
  response.writeHead(404, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
  });
  response.end('There is no such page here. The lecture begins at /.\n');
}

function explained(error, port) {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} is taken. Choose another, or leave --port out and get a free one.`,
    );
  }
  if (error.code === 'EACCES')
    return new Error(`Port ${port} needs more rights. Choose one above 1023.`);
  return error;
}

async function main() {
  const { folder = DIST, port } = serveOptions();
  const { address, close } = await serve({ folder: path.resolve(folder), port });
  console.log(`The lecture is at ${address}`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      await close();
      process.exit(0);
    });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
