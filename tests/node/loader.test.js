import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { createLoader } from '../../web/runtime/loader.js';
import { attention } from './examples.js';
import { bytesOf, modulesUrl, rootPath, variants, watchedEngine } from './support.js';
import { withWrongExponential } from './wasm-bytes.js';

const baseUrl = 'http://lecture.example/assets/';
const plain = { simd: false, relaxedSimd: false };
const wasm = { 'content-type': 'application/wasm' };

/** A server that answers each variant's file as told, and remembers what it was asked for. */
function server(answers) {
  const asked = [];
  const fetch = async (url) => {
    const name = new URL(url).pathname.split('/').at(-1);
    asked.push(name);
    const answer = answers[name] ?? answers['*'];
    return answer ? answer() : new Response('not here', { status: 404 });
  };
  return { fetch, asked };
}

const serves = async (variant, headers = wasm) => {
  const bytes = await bytesOf(variant);
  return () => new Response(bytes, { headers });
};

const servesWrong = async (variant) => {
  const bytes = withWrongExponential(await bytesOf(variant));
  return () => new Response(bytes, { headers: wasm });
};

const isError =
  (code, ...words) =>
  (error) => {
    assert.ok(error instanceof AttentionDeckError, `${error}`);
    assert.equal(error.code, code, error.message);
    for (const word of words) assert.match(error.message, word);
    assert.match(error.message, /\.$/, 'a sentence');
    return true;
  };

test('load answers with the same facade to everybody', async () => {
  const [first, second] = await Promise.all([load('core'), load('core')]);
  assert.equal(first, second);
  assert.equal(await load('core', { variant: first.variant }), first);
});

test('a module or a variant that does not exist is named, with those that do', async () => {
  await assert.rejects(load('corn'), isError('bad_argument', /"corn"/, /core/));
  await assert.rejects(load('__proto__'), isError('bad_argument', /core/));
  await assert.rejects(
    load('core', { variant: 'fast' }),
    isError('bad_argument', /"fast"/, /simd/),
  );
  await assert.rejects(load('core', { onProgress: 3 }), isError('bad_argument', /onProgress/));
});

test('over HTTP, by streaming and from bytes, the module computes the same', async () => {
  for (const headers of [wasm, { 'content-type': 'application/octet-stream' }, {}]) {
    const { fetch } = server({ 'core.scalar.wasm': await serves('scalar', headers) });
    const core = await load('core', { fetch, baseUrl, features: plain });
    const { weights } = core.attention(attention());
    assert.deepEqual(weights, (await load('core')).attention(attention()).weights);
  }
});

test('progress tells the bytes and ends with ready', async () => {
  const bytes = await bytesOf('scalar');
  const news = [];
  const { fetch } = server({
    '*': () => new Response(bytes, { headers: { ...wasm, 'content-length': `${bytes.length}` } }),
  });
  await load('core', { fetch, baseUrl, features: plain, onProgress: (n) => news.push(n) });
  const fetched = news.filter(({ phase }) => phase === 'fetch');
  assert.equal(fetched.at(-1).loaded, bytes.length);
  assert.equal(fetched.at(-1).total, bytes.length);
  assert.ok(news.every(({ variant }) => variant === 'scalar'));
  assert.equal(news.at(-1).phase, 'ready');
});

test('where the transfer is compressed, no total is invented', async () => {
  const bytes = await bytesOf('scalar');
  const news = [];
  const headers = { ...wasm, 'content-length': '10', 'content-encoding': 'br' };
  const { fetch } = server({ '*': () => new Response(bytes, { headers }) });
  await load('core', { fetch, baseUrl, features: plain, onProgress: (n) => news.push(n) });
  const fetched = news.filter(({ phase }) => phase === 'fetch');
  assert.ok(fetched.length > 0);
  assert.ok(fetched.every(({ total }) => total === null));
});

test('a listener that throws does not stop the loading', async () => {
  const core = await load('core', {
    baseUrl: modulesUrl,
    onProgress() {
      throw new Error('broken bar');
    },
  });
  assert.equal(core.attention(attention()).weights.length, 6);
});

test('load_not_found: the server has no such file', async () => {
  const { fetch, asked } = server({});
  await assert.rejects(
    load('core', { fetch, baseUrl, features: { simd: true, relaxedSimd: false } }),
    isError('load_not_found', /404/, /core\.simd\.wasm/, /Copy/),
  );
  assert.deepEqual(asked, ['core.simd.wasm', 'core.scalar.wasm']);
});

test('load_not_found: in Node, a module that was not built', async () => {
  await assert.rejects(
    load('core', { baseUrl: new URL('nowhere/', modulesUrl), variant: 'scalar' }),
    isError('load_not_found', /npm run build/),
  );
});

test('load_not_found: the glue script is missing', async () => {
  await mkdir(join(rootPath, 'build'), { recursive: true });
  const copy = await mkdtemp(join(rootPath, 'build', 'runtime-'));
  try {
    await cp(join(rootPath, 'web', 'runtime'), copy, {
      recursive: true,
      filter: (from) => !from.endsWith('modules'),
    });
    const broken = await import(pathToFileURL(join(copy, 'index.js')));
    await assert.rejects(broken.load('core', { baseUrl: modulesUrl }), (error) => {
      assert.equal(error.code, 'load_not_found');
      assert.match(error.message, /script/);
      return true;
    });
  } finally {
    await rm(copy, { recursive: true });
  }
});

test('load_wrong_type: the server answers with its start page', async () => {
  const page = () =>
    new Response('\n<!doctype html><title>Home</title>', {
      headers: { 'content-type': 'text/html' },
    });
  const { fetch } = server({ '*': page });
  await assert.rejects(
    load('core', { fetch, baseUrl, features: plain }),
    isError('load_wrong_type', /a web page/, /core\.scalar\.wasm/),
  );
});

test('load_wrong_type: something else, or nothing at all', async () => {
  const text = server({
    '*': () => new Response('hello', { headers: { 'content-type': 'text/plain' } }),
  });
  await assert.rejects(
    load('core', { fetch: text.fetch, baseUrl, features: plain }),
    isError('load_wrong_type', /text\/plain/),
  );
  const empty = server({ '*': () => new Response('') });
  await assert.rejects(
    load('core', { fetch: empty.fetch, baseUrl, features: plain }),
    isError('load_wrong_type', /nothing/),
  );
});

test('load_file_protocol: a page opened by double click', async () => {
  const { fetch } = server({});
  await assert.rejects(
    load('core', { fetch, baseUrl: 'file:///home/student/lecture/', features: plain }),
    isError('load_file_protocol', /opened as a file/, /npm start/),
  );
});

test('load_failed: no answer, or an answer that is an error', async () => {
  const offline = async () => {
    throw new TypeError('fetch failed');
  };
  await assert.rejects(
    load('core', { fetch: offline, baseUrl, features: plain }),
    isError('load_failed', /did not answer/, /reload/),
  );
  const busy = server({ '*': () => new Response('', { status: 503 }) });
  await assert.rejects(
    load('core', { fetch: busy.fetch, baseUrl, features: plain }),
    isError('load_failed', /503/),
  );
});

test('load_failed: bytes that are cut off', async () => {
  const bytes = await bytesOf('scalar');
  for (const headers of [wasm, {}]) {
    const cut = server({ '*': () => new Response(bytes.subarray(0, 1000), { headers }) });
    await assert.rejects(
      load('core', { fetch: cut.fetch, baseUrl, features: plain }),
      isError('load_failed', /could not be started/),
    );
  }
});

test('no_webassembly: none, or forbidden by the page’s policy', async () => {
  await assert.rejects(
    load('core', { webAssembly: null }),
    isError('no_webassembly', /no WebAssembly/, /Allow it/),
  );
  const forbidden = {
    ...watchedEngine().webAssembly,
    compile: async () => {
      throw new WebAssembly.CompileError(
        'Compiling violates the following Content Security policy directive: "script-src \'self\'"',
      );
    },
  };
  await assert.rejects(
    load('core', { webAssembly: forbidden }),
    isError('no_webassembly', /wasm-unsafe-eval/),
  );
});

test('load_memory: the machine cannot give what the module starts with', async () => {
  let tries = 0;
  const full = {
    ...watchedEngine().webAssembly,
    instantiate: async () => {
      tries += 1;
      throw new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory');
    },
  };
  await assert.rejects(load('core', { webAssembly: full }), isError('load_memory', /Close other/));
  assert.equal(tries, 1, 'every variant needs the same memory: one try is enough');
});

test('a failure is not remembered: the next load tries again', async () => {
  const good = await serves('scalar');
  const answers = {};
  const { fetch } = server(answers);
  const loadHere = createLoader({ fetch, baseUrl, features: plain });
  await assert.rejects(loadHere('core'), isError('load_not_found'));
  answers['*'] = good;
  assert.equal((await loadHere('core')).variant, 'scalar');
});

test('one compilation serves every load and every restart', async () => {
  const watched = watchedEngine();
  const loadHere = createLoader({ webAssembly: watched.webAssembly, baseUrl: modulesUrl });
  const [a, b] = await Promise.all([
    loadHere('core', { variant: 'scalar' }),
    loadHere('core', { variant: 'scalar' }),
  ]);
  assert.equal(a, b);
  assert.equal(watched.compilations, 1);
  assert.equal(watched.instances.length, 1);
});

test('W6: the variant follows the features', async () => {
  const choose = async (features) =>
    (await load('core', { features, baseUrl: modulesUrl })).variant;
  assert.equal(await choose({ simd: false, relaxedSimd: false }), 'scalar');
  assert.equal(await choose({ simd: true, relaxedSimd: false }), 'simd');
  // An engine with relaxed but without plain SIMD does not exist; a wrong probe must not matter.
  assert.equal(await choose({ simd: false, relaxedSimd: true }), 'scalar');
  if (variants.includes('relaxed')) {
    assert.equal(await choose({ simd: true, relaxedSimd: true }), 'relaxed');
  }
});

test('W6: a build that the engine refuses gives way to the next', async () => {
  // What a probe that is wrong about relaxed SIMD would lead to.
  const watched = watchedEngine();
  const refusing = {
    ...watched.webAssembly,
    compile: async (bytes) => {
      if (watched.compilations === 0) {
        watched.compilations = 1;
        throw new WebAssembly.CompileError('invalid numeric opcode');
      }
      return WebAssembly.compile(bytes);
    },
  };
  const core = await load('core', {
    webAssembly: refusing,
    features: { simd: true, relaxedSimd: true },
    baseUrl: modulesUrl,
  });
  assert.equal(core.variant, 'simd');
});

test('W6: SIMD present but wrong: the self-test finds it and the next build takes over', async () => {
  const { fetch, asked } = server({
    'core.simd.wasm': await servesWrong('simd'),
    'core.scalar.wasm': await serves('scalar'),
  });
  const core = await load('core', { fetch, baseUrl, features: { simd: true, relaxedSimd: false } });
  assert.equal(core.variant, 'scalar');
  assert.deepEqual(asked, ['core.simd.wasm', 'core.scalar.wasm']);
});

test('load_self_test: no build computes rightly', async () => {
  const { fetch } = server({ '*': await servesWrong('scalar') });
  await assert.rejects(
    load('core', { fetch, baseUrl, features: { simd: true, relaxedSimd: false } }),
    (error) => {
      isError('load_self_test', /computes wrongly/, /another one/)(error);
      assert.equal(error.cause.errors.length, 2);
      return true;
    },
  );
});

test('an explicit variant that the engine cannot run is refused before it is fetched', async () => {
  const { fetch, asked } = server({});
  await assert.rejects(
    load('core', {
      fetch,
      baseUrl,
      variant: 'relaxed',
      features: { simd: true, relaxedSimd: false },
    }),
    isError('load_failed', /relaxed/, /auto/),
  );
  assert.deepEqual(asked, []);
});
