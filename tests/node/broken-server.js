/** A server of files on this machine that breaks in the ways in which servers and networks do. */
import { createServer } from 'node:http';

/**
 * @typedef {object} Manner  How it serves; may be changed between two requests.
 * @property {boolean} [ranges]
 * @property {number} [breaksAfter]  Bytes of each answer after which the connection is cut.
 * @property {number} [breaks]  So many answers are cut; the rest are whole.
 * @property {number} [status]  Instead of the file.
 * @property {boolean} [sized]  Whether the length is told.
 * @property {boolean} [tagged]  Whether the state of the file is told.
 * @property {boolean} [refusesRanges]  Cuts every request that names one.
 * @property {number} [pace]  Milliseconds before each 64 KiB.
 */

/** @param {Record<string, Uint8Array>} files by their paths */
export async function brokenServer(files) {
  /** @type {Manner} */
  const manner = { ranges: true, sized: true, tagged: true, breaks: Infinity };
  const asked = [];
  const server = createServer(async (request, response) => {
    const { range } = request.headers;
    asked.push(`${request.url} ${range ?? ''}`.trim());
    const bytes = files[request.url.split('?')[0]];
    if (manner.refusesRanges && range) return void request.socket.destroy();
    if (manner.status || !bytes) return void response.writeHead(manner.status ?? 404).end('no');
    const [, from] = /^bytes=(\d+)-$/.exec((manner.ranges && range) || '') ?? [];
    const begin = Number(from ?? 0);
    const headers = { 'access-control-allow-origin': '*' };
    if (manner.tagged) {
      headers['access-control-expose-headers'] = 'ETag, Content-Range';
      headers.etag = `"${bytes.length}-${bytes[0]}"`;
    }
    if (from !== undefined && begin >= bytes.length)
      return void response.writeHead(416, headers).end();
    if (manner.sized) headers['content-length'] = bytes.length - begin;
    if (from !== undefined && manner.sized)
      headers['content-range'] = `bytes ${begin}-${bytes.length - 1}/${bytes.length}`;
    response.writeHead(from === undefined ? 200 : 206, headers);
    response.flushHeaders();
    const cut = manner.breaksAfter !== undefined && manner.breaks > 0;
    if (cut) manner.breaks -= 1;
    const end = cut ? Math.min(bytes.length, begin + manner.breaksAfter) : bytes.length;
    for (let at = begin; at < end && !response.destroyed; at += 65536) {
      if (manner.pace) await new Promise((resolve) => setTimeout(resolve, manner.pace));
      const more = response.write(bytes.subarray(at, Math.min(end, at + 65536)));
      if (!more)
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    // Not before what was written has left.
    if (end < bytes.length) setTimeout(() => response.destroy(), 5);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    manner,
    asked,
    files,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
