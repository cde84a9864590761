/**
 * Other people's pages, as their tools published them (tests/browser/hosts), served from an origin of their own: the scripts
 * and frames in them come from the site's.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SITE } from '../../web/pages/embed/recipes.js';
import { TYPES } from './server.js';

const HERE = fileURLToPath(new URL('./hosts/', import.meta.url));
const REVEAL = fileURLToPath(new URL('../../node_modules/reveal.js/', import.meta.url));

/** Stands for the address that a course is published at: MkDocs writes it into its list of pages. */
const COURSE = 'https://course.example';

/** Where a page's file is; what a tool made is in a folder of its own. */
function fileOf(pathname) {
  const [, host, ...rest] = pathname.split('/');
  const inside = rest.join('/');
  if (inside.includes('..')) return undefined;
  if (host === 'reveal' && /^(dist|plugin)\//.test(inside)) {
    // Version 6 keeps its plugins elsewhere than the versions that pandoc knows.
    return REVEAL + inside.replace(/^plugin\/(\w+)\/\1\.js$/, 'dist/plugin/$1.js');
  }
  return ['output/', '', 'lab/']
    .map((folder) => `${HERE}${host}/${folder}${inside}`)
    .find(existsSync);
}

/**
 * @param {string} site the address that the pages use
 * @param {{head?: string}} [options] `head` is put into each page's head first
 */
export async function serveHosts(site, { head = '' } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = fileOf(pathname);
    const [, host] = pathname.split('/');
    if (!file || !existsSync(file)) {
      response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
      return;
    }
    const suffix = path.extname(file);
    response.writeHead(200, { 'content-type': TYPES[suffix] ?? 'application/octet-stream' });
    if (!['.html', '.ipynb', '.js', '.xml'].includes(suffix)) {
      response.end(readFileSync(file));
      return;
    }
    const text = readFileSync(file, 'utf8')
      .replaceAll(SITE, site)
      .replaceAll(COURSE, `http://${request.headers.host}/${host}`);
    response.end(suffix === '.html' ? text.replace(/<head[^>]*>/i, `$&${head}`) : text);
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
