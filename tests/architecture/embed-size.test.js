/** What a simulator costs a page that embeds it, in the site as it was built. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMIT_BYTES, embedSizes } from '../../web/build/embed-size.mjs';
import { models } from './figures.js';

const sizes = embedSizes(Object.values(await models()));

for (const { name, variant, parts, bytes, files } of sizes) {
  test(`${name} with its module and styles weighs less than ${LIMIT_BYTES / 1000} KB after brotli`, () => {
    const list = Object.values(files).flat().join(', ');
    const said = `${bytes} bytes, ${variant}: ${JSON.stringify(parts)}, of ${list}`;
    assert.ok(bytes <= LIMIT_BYTES, said);
    // Were a file missed, the sum would be too good.
    assert.ok(parts.wasm > 20_000 && parts.glue > 3_000 && parts.scripts > 20_000, said);
  });
}
