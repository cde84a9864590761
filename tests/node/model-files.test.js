/** What brings a model's bytes, against files and a server that breaks in each of the ways it must outlive. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { fillLoader } from '../../web/runtime/model-files/fill.js';
import { forgetModel, keptModel, keptModels } from '../../web/runtime/model-files/kept.js';
import { addressOf, partsOfAddress, partsOfFiles } from '../../web/runtime/model-files/parts.js';
import { RangeReader } from '../../web/runtime/model-files/range-reader.js';
import { addressSource, fileSource } from '../../web/runtime/model-files/sources.js';
import { brokenServer } from './broken-server.js';

const made = (length, seed) =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7 + seed) & 255);
const MODEL = made(3_000_000, 1);
const OTHER = made(2_000_000, 2);
const text = (value) => new TextEncoder().encode(JSON.stringify(value));

/** A loader that wants places that rise, and remembers what it was given. */
class Wanting {
  #places;
  #given = 0;
  got = [];

  constructor(places) {
    this.#places = [...places];
  }

  wanted() {
    if (this.#places.length === 0) return undefined;
    const { file = 0, begin, bytes } = this.#places[0];
    return { file, begin: begin + this.#given, bytes: bytes - this.#given };
  }

  give(bytes) {
    const { file, begin } = this.wanted();
    this.got.push({ file, begin, bytes });
    this.#given += bytes.length;
    if (this.#given !== this.#places[0].bytes) return;
    this.#places.shift();
    this.#given = 0;
  }

  /** Whether all that was given is what stands there. */
  isRight(...files) {
    return this.got.every(({ file, begin, bytes }) =>
      bytes.every((byte, i) => byte === files[file][begin + i]),
    );
  }
}

/** Header, a gap that is read past, a gap that is not, the end. */
const PLACES = [
  { begin: 0, bytes: 1000 },
  { begin: 1000, bytes: 9000 },
  { begin: 20_000, bytes: 700_000 },
  { begin: 2_400_000, bytes: 600_000 },
];
const patience = { wait: async () => {} };
let server;
let address;

before(async () => {
  server = await brokenServer({});
  address = `${server.origin}/model.gguf`;
});
after(() => server.close());
beforeEach(() => {
  for (const path of Object.keys(server.files)) delete server.files[path];
  Object.assign(server.files, { '/model.gguf': MODEL, '/other.gguf': OTHER });
  for (const key of Object.keys(server.manner)) delete server.manner[key];
  Object.assign(server.manner, { ranges: true, sized: true, tagged: true, breaks: Infinity });
  server.asked.length = 0;
});

const remote = async (options = patience) => new RangeReader(await addressSource(address), options);

test('a file is read in slices, and only what is wanted', async () => {
  const loader = new Wanting(PLACES);
  const heard = [];
  await fillLoader(loader, [new RangeReader(fileSource(new File([MODEL], 'model.gguf')))], {
    onProgress: (progress) => heard.push(progress),
  });
  assert.ok(loader.isRight(MODEL));
  const sum = loader.got.reduce((total, { bytes }) => total + bytes.length, 0);
  assert.equal(sum, 1_310_000);
  assert.ok(heard.length > 5 && heard.every(({ total }) => total === MODEL.length));
  assert.ok(heard.every(({ loaded }, i) => i === 0 || loaded >= heard[i - 1].loaded));
  assert.equal(heard.at(-1).loaded, MODEL.length);
});

test('a server with ranges is asked anew behind a large gap, and once for all that follows', async () => {
  const loader = new Wanting(PLACES);
  await fillLoader(loader, [await remote()]);
  assert.ok(loader.isRight(MODEL));
  assert.deepEqual(server.asked, ['/model.gguf bytes=0-', '/model.gguf bytes=2400000-']);
});

test('a server without ranges is read in one stream', async () => {
  server.manner.ranges = false;
  const loader = new Wanting(PLACES);
  await fillLoader(loader, [await remote()]);
  assert.ok(loader.isRight(MODEL));
  assert.equal(server.asked.length, 1);
});

test('where a request that names a range is refused, one without is made', async () => {
  Object.assign(server.manner, { ranges: false, refusesRanges: true });
  const loader = new Wanting(PLACES);
  await fillLoader(loader, [await remote()]);
  assert.ok(loader.isRight(MODEL));
});

for (const ranges of [true, false]) {
  test(`several files, headers first${ranges ? '' : ', without ranges'}`, async () => {
    server.manner.ranges = ranges;
    const loader = new Wanting([
      { file: 0, begin: 0, bytes: 5000 },
      { file: 1, begin: 0, bytes: 6000 },
      { file: 0, begin: 5000, bytes: MODEL.length - 5000 },
      { file: 1, begin: 6000, bytes: OTHER.length - 6000 },
    ]);
    const other = await addressSource(`${server.origin}/other.gguf`);
    const readings = [await remote(), new RangeReader(other, patience)];
    await fillLoader(loader, readings);
    assert.ok(loader.isRight(MODEL, OTHER));
    assert.equal(server.asked.length, 2, 'each file is asked for once');
  });

  test(`a connection that breaks is made again${ranges ? '' : ', without ranges from the start'}`, async () => {
    Object.assign(server.manner, { ranges, breaksAfter: 1_000_000, breaks: 2 });
    const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
    await fillLoader(loader, [await remote()]);
    assert.ok(loader.isRight(MODEL));
    assert.equal(server.asked.length, 3);
  });
}

test('a network that stays away is an error that keeps what came, and the next call goes on', async () => {
  server.manner.breaksAfter = 400_000;
  const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
  const reading = await remote({ ...patience, retries: 1 });
  const real = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
  await assert.rejects(fillLoader(loader, [reading]), {
    code: 'source_unreachable',
    message: /did not answer/,
  });
  globalThis.fetch = real;
  const before = loader.got.length;
  assert.ok(before > 0);
  delete server.manner.breaksAfter;
  await fillLoader(loader, [reading]);
  assert.ok(loader.isRight(MODEL));
  const begins = loader.got.map(({ begin }) => begin);
  assert.equal(new Set(begins).size, begins.length, 'nothing is given twice');
});

test('an answer that ends early again and again is told as lost', async () => {
  server.manner.breaksAfter = 0;
  const reading = await remote({ ...patience, retries: 2 });
  await assert.rejects(reading.read(0, 100), { code: 'source_lost', message: /0 bytes into/ });
});

test('a file that changes half-way is noticed, with ranges and without', async () => {
  for (const ranges of [true, false]) {
    Object.assign(server.manner, { ranges, breaksAfter: 500_000, breaks: 1 });
    server.files['/model.gguf'] = MODEL;
    const reading = await remote();
    await reading.read(0, 1000);
    server.files['/model.gguf'] = made(MODEL.length, 9);
    const loader = new Wanting([{ begin: 1000, bytes: 2_900_000 }]);
    await assert.rejects(fillLoader(loader, [reading]), { code: 'source_changed' });
  }
  server.manner.tagged = false;
  server.files['/model.gguf'] = MODEL;
  const reading = await remote();
  server.files['/model.gguf'] = OTHER;
  await assert.rejects(reading.read(2_000_000, 10), { code: 'source_changed' });
});

test('what is no file is told in a sentence', async () => {
  const refusal = (status) => {
    server.manner.status = status;
    return addressSource(address);
  };
  await assert.rejects(refusal(404), { code: 'source_refused', message: /no file model\.gguf/ });
  await assert.rejects(refusal(403), { code: 'source_refused', message: /signed in/ });
  await assert.rejects(refusal(503), { code: 'source_refused', message: /503/ });
  delete server.manner.status;
  server.files['/model.gguf'] = new Uint8Array(0);
  await assert.rejects(addressSource(address), { code: 'source_short', message: /empty/ });
  server.files['/model.gguf'] = MODEL;
  Object.assign(server.manner, { sized: false, ranges: false });
  await assert.rejects(addressSource(address), { code: 'source_refused', message: /how long/ });
  await assert.rejects(addressSource('http://nowhere.invalid/x.gguf'), {
    code: 'source_unreachable',
    message: /CORS/,
  });
});

test('cancelling ends the connection, and going on needs what is missing alone', async () => {
  server.manner.pace = 2;
  const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
  const reading = await remote();
  const stop = new AbortController();
  const onProgress = ({ loaded }) => loaded > 500_000 && stop.abort();
  await assert.rejects(fillLoader(loader, [reading], { signal: stop.signal, onProgress }), {
    name: 'AbortError',
  });
  const { reached } = reading;
  assert.ok(reached < MODEL.length);
  await fillLoader(loader, [reading]);
  assert.ok(loader.isRight(MODEL));
  assert.equal(server.asked.at(-1), `/model.gguf bytes=${reached}-`);
});

test('an address is made one of a file, or refused with what to do', () => {
  const there = 'https://huggingface.co/a/b/resolve/main/m.gguf';
  assert.equal(addressOf(' huggingface.co/a/b/blob/main/m.gguf#x '), there);
  assert.equal(addressOf('http://localhost:80/m.safetensors'), 'http://localhost/m.safetensors');
  for (const bad of ['', 'model', 'http://example.org/m.gguf', 'https://example.org/m.bin']) {
    assert.throws(() => addressOf(bad), { code: 'bad_argument', field: 'source' });
  }
  assert.throws(() => addressOf('https://x.org/m-00001-of-00002.gguf'), /several GGUF files/);
});

test('files that are chosen together are told apart', async () => {
  const file = (name, bytes = MODEL) => new File([bytes], name);
  const config = file('config.json', text({ model_type: 'gpt2' }));
  const tokenizer = file('tokenizer.json', text({}));
  const one = await partsOfFiles([file('x.gguf')]);
  assert.deepEqual([one.form, one.files.length], ['gguf', 1]);
  const shards = ['model-2.safetensors', 'model-1.safetensors'].map((name) => file(name));
  const several = await partsOfFiles([tokenizer, ...shards, config]);
  assert.equal(several.form, 'safetensors');
  assert.deepEqual(
    several.files.map(({ name }) => name),
    ['model-1.safetensors', 'model-2.safetensors'],
  );
  assert.equal(several.config, '{"model_type":"gpt2"}');
  await assert.rejects(partsOfFiles([...shards, config]), /no tokenizer\.json/);
  await assert.rejects(partsOfFiles([file('a'), file('b')]), /Choose one GGUF file/);
});

test('safetensors of an address come with what lies beside them, and an index names its files', async () => {
  const map = { a: 'model-00002-of-00002.safetensors', b: 'model-00001-of-00002.safetensors' };
  Object.assign(server.files, {
    '/m/model.safetensors.index.json': text({ weight_map: map }),
    '/m/model-00001-of-00002.safetensors': MODEL,
    '/m/model-00002-of-00002.safetensors': OTHER,
    '/m/config.json': text({ n_layer: 1 }),
    '/m/tokenizer.json': text({ model: {} }),
    '/bad/model.safetensors.index.json': text({ weight_map: { a: '../x.safetensors' } }),
  });
  const parts = await partsOfAddress(`${server.origin}/m/model.safetensors.index.json`);
  assert.deepEqual(
    parts.files.map(({ bytes }) => bytes),
    [MODEL.length, OTHER.length],
  );
  assert.equal(parts.config, '{"n_layer":1}');
  assert.equal(new TextDecoder().decode(parts.tokenizer), '{"model":{}}');
  const bad = `${server.origin}/bad/model.safetensors.index.json`;
  await assert.rejects(partsOfAddress(bad), { name: 'AttentionDeckError' });
});

/** What browsers have, as far as it is used. */
function fakeCaches(limit = Infinity) {
  const all = new Map();
  let used = 0;
  const open = (name) => {
    if (!all.has(name)) all.set(name, new Map());
    const entries = all.get(name);
    return {
      async put(key, response) {
        const bytes = await response.arrayBuffer();
        used += bytes.byteLength;
        if (used > limit) throw new DOMException('full', 'QuotaExceededError');
        entries.set(key, bytes);
      },
      match: async (key) => {
        const bytes = entries.get(key.url ?? key);
        return bytes && new Response(bytes);
      },
      keys: async () => [...entries.keys()].map((url) => ({ url })),
      delete: async (key) => entries.delete(key),
    };
  };
  return {
    has: async (name) => all.has(name),
    open: async (name) => open(name),
    delete: async (name) => all.delete(name),
  };
}

test('with leave it is kept: what is here is not asked for again, and can be forgotten', async () => {
  globalThis.caches = fakeCaches();
  const bring = async (options, from = address) => {
    const parts = await partsOfAddress(from, options);
    const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
    await fillLoader(
      loader,
      parts.files.map((file) => new RangeReader(file, patience)),
      options,
    );
    assert.ok(loader.isRight(MODEL));
  };
  try {
    await bring({});
    assert.deepEqual(await keptModels(), [], 'nothing without leave');
    const stop = new AbortController();
    const onProgress = ({ loaded }) => loaded > 1_000_000 && stop.abort();
    await assert.rejects(bring({ keep: true, signal: stop.signal, onProgress }), {
      name: 'AbortError',
    });
    const [{ kept }] = await keptModels();
    assert.ok(kept > 500_000 && kept < MODEL.length, `${kept} bytes`);
    server.asked.length = 0;
    await bring({ keep: true });
    assert.deepEqual(server.asked, ['/model.gguf bytes=0-', `/model.gguf bytes=${kept}-`]);
    const whole = [{ address, kept: MODEL.length, bytes: MODEL.length }];
    assert.deepEqual(await keptModels(), whole);
    const fetch = () => Promise.reject(new TypeError('offline'));
    await bring({ keep: true, fetch });
    await forgetModel(address);
    assert.deepEqual([await keptModels(), await keptModel(address)], [[], undefined]);
    assert.equal(await globalThis.caches.has('attention-deck-models'), false);
  } finally {
    delete globalThis.caches;
  }
});

test('a file that changed since a part of it was kept is not mixed with it', async () => {
  globalThis.caches = fakeCaches();
  try {
    const parts = await partsOfAddress(address, { keep: true });
    const reading = new RangeReader(parts.files[0], patience);
    await reading.read(0, 1000);
    await reading.close();
    server.files['/model.gguf'] = made(MODEL.length, 9);
    const later = await partsOfAddress(address, { keep: true });
    const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
    await assert.rejects(fillLoader(loader, [new RangeReader(later.files[0], patience)]), {
      code: 'source_changed',
    });
  } finally {
    delete globalThis.caches;
  }
});

test('a device without room goes on without keeping, and says so once', async () => {
  globalThis.caches = fakeCaches(1_000);
  try {
    const told = [];
    const parts = await partsOfAddress(address, {
      keep: true,
      onFull: (cause) => told.push(cause),
    });
    const loader = new Wanting([{ begin: 0, bytes: MODEL.length }]);
    await fillLoader(loader, [new RangeReader(parts.files[0], patience)]);
    assert.ok(loader.isRight(MODEL));
    assert.equal(told[0]?.name, 'QuotaExceededError');
    assert.equal(told.length, 1);
  } finally {
    delete globalThis.caches;
  }
});
