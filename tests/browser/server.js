/**
 * The built site as any file server would give it, with the strict content policy in the header as well.
 * The suites run against this server and not the product's own, so that a header which only the product's
 * server sends cannot hold the pages up.
 */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { bringsItsPolicy } from '../../web/build/site/policy.mjs';

export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

export const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

// WebKit's driver reports neither the console nor violations of the policy, so the page notes them itself.
export const WATCH = `globalThis.troubles = [];
for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(kind, (event) => {
    if (kind === 'error' && event instanceof CustomEvent) return;
    globalThis.troubles.push(kind + ': ' + (event.message ?? event.reason ?? event.effectiveDirective ?? event.target?.src ?? event.target?.href));
  }, true);
}
const tell = console.error;
console.error = (...values) => { globalThis.troubles.push('console: ' + values.join(' ')); tell(...values); };
`;

/**
 * @param {string} folder what to serve
 * @param {{policy?: boolean, cors?: boolean, watch?: boolean, extra?: Record<string, {type: string, body: string}>}} [options]
 *   `cors` lets pages of other origins take the files, as GitHub Pages does; `watch` makes each page keep its troubles in a list; `extra` pages stand beside the folder's own:
 *   fixtures that the tests need on the same origin
 */
export async function serve(
  folder,
  { policy = true, cors = false, watch = false, extra = {} } = {},
) {
  const root = path.resolve(folder);
  const more = { ...extra, '/watch.js': { type: TYPES['.js'], body: WATCH } };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    // A server that sends a policy has to leave out the pages that bring one of their own.
    const own = bringsItsPolicy(pathname.slice(1), (name) => existsSync(path.join(root, name)));
    const sends = policy && !own;
    const headers = sends ? { 'content-security-policy': POLICY } : {};
    headers['cache-control'] = 'no-store';
    if (cors) headers['access-control-allow-origin'] = '*';
    const fixture = more[pathname];
    if (fixture) {
      response.writeHead(200, { ...headers, 'content-type': fixture.type });
      response.end(fixture.body);
      return;
    }
    let file = path.join(root, decodeURIComponent(pathname));
    if (file !== root && !file.startsWith(root + path.sep)) file = path.join(root, 'outside');
    let found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      file = path.join(file, 'index.html');
      found = statSync(file, { throwIfNoEntry: false });
    }
    if (!found) {
      response.writeHead(404, { ...headers, 'content-type': 'text/plain' });
      response.end('not found');
      return;
    }
    if (watch && file.endsWith('.html') && !own) {
      response.writeHead(200, { ...headers, 'content-type': TYPES['.html'] });
      const html = readFileSync(file, 'utf8');
      response.end(html.replace(/<head[^>]*>/i, '$&<script src="/watch.js"></script>'));
      return;
    }
    response.writeHead(200, {
      ...headers,
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'content-length': found.size,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
