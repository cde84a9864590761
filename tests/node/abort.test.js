import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { attention } from './examples.js';
import { modulesUrl, watchedEngine } from './support.js';

const start = async (watched, name = 'core') =>
  load(name, { webAssembly: watched.webAssembly, baseUrl: modulesUrl, variant: 'scalar' });

test('after an abort the same facade answers the same, from a fresh instance', async () => {
  const watched = watchedEngine();
  const core = await start(watched);
  const before = core.attention(attention());

  watched.armed = true;
  assert.throws(
    () => core.attention(attention()),
    (error) => {
      assert.equal(error.code, 'aborted');
      assert.match(error.message, /what you entered is kept/);
      assert.ok(error.cause instanceof WebAssembly.RuntimeError);
      return true;
    },
  );
  // The instance is not trusted again, not even for a call that might have worked.
  assert.throws(() => core.attention(attention()), { code: 'aborted' });

  await once(core, 'restart');
  assert.equal(watched.instances.length, 2);
  assert.equal(watched.compilations, 1, 'a restart compiles nothing');
  assert.deepEqual(core.attention(attention()), before);
});

test('whenReady waits for the fresh instance', async () => {
  const watched = watchedEngine();
  const core = await start(watched);
  await core.whenReady();
  watched.armed = true;
  assert.throws(() => core.attention(attention()), { code: 'aborted' });
  await core.whenReady();
  assert.equal(core.attention(attention()).output.length, 4);
});

test('load gives the surviving facade while and after it restarts', async () => {
  const watched = watchedEngine();
  const { createLoader } = await import('../../web/runtime/loader.js');
  const loadHere = createLoader({ webAssembly: watched.webAssembly, baseUrl: modulesUrl });
  const core = await loadHere('core', { variant: 'scalar' });
  watched.armed = true;
  assert.throws(() => core.attention(attention()), { code: 'aborted' });
  const again = await loadHere('core', { variant: 'scalar' });
  assert.equal(again, core);
  await again.whenReady();
  assert.equal(again.attention(attention()).output.length, 4);
});

test('a restart that fails is tried again by the next call', async () => {
  const watched = watchedEngine();
  const core = await start(watched);
  const { instantiate } = watched.webAssembly;
  let refusals = 0;
  watched.webAssembly.instantiate = async () => {
    refusals += 1;
    throw new RangeError('Out of memory');
  };
  watched.armed = true;
  assert.throws(() => core.attention(attention()), { code: 'aborted' });
  await assert.rejects(core.whenReady(), { name: 'AttentionDeckError', code: 'load_memory' });
  assert.equal(refusals, 1);

  watched.webAssembly.instantiate = instantiate;
  assert.throws(() => core.attention(attention()), { code: 'aborted' });
  await once(core, 'restart');
  assert.equal(core.attention(attention()).output.length, 4);
});

test('the results of before an abort stay valid', async () => {
  const watched = watchedEngine();
  const core = await start(watched);
  const kept = core.attention(attention());
  const copy = structuredClone(kept);
  watched.armed = true;
  assert.throws(() => core.attention(attention()), { code: 'aborted' });
  await once(core, 'restart');
  core.attention({ ...attention(), Q: Float64Array.of(9, 9, 9, 9) });
  assert.deepEqual(kept, copy);
});

/** What is said of a handle whose module started anew. */
const lost = (field) => (error) => {
  assert.equal(error.code, 'bad_argument');
  assert.equal(error.field, field);
  assert.match(error.message, /was lost when the module started anew\. Open another one\.$/);
  return true;
};

test('a run that was under way when the module stopped is lost, said to be, and closes quietly', async () => {
  const watched = watchedEngine();
  const module = await start(watched, 'decode');
  const run = module.decodeRun({ n: 4 });
  run.stepWith();

  watched.armed = true;
  assert.throws(() => module.tokenPasses({}), { code: 'aborted' });
  await once(module, 'restart');

  const again = module.decodeRun({ n: 4 });
  again.stepWith();
  for (const call of [() => run.stepWith(), () => run.stepWithout(), () => run.state()])
    assert.throws(call, lost('run'));
  run.close();
  assert.equal(again.state().passes_with, 1);
  again.close();
});

test('what was open when the module stopped is lost, said to be, and closes quietly', async () => {
  const watched = watchedEngine();
  const module = await start(watched, 'cache');
  const rows = { K: new Float32Array(4), V: new Float32Array(4) };
  const shape = { d_k: 4, layout: 'paged' };
  const cache = module.open(shape);
  const sequence = cache.sequence();
  sequence.append(rows);

  watched.armed = true;
  assert.throws(() => module.storedRows({ rows: rows.K, width: 4, format: 'f16' }), {
    code: 'aborted',
  });
  assert.throws(() => cache.stats(), { code: 'aborted' }, 'nothing answers while it starts anew');
  await once(module, 'restart');

  // The fresh module numbers from the start: what is opened now has the numbers of what was lost.
  const another = module.open(shape);
  const other = another.sequence();
  other.append(rows);
  for (const call of [
    () => cache.stats(),
    () => cache.sequence(),
    () => cache.attend([sequence], { q: [1, 0, 0, 0] }),
    () => sequence.append(rows),
    () => sequence.read(),
    () => sequence.fork(),
    () => sequence.rollBack(0),
    () => sequence.evict(0),
    () => sequence.stats(),
  ])
    assert.throws(call, lost('cache'));
  sequence.close();
  cache.close();
  assert.equal(another.stats().tokens, 1, 'the other cache is as it was');
  assert.equal(other.stats().length, 1);
  another.close();
});
