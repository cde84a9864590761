import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  LIMIT_BYTES,
  built,
  committedWeights,
  complaint,
  functionSizes,
  grown,
  weigh,
} from '../../web/build/sizes.mjs';
import { ROOT } from './files.js';

for (const { name, variant, title } of built) {
  const limit = LIMIT_BYTES[name];
  test(`${title} and its glue weigh less than ${limit / 1000} KB after brotli`, () => {
    const before = committedWeights()[title];
    assert.ok(before, `tests/architecture/sizes.json has no row for ${title}`);
    const weight = weigh(name, variant);
    assert.ok(weight.brotli <= limit, complaint(title, weight, before, limit));
  });

  test(`the functions of ${title} are all counted`, () => {
    const bytes = readFileSync(`${ROOT}/build/wasm-${variant}/modules/${name}.${variant}.wasm`);
    const sizes = functionSizes(bytes);
    const code = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.size > 50, `${sizes.size} functions`);
    assert.ok(code > bytes.length / 2 && code < bytes.length, `${code} of ${bytes.length} bytes`);
    assert.equal(WebAssembly.validate(bytes) || variant === 'relaxed', true);
  });
}

test('a module that is too heavy is told with the function that grew', () => {
  const before = { brotli: 100, functions: { small: 10, same: 5, gone: 7 } };
  const weight = { brotli: 200, bytes: 900, functions: { small: 400, same: 5, fresh: 30 } };
  assert.deepEqual(grown(before.functions, weight.functions), [
    { name: 'small', before: 10, now: 400 },
    { name: 'fresh', before: 0, now: 30 },
  ]);
  const text = complaint('core.simd', weight, before, 150);
  assert.match(text, /core\.simd: 200 bytes .* was 100, .* limit is 150/);
  assert.match(text, /10 → 400 bytes {2}small\n {2}0 → 30 bytes {2}fresh/);
  assert.doesNotMatch(text, /same|gone/);
});
