import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { AttentionDeckError, load } from '../../web/runtime/index.js';
import { createLoader } from '../../web/runtime/loader.js';
import { createTokens } from '../../web/runtime/tokens.js';
import {
  boundNames,
  bytesOf,
  loadTokens,
  modulesUrl,
  rawModule,
  root,
  variants,
  vocabularyNames,
  watchedEngine,
} from './support.js';
import { withMemory } from './wasm-bytes.js';

const utf8 = (text) => new TextEncoder().encode(text);
const latin = (bytes) => Buffer.from(bytes).toString('latin1');
const fileOf = (name) => readFile(new URL(`web/runtime/vocabularies/${name}.bpe`, root));

/** Nobody gets anything but our error, in a sentence. */
function refuses(call, expected, ...words) {
  assert.throws(call, (error) => isOurs(error, expected, ...words));
}

/** The same of what is answered later. */
async function rejects(call, expected, ...words) {
  await assert.rejects(call, (error) => isOurs(error, expected, ...words));
}

const loadFiles = () => load('files');

function isOurs(error, { code, field }, ...words) {
  assert.ok(error instanceof AttentionDeckError, error.stack);
  assert.equal(error.code, code, error.message);
  if (field !== undefined) assert.equal(error.field, field, error.message);
  assert.match(error.message, /^\S.*\.$/s, 'a sentence');
  for (const word of words) assert.match(error.message, word);
  return true;
}

/* ---- what every variant answers ------------------------------------------------------------------ */

/** Text and the ids of GPT-2 that three independent implementations give (group B of the hard cases). */
const gpt2Cases = {
  'B1: a contraction': [["we'll", [732, 1183]]],
  'B2: contractions are lower-case only': [
    ["'RE", [6, 2200]],
    ["I'LL", [40, 6, 3069]],
    ["I'm we'll THEY'RE we'd", [40, 1101, 356, 1183, 33302, 6, 2200, 356, 1549]],
  ],
  'B3: curly quotes': [
    ['“sentence“', [447, 250, 34086, 594, 447, 250]],
    ['don’t', [9099, 447, 247, 83]],
  ],
  'B4: runs of white space': [
    ['a   b', [64, 220, 220, 275]],
    ['a  ', [64, 220, 220]],
    ['\n\n\n', [628, 198]],
    ['a\r\nb', [64, 201, 198, 65]],
    ['\t\t\tx', [197, 197, 197, 87]],
  ],
  'B7: nothing is composed': [
    ['e\u0301', [68, 136, 223]],
    ['\u00e9', [2634]],
  ],
  'B11: merges go by rank and not greedily': [['Hello,', [15496, 11]]],
  'B13: a lone surrogate is U+FFFD, a pair is one character': [
    ['\udbc0', [4210]],
    ['\ufffd', [4210]],
    ['hello \ud800 world', [31373, 20543, 995]],
    ['\ud83d\ude00', [47249, 222]],
  ],
};

for (const variant of variants) {
  const tokens = await loadTokens(variant, ['gpt2']);
  const gpt2 = tokens.opened('gpt2');
  const check = (name, run) => test(`${variant}: ${name}`, run);

  for (const [name, cases] of Object.entries(gpt2Cases)) {
    check(name, () => {
      for (const [text, ids] of cases) {
        assert.deepEqual([...gpt2.encode(text)], ids, JSON.stringify(text));
        assert.deepEqual(gpt2.encode(utf8(text)), gpt2.encode(text), 'as bytes');
        assert.equal(gpt2.decode(ids), text.toWellFormed());
      }
    });
  }

  check('out receives the ids when it is long enough, and is left alone when it is not', () => {
    const text = 'the cat climbed the';
    const ids = [1169, 3797, 19952, 262];
    const out = new Int32Array(8).fill(7);
    const written = gpt2.encode(text, { out });
    assert.deepEqual([...written], ids);
    assert.equal(written.buffer, out.buffer);
    assert.deepEqual([...out], [...ids, 7, 7, 7, 7]);
    const part = out.subarray(2, 6);
    assert.equal(gpt2.encode(text, { out: part }).byteOffset, 8, 'exactly as long');
    assert.deepEqual([...out], [1169, 3797, ...ids, 7, 7]);
    const short = new Int32Array(3).fill(7);
    const own = gpt2.encode(text, { out: short });
    assert.deepEqual([...own], ids);
    assert.notEqual(own.buffer, short.buffer);
    assert.deepEqual([...short], [7, 7, 7]);
    assert.deepEqual([...gpt2.encode('', { out })], []);
    const lying = new Int32Array(4);
    Object.defineProperty(lying, 'length', { value: 1e9 });
    Object.defineProperty(lying, 'set', { value: () => assert.fail('the caller’s code ran') });
    assert.deepEqual([...gpt2.encode(text, { out: lying })], ids);
    for (const wrong of [3, 'out', [], {}, new Uint32Array(8), new Float64Array(8)]) {
      refuses(() => gpt2.encode(text, { out: wrong }), { code: 'bad_argument', field: 'out' });
    }
  });

  check('long and short strings in turn have the ids of their bytes', () => {
    // Their UTF-8 is put where that of the last one was.
    for (const length of [10, 100_000, 3, 50_000, 0, 200_000, 7]) {
      for (const piece of ['ab ', 'é\u0434 ', '漢字', '😀']) {
        const text = piece.repeat(length / piece.length);
        assert.deepEqual(gpt2.encode(text), gpt2.encode(utf8(text)), `${piece} ${length}`);
      }
    }
  });

  check('B3, B16: a token that is a part of a character: bytes, U+FFFD, or held back', () => {
    assert.deepEqual([...gpt2.decodeBytes([447])], [0xe2, 0x80]);
    assert.equal(gpt2.decode([447]), '\ufffd');
    const stream = gpt2.stream();
    const pushed = [9099, 447, 247, 83].map((id) => stream.push([id]));
    assert.deepEqual(pushed, ['don', '', '’', 't']);
    assert.equal(stream.finish(), '');
    const cut = gpt2.stream();
    assert.equal(cut.push([64, 447]), 'a');
    assert.equal(cut.finish(), '\ufffd');
    // Two streams of one tokenizer hold each its own bytes.
    const [one, other] = [gpt2.stream(), gpt2.stream()];
    one.push([447]);
    assert.equal(other.push([64]), 'a');
    assert.equal(one.push([247]), '’');
  });

  check('B14: what reads like a special token is text unless it is asked for', () => {
    const text = 'a<|endoftext|>b';
    assert.deepEqual([...gpt2.encode('<|endoftext|>')], [27, 91, 437, 1659, 5239, 91, 29]);
    assert.deepEqual([...gpt2.encode('<|endoftext|>', { special_ids: true })], [50256]);
    assert.deepEqual([...gpt2.encode(text, { special_ids: true })], [64, 50256, 65]);
    assert.equal(gpt2.decode([64, 50256, 65]), text);
    assert.equal(gpt2.measure(text, { special_ids: true }).tokens, 3);
    assert.equal(gpt2.measure(text).tokens, gpt2.encode(text).length);
    assert.deepEqual([...gpt2.vocabulary().special], [50256]);
  });

  check('B12: a word of 100,000 letters takes no quadratic time', () => {
    const began = performance.now();
    const ids = gpt2.encode('a'.repeat(100_000));
    const took = performance.now() - began;
    assert.equal(ids.length, 25_000);
    assert.ok(ids.every((id) => id === 24_794));
    assert.ok(took < 1000, `${took.toFixed(0)} ms`);
  });

  check(
    'B9: three merges of aaabdaaabac; the count includes overlaps, the replacements do not',
    () => {
      const trainer = tokens.train({ documents: ['aaabdaaabac'], pretokenizer: 'none' });
      const { first_rank, left, right, result, count, replaced } = trainer.step(3);
      assert.equal(first_rank, 0);
      assert.deepEqual([left[0], right[0], result[0]], [97, 97, 256]);
      assert.deepEqual([count[0], replaced[0]], [4, 2]);
      const tokenizer = trainer.tokenizer();
      assert.deepEqual([...tokenizer.encode('aaabdaaabac')], [258, 100, 258, 97, 99]);
      assert.equal(trainer.step(1).first_rank, 3);
      trainer.close();
      // The tokenizer outlives its trainer.
      assert.equal(tokenizer.decode([258, 100]), 'aaabd');
      tokenizer.close();
    },
  );

  check('B10: a tie has a stated rule: one of bytes, and one of the text’s order', () => {
    const first = (text, tie) => {
      const trainer = tokens.train({ documents: [text], pretokenizer: 'none', tie });
      const { left, right, count } = trainer.step(1);
      trainer.close();
      return [latin([left[0], right[0]]), count[0]];
    };
    const [one, other] = ['bbbaaaddddcccc', 'aaabbbccccdddd'];
    assert.deepEqual(first(one, 'lowest-bytes'), ['cc', 3]);
    assert.deepEqual(first(other, 'lowest-bytes'), ['cc', 3]);
    assert.deepEqual(first(one, 'first-seen'), ['dd', 3]);
    assert.deepEqual(first(other, 'first-seen'), ['cc', 3]);
    const aaa = tokens.train({ documents: ['aaa'], pretokenizer: 'none' });
    assert.deepEqual([...aaa.step(1).result], [256]);
    const { pieces } = aaa.state(0);
    assert.deepEqual([...pieces], [256, 97]);
    aaa.close();
  });

  check('W7: every byte comes back, whatever the text', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const bytes of [all, all.toReversed(), new Uint8Array(0), Uint8Array.of(0, 0xff, 0xc3)]) {
      assert.deepEqual(gpt2.decodeBytes(gpt2.encode(bytes)), bytes);
    }
    for (const text of ['', '\0', 'a\0b', '\ufeffx', '👩‍👩‍👧‍👦 नमस्ते', ' \u0085 \u2028']) {
      assert.equal(gpt2.decode(gpt2.encode(text)), text, JSON.stringify(text));
    }
  });

  check('offsets: each id’s place in bytes and in UTF-16 units', () => {
    const places = (text) => {
      const offsets = gpt2.offsets(text, gpt2.encode(text));
      return Object.fromEntries(Object.entries(offsets).map(([key, value]) => [key, [...value]]));
    };
    // 😀 is four bytes and two units, and GPT-2 cuts it into two tokens: both stand for the whole.
    assert.deepEqual(places('a😀b'), {
      byte_begin: [0, 1, 4, 5],
      byte_end: [1, 4, 5, 6],
      utf16_begin: [0, 1, 1, 3],
      utf16_end: [1, 3, 3, 4],
    });
    assert.deepEqual(places('é à').utf16_end, [1, 3]);
    assert.deepEqual(places('a\ud800b').utf16_begin, [0, 1, 2]);
    for (const text of ['O gato subiu à noite.', '“don’t”', 'x\r\n\t y']) {
      const { byte_begin: begin, byte_end: end } = places(text);
      assert.equal(begin[0], 0);
      assert.equal(end.at(-1), utf8(text).length);
      assert.deepEqual(begin.slice(1), end.slice(0, -1));
    }
    refuses(() => gpt2.offsets('abc', [1, 2]), { code: 'shape_mismatch', field: 'ids' });
  });

  check('replay: from bytes to the ids, one merge after another, each in its place', () => {
    for (const text of ['climbed', 'the cat climbed the', 'o gato subiu no telhado.', '']) {
      const all = gpt2.replay(text);
      const bytes = utf8(text);
      assert.deepEqual([...gpt2.decodeBytes(all.start)], [...bytes]);
      assert.deepEqual(all.ids, gpt2.encode(text));
      assert.deepEqual(all.shown_ids, all.ids);
      assert.equal(all.shown_steps, all.rank.length);
      for (let steps = 0; steps <= all.rank.length; steps += 1) {
        const { shown_steps, shown_ids, shown_begin } = gpt2.replay(text, { steps });
        assert.equal(shown_steps, steps);
        assert.equal(gpt2.decode(shown_ids), text);
        assert.ok(shown_begin.every((begin, i) => i === 0 || begin > shown_begin[i - 1]));
        const places = all.place_begin[steps];
        assert.equal(shown_ids.length, all.start.length - places, `after ${steps}`);
        if (steps === 0) continue;
        const step = steps - 1;
        const [left, right, result] = ['left', 'right', 'result'].map((key) =>
          latin(gpt2.decodeBytes([all[key][step]])),
        );
        assert.equal(left + right, result);
        for (const place of all.places.subarray(all.place_begin[step], all.place_begin[steps])) {
          assert.equal(shown_ids[shown_begin.indexOf(place)], all.result[step]);
        }
      }
      assert.equal(gpt2.replay(text, { steps: 1e6 }).shown_steps, all.rank.length);
    }
  });

  check('measure: what a text costs, alone and beside another', () => {
    assert.deepEqual(gpt2.measure('the cat 😀', { reference: 'the cat' }), {
      tokens: 4,
      bytes: 12,
      characters: 9,
      utf16_units: 10,
      words: 3,
      tokens_per_word: 4 / 3,
      bytes_per_token: 3,
      relative: 2,
    });
    const nothing = gpt2.measure('');
    assert.equal(nothing.tokens, 0);
    assert.ok(Object.values(nothing).every(Number.isFinite), JSON.stringify(nothing));
    assert.equal(gpt2.measure('the').relative, 0, 'without another text there is no ratio');
  });

  check('ids in a list of pieces: the place of each, −1 where it does not stand', () => {
    const list = ['the', '␣cat', '␣ca'];
    const ids = tokens.idsInList({ pieces: ['␣cat', 'the', '␣dog', utf8('the')], list });
    assert.deepEqual([...ids], [1, 0, -1, 0]);
    assert.deepEqual([...tokens.idsInList({ pieces: [], list: [] })], []);
  });

  check('a vocabulary of characters says −1 for one that it does not know', () => {
    const trainer = tokens.train({ documents: ['abab', 'ba'], alphabet: 'characters' });
    assert.equal(trainer.base_count, 2);
    assert.equal(trainer.step(9).left.length, 3, 'it stops when no pair is left');
    const tokenizer = trainer.tokenizer();
    trainer.close();
    assert.deepEqual([...tokenizer.encode('abab')].length, 1);
    assert.deepEqual([...tokenizer.encode('xab')].length, 2);
    assert.equal(tokenizer.encode('xab')[0], -1);
    tokenizer.close();
  });

  check('state: the tokens so far, the candidates by count, the pieces of each word', () => {
    const trainer = tokens.train({ documents: ['the cat', 'the hat'], alphabet: 'characters' });
    trainer.step(2);
    const state = trainer.state(3);
    assert.equal(state.merges, 2);
    assert.equal(state.offsets.length - 1, trainer.base_count + 2);
    assert.equal(state.candidate_left.length, 3);
    assert.ok([...state.candidate_count].every((count, i, all) => i === 0 || count <= all[i - 1]));
    const word = (i) =>
      Array.from(state.pieces.subarray(state.word_begin[i], state.word_begin[i + 1]), (id) =>
        latin(state.bytes.subarray(state.offsets[id], state.offsets[id + 1])),
      ).join('');
    assert.deepEqual(
      Array.from(state.word_frequency, (frequency, i) => [word(i), frequency]),
      [
        ['the', 2],
        [' cat', 1],
        [' hat', 1],
      ],
    );
    assert.equal(trainer.state(0).candidate_left.length, 0);
    assert.equal(trainer.state().merges, 2, 'looking changes nothing');
    trainer.close();
  });

  check('save and open: what was learnt comes back whole from all three formats', async () => {
    const trainer = tokens.train({ documents: ['the cat sat on the mat'], pretokenizer: 'cl100k' });
    trainer.step(6);
    const made = trainer.tokenizer();
    trainer.close();
    const before = made.vocabulary();
    for (const format of ['packed', 'tiktoken', 'json']) {
      const file = await made.save(format);
      const again = await tokens.open({ file, format, pretokenizer: 'cl100k' });
      assert.deepEqual(again.vocabulary(), before, format);
      assert.deepEqual(await again.save(format), file, format);
      assert.deepEqual(again.encode('the mat'), made.encode('the mat'), format);
      again.close();
    }
    made.close();
  });

  check('save and open: GPT-2 as .tiktoken and as JSON, special token and all', async () => {
    const special_tokens = { '<|endoftext|>': 50256 };
    const text = 'The river, “the bank”: <|endoftext|>';
    for (const [format, source] of [
      ['tiktoken', { special_tokens }],
      ['json', {}],
    ]) {
      const again = await tokens.open({ file: await gpt2.save(format), format, ...source });
      assert.equal(again.vocab_size, 50257);
      for (const special_ids of [false, true])
        assert.deepEqual(again.encode(text, { special_ids }), gpt2.encode(text, { special_ids }));
      again.close();
    }
  });
}

/* ---- the vocabularies of the lecture -------------------------------------------------------------- */

test('every vocabulary of the lecture opens, once for all who ask', async () => {
  const tokens = await loadTokens('scalar');
  const sizes = { gpt2: 50257, cl100k: 100277, o200k: 200019 };
  for (const name of vocabularyNames) {
    const [one, other] = await Promise.all([tokens.vocabulary(name), tokens.vocabulary(name)]);
    assert.equal(one, other);
    assert.equal(tokens.opened(name), one);
    assert.equal(one.vocab_size, sizes[name], name);
    assert.equal(one.decode(one.encode('Olá, mundo! 你好')), 'Olá, mundo! 你好');
  }
  // B2: there the contractions are of both cases.
  assert.deepEqual([...tokens.opened('cl100k').encode("'RE")], [95253]);
});

test('a vocabulary that there is not is named, with those that there are', async () => {
  const tokens = await load('tokens');
  const wrong = ['gpt3', '__proto__', '', 3, null, undefined, Symbol('x'), { toString: null }];
  for (const name of wrong) {
    await assert.rejects(tokens.vocabulary(name), (error) =>
      isOurs(error, { code: 'bad_argument', field: 'name' }, /gpt2/),
    );
  }
  assert.equal(tokens.opened('gpt3'), undefined);
});

const baseUrl = 'http://lecture.example/runtime/modules/';
const wasm = { 'content-type': 'application/wasm' };

/** The module from a server that answers for the vocabularies as it is told. */
async function served(answer) {
  const bytes = await bytesOf('scalar', 'tokens');
  const asked = [];
  const server = { answer, asked };
  const fetch = async (url) => {
    const name = new URL(url).pathname;
    if (name.endsWith('.wasm')) return new Response(bytes, { headers: wasm });
    asked.push(name);
    return server.answer(name);
  };
  const loadHere = createLoader({ fetch, baseUrl, features: { simd: false, relaxedSimd: false } });
  return Object.assign(server, { tokens: await loadHere('tokens') });
}

const served404 = () => new Response('not here', { status: 404 });
const servesFile = async (name) => {
  const bytes = await fileOf(name);
  return () => new Response(bytes, { headers: { 'content-length': String(bytes.length) } });
};

test('nothing is fetched before it is asked for, and then that vocabulary alone', async () => {
  const server = await served(await servesFile('gpt2'));
  assert.deepEqual(server.asked, []);
  const news = [];
  await server.tokens.vocabulary('gpt2', { onProgress: (one) => news.push(one) });
  await server.tokens.vocabulary('gpt2');
  assert.deepEqual(server.asked, ['/runtime/vocabularies/gpt2.bpe']);
  assert.ok(news.length > 0);
  assert.equal(news.at(-1).loaded, news.at(-1).total);
});

test('a progress bar that throws does not stop the vocabulary', async () => {
  const server = await served(await servesFile('gpt2'));
  const gpt2 = await server.tokens.vocabulary('gpt2', {
    onProgress() {
      throw new Error('broken bar');
    },
  });
  assert.equal(gpt2.vocab_size, 50257);
});

for (const [what, answer, code, ...words] of [
  ['404', served404, 'load_not_found', /404/, /gpt2\.bpe/, /\.bpe files/],
  ['503', () => new Response('', { status: 503 }), 'load_failed', /503/],
  [
    'the start page',
    () => new Response('\n<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    'load_wrong_type',
    /a web page/,
    /the vocabulary/,
  ],
  ['nothing', () => new Response(''), 'load_wrong_type', /nothing/],
  [
    'no answer',
    () => {
      throw new TypeError('fetch failed');
    },
    'load_failed',
    /did not answer/,
  ],
]) {
  test(`a vocabulary for which the server has ${what} is told, and a second try works`, async () => {
    const server = await served(answer);
    const { tokens } = server;
    await assert.rejects(tokens.vocabulary('gpt2'), (error) => isOurs(error, { code }, ...words));
    assert.equal(tokens.opened('gpt2'), undefined);
    server.answer = await servesFile('gpt2');
    assert.equal((await tokens.vocabulary('gpt2')).vocab_size, 50257);
  });
}

test('in Node a vocabulary that was not built is told with the command that builds it', async () => {
  await mkdir(new URL('build/', root), { recursive: true });
  const copy = pathToFileURL(`${await mkdtemp(fileURLToPath(new URL('build/runtime-', root)))}/`);
  try {
    const modules = new URL('modules/', copy);
    await mkdir(modules);
    const file = 'tokens.scalar.wasm';
    await cp(new URL(file, modulesUrl), new URL(file, modules));
    const tokens = await load('tokens', { variant: 'scalar', baseUrl: modules });
    await assert.rejects(tokens.vocabulary('gpt2'), (error) =>
      isOurs(error, { code: 'load_not_found' }, /^The vocabulary/, /npm run build/),
    );
    await mkdir(new URL('vocabularies/', copy));
    await cp(
      new URL('web/runtime/vocabularies/gpt2.bpe', root),
      new URL('vocabularies/gpt2.bpe', copy),
    );
    assert.equal((await tokens.vocabulary('gpt2')).vocab_size, 50257);
  } finally {
    await rm(copy, { recursive: true });
  }
});

test('a vocabulary that arrives cut short is refused by its byte and can be had afterwards', async () => {
  const bytes = await fileOf('gpt2');
  const server = await served(() => new Response(bytes.subarray(0, bytes.length >> 1)));
  await assert.rejects(server.tokens.vocabulary('gpt2'), (error) =>
    isOurs(error, { code: 'bad_argument', field: 'file' }, /[Bb]yte \d+/),
  );
  assert.equal(server.tokens.opened('gpt2'), undefined);
  server.answer = await servesFile('gpt2');
  assert.equal((await server.tokens.vocabulary('gpt2')).vocab_size, 50257);
});

/* ---- files that are wrong ------------------------------------------------------------------------- */

const lines = () =>
  Array.from({ length: 256 }, (_, byte) => `${Buffer.from([byte]).toString('base64')} ${byte}\n`);

test('bad vocabulary files are refused by line or byte, and nothing stays open', async () => {
  const raw = await rawModule('scalar', { name: 'tokens' });
  const tokens = createTokens({ raw, variant: 'scalar' }, assert.fail, assert.fail, loadFiles);
  const good = lines().join('');
  const packed = new Uint8Array(await fileOf('gpt2'));
  const opened = await tokens.open({ file: utf8(good), format: 'tiktoken' });
  assert.equal(opened.vocab_size, 256);
  const openCount = () => {
    const { ok, value } = raw.closeTokenizer({ tokenizer: 4_000_000_000 });
    assert.ok(ok);
    return value.open;
  };
  assert.equal(openCount(), 1);
  const bad = [
    ['tiktoken', `${good}YWI=`, /Line 257/],
    ['tiktoken', `${good}YWI= 256\nYWI= 257\n`, /Line 258 .*line 257/],
    ['tiktoken', `${good}YWI= 255\n`, /Line 257 has the rank 255 of line 256/],
    ['tiktoken', `${good}Y<b> 256\n`, /Line 257/],
    ['tiktoken', lines().toSpliced(65, 1).join(''), /no token for the byte 65/],
    ['tiktoken', '', /line 0/],
    ['json', '{', /[Ll]ine 1/],
    ['json', '{"model":\n{"type": "Unigram"}}', /./],
    ['json', '', /./],
    ['packed', packed.subarray(0, packed.length - 1), /[Bb]yte \d+/],
    ['packed', packed.subarray(0, 100), /[Bb]yte \d+/],
    [
      'packed',
      packed
        .with(packed.length - 1, 0xff)
        .with(1000, 0xff)
        .with(1001, 0xff),
      /./,
    ],
    ['packed', utf8('<!doctype html>'), /[Bb]yte 0/],
    ['packed', new Uint8Array(0), /[Bb]yte 0/],
  ];
  for (const [format, file, words] of bad) {
    const source = { format, file: typeof file === 'string' ? utf8(file) : file };
    await rejects(() => tokens.open(source), { code: 'bad_argument', field: 'file' }, words);
    assert.equal(openCount(), 1, words.source);
  }
  await rejects(
    () =>
      tokens.open({
        file: utf8(good),
        format: 'tiktoken',
        special_tokens: { '<|x|>': 65 },
      }),
    { code: 'bad_argument', field: 'special_tokens' },
  );
  assert.equal(openCount(), 1);
  assert.deepEqual([...opened.encode('ok')], [111, 107]);
  opened.close();
  assert.equal(openCount(), 0);
});

/* ---- callers who are wrong ------------------------------------------------------------------------ */

const thrower = () => {
  throw new Error('touched');
};
const hostile = new Proxy(
  {},
  { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower },
);

test('every bad argument is told by its field, and the module goes on', async () => {
  const tokens = await loadTokens('scalar', ['gpt2']);
  const gpt2 = tokens.opened('gpt2');
  const trainer = tokens.train({ documents: ['the cat'] });
  tokens.addEventListener('restart', () => assert.fail('bad input must not stop the module'));
  const detached = utf8('abc');
  structuredClone(detached, { transfer: [detached.buffer] });
  const noText = [undefined, null, 3, true, {}, [], 10n, Symbol('x'), hostile, new Float64Array(2)];
  const calls = [
    ...noText.flatMap((text) => [
      [() => gpt2.encode(text), 'text'],
      [() => gpt2.replay(text), 'text'],
      [() => gpt2.measure(text), 'text'],
      [() => gpt2.offsets(text, []), 'text'],
    ]),
    ...[3, true, {}, [], hostile].map((reference) => [
      () => gpt2.measure('a', { reference }),
      'reference',
    ]),
    ...[undefined, null, 3, 'x', {}, ['1'], [1.5], [2 ** 31], [NaN], hostile].flatMap((ids) => [
      [() => gpt2.decode(ids), 'ids'],
      [() => gpt2.stream().push(ids), 'ids'],
      [() => gpt2.offsets('abc', ids), 'ids'],
    ]),
    ...['yes', 1, {}, hostile].map((special_ids) => [
      () => gpt2.encode('a', { special_ids }),
      'special_ids',
    ]),
    ...['1', true, {}, hostile].map((steps) => [() => gpt2.replay('a', { steps }), 'steps']),
    ...[null, 3, 'x', [], hostile].flatMap((options) => [
      [() => gpt2.encode('a', options), ''],
      [() => gpt2.replay('a', options), ''],
      [() => gpt2.measure('a', options), ''],
      [() => tokens.train(options), ''],
      [() => tokens.idsInList(options), ''],
    ]),
    ...['1', true, {}, null, hostile].flatMap((count) => [
      [() => trainer.step(count), 'merges'],
      [() => trainer.state(count), 'candidates'],
    ]),
    [() => tokens.train({}), 'documents'],
    [() => tokens.train({ documents: 'abc' }), 'documents'],
    [() => tokens.train({ documents: [3] }), 'documents'],
    [() => tokens.train({ documents: hostile }), 'documents'],
    [() => tokens.train({ documents: ['a'], tie: 'random' }), 'tie'],
    [() => tokens.train({ documents: ['a'], alphabet: 'words' }), 'alphabet'],
    [() => tokens.train({ documents: ['a'], pretokenizer: 3 }), 'pretokenizer'],
    [() => tokens.train({ documents: ['a'], ties: 'first-seen' }), 'ties'],
    [() => tokens.idsInList({ pieces: ['a'] }), 'list'],
    [() => tokens.idsInList({ list: ['a'] }), 'pieces'],
  ];
  for (const [call, field] of calls) refuses(call, { code: 'bad_argument', field });
  const later = [
    ...[null, 3, 'x', [], hostile].map((options) => [() => tokens.open(options), '']),
    ...['zip', '', undefined, null, 3, {}, hostile].map((format) => [
      () => gpt2.save(format),
      'format',
    ]),
    [() => tokens.open({}), 'file'],
    [() => tokens.open({ file: 'text' }), 'file'],
    [() => tokens.open({ file: new Uint8Array(0), format: 'zip' }), 'format'],
    [() => tokens.open({ file: new Uint8Array(0), pretokenizer: 'gpt5' }), 'pretokenizer'],
    [() => tokens.open({ file: new Uint8Array(0), special_tokens: [] }), 'special_tokens'],
    [() => tokens.open({ file: new Uint8Array(0), special_tokens: { x: '1' } }), 'special_tokens'],
    [() => tokens.open({ file: new Uint8Array(0), special_tokens: hostile }), 'special_tokens'],
    [() => tokens.open({ file: new Uint8Array(0), casual: true }), 'casual'],
  ];
  for (const [call, field] of later) await rejects(call, { code: 'bad_argument', field });
  for (const [call, field] of [
    [() => gpt2.decode([64, 50257]), 'ids[1]'],
    [() => gpt2.decode([-1]), 'ids[0]'],
    [() => gpt2.replay('a', { steps: -1 }), 'steps'],
    [() => gpt2.replay('a', { steps: 0.5 }), 'steps'],
    [() => trainer.step(-1), 'merges'],
    [() => trainer.state(0.5), 'candidates'],
  ]) {
    refuses(call, { code: 'out_of_range', field });
  }
  refuses(() => gpt2.replay('a', { steps: NaN }), { code: 'not_finite', field: 'steps' });
  refuses(() => trainer.step(Infinity), { code: 'not_finite', field: 'merges' });
  assert.deepEqual([...gpt2.encode(detached)], [], 'bytes that were given away are none');
  assert.deepEqual([...gpt2.encode('ok')], [482]);
  assert.equal(trainer.step(1).left.length, 1);
  trainer.close();
});

test('what is closed answers no more, and closing twice is no fault', async () => {
  const tokens = await load('tokens');
  const trainer = tokens.train({ documents: ['abab'] });
  const tokenizer = trainer.tokenizer();
  const other = trainer.tokenizer();
  trainer.close();
  trainer.close();
  for (const call of [() => trainer.step(), () => trainer.state(), () => trainer.tokenizer()])
    refuses(call, { code: 'bad_argument', field: 'trainer' }, /closed/);
  tokenizer.close();
  tokenizer.close();
  for (const call of [
    () => tokenizer.encode('a'),
    () => tokenizer.decodeBytes([97]),
    () => tokenizer.decode([97]),
    () => tokenizer.stream().push([97]),
    () => tokenizer.offsets('a', [97]),
    () => tokenizer.replay('a'),
    () => tokenizer.measure('a'),
    () => tokenizer.vocabulary(),
  ]) {
    refuses(call, { code: 'bad_argument', field: 'tokenizer' }, /closed/);
  }
  await rejects(
    () => tokenizer.save('packed'),
    { code: 'bad_argument', field: 'tokenizer' },
    /closed/,
  );
  assert.deepEqual([...other.encode('ab')], [97, 98], 'the others stay open');
  other.close();
});

/* ---- memory --------------------------------------------------------------------------------------- */

/** The module in little memory, so that a leak of a few bytes a call cannot hide in slack. */
async function start() {
  const bytes = await bytesOf('scalar', 'tokens');
  for (let initial = 2; ; initial += 1) {
    const watched = watchedEngine();
    try {
      const raw = await rawModule('scalar', {
        name: 'tokens',
        bytes: withMemory(bytes, { initial }),
        webAssembly: watched.webAssembly,
      });
      const tokens = createTokens({ raw, variant: 'scalar' }, assert.fail, assert.fail, loadFiles);
      return { tokens, raw, watched };
    } catch (error) {
      assert.ok(initial < 256 && error instanceof WebAssembly.RuntimeError, error);
    }
  }
}

const text = 'the cat climbed the';
/** What is asked 10,000 times; each leaves as much open as it found. */
const repeated = {
  encode: ({ tokenizer }) => tokenizer.encode(text),
  decode: ({ tokenizer, ids }) => tokenizer.decode(ids),
  stream: ({ tokenizer, ids }) => tokenizer.stream().push(ids),
  offsets: ({ tokenizer, ids }) => tokenizer.offsets(text, ids),
  replay: ({ tokenizer }) => tokenizer.replay(text, { steps: 2 }),
  measure: ({ tokenizer }) => tokenizer.measure(text, { reference: 'the cat' }),
  vocabulary: ({ tokenizer }) => tokenizer.vocabulary(),
  save: ({ tokenizer }) => tokenizer.save('packed'),
  state: ({ trainer }) => trainer.state(3),
  idsInList: ({ tokens }) => tokens.idsInList({ pieces: ['a'], list: ['b', 'a'] }),
  'open and close': async ({ tokens, file }) => (await tokens.open({ file })).close(),
  'open what is wrong': ({ tokens, file }) =>
    assert.rejects(() => tokens.open({ file: file.subarray(0, 9) }), AttentionDeckError),
  'train and close': ({ tokens }) => {
    const trainer = tokens.train({ documents: ['abab'] });
    trainer.step(2);
    trainer.tokenizer().close();
    trainer.close();
  },
  'ids that are none': ({ tokenizer }) =>
    assert.throws(() => tokenizer.decode([9_999_999]), AttentionDeckError),
};

for (const [name, call] of Object.entries(repeated)) {
  test(`W2: 10,000 times ${name} leave nothing behind`, async () => {
    const { tokens, raw, watched } = await start();
    const trainer = tokens.train({ documents: ['the cat sat on the mat'] });
    trainer.step(4);
    const tokenizer = trainer.tokenizer();
    const running = { tokens, trainer, tokenizer };
    running.ids = tokenizer.encode(text);
    running.file = await tokenizer.save('packed');
    for (let i = 0; i < 100; i += 1) await call(running);
    const before = [watched.heapBytes(), raw.count_emval_handles()];
    for (let i = 0; i < 10_000; i += 1) await call(running);
    assert.deepEqual([watched.heapBytes(), raw.count_emval_handles()], before);
  });
}

test('W1: no array of an answer is a view of the heap', async () => {
  const { tokens, watched } = await start();
  const heap = Object.values(watched.instances.at(-1).exports).find(
    (value) => value instanceof WebAssembly.Memory,
  ).buffer;
  const trainer = tokens.train({ documents: ['the cat sat on the mat'] });
  const tokenizer = trainer.tokenizer();
  const ids = tokenizer.encode(text);
  const answers = [
    ids,
    tokenizer.decodeBytes(ids),
    await tokenizer.save('json'),
    tokens.idsInList({ pieces: ['a'], list: ['a'] }),
    ...[tokenizer.offsets(text, ids), tokenizer.replay(text), tokenizer.vocabulary()].flatMap(
      Object.values,
    ),
    ...[trainer.step(2), trainer.state(3)].flatMap(Object.values),
  ].filter(ArrayBuffer.isView);
  assert.ok(answers.length > 30);
  for (const array of answers) {
    assert.notEqual(array.buffer, heap);
    assert.equal(array.buffer.byteLength, array.byteLength);
  }
});

/* ---- abort and restart ---------------------------------------------------------------------------- */

test('after an abort the vocabulary can be had again, and what was open before is told as lost', async () => {
  const watched = watchedEngine();
  const tokens = await load('tokens', {
    webAssembly: watched.webAssembly,
    baseUrl: modulesUrl,
    variant: 'scalar',
  });
  const gpt2 = await tokens.vocabulary('gpt2');
  const before = gpt2.encode(text);
  const trainer = tokens.train({ documents: ['abab'] });
  watched.armed = true;
  refuses(() => gpt2.encode(text), { code: 'aborted' }, /kept/);
  refuses(() => gpt2.encode(text), { code: 'aborted' });
  await once(tokens, 'restart');
  assert.equal(watched.instances.length, 2);
  assert.equal(watched.compilations, 1, 'a restart compiles nothing');
  assert.equal(tokens.opened('gpt2'), undefined);

  // A fresh module counts from the start again: what was opened before must not find what is open now.
  const small = tokens.train({ documents: ['xyxy'] });
  const tokenizer = small.tokenizer();
  assert.equal(tokenizer.decode([120]), 'x');
  refuses(() => gpt2.encode(text), { code: 'bad_argument', field: 'tokenizer' }, /lost/);
  refuses(() => trainer.step(), { code: 'bad_argument', field: 'trainer' }, /lost/);
  gpt2.close();
  trainer.close();
  assert.deepEqual([...tokenizer.encode('x')], [120], 'and closing it closes nobody else’s');
  assert.equal(small.step(1).left.length, 1);

  const again = await tokens.vocabulary('gpt2');
  assert.notEqual(again, gpt2);
  assert.deepEqual(again.encode(text), before);
});

test('an abort while a vocabulary is on its way: it opens in the fresh module', async () => {
  const file = await fileOf('gpt2');
  const watched = watchedEngine();
  const wasmBytes = await bytesOf('scalar', 'tokens');
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const tokens = await load('tokens', {
    webAssembly: watched.webAssembly,
    baseUrl,
    variant: 'scalar',
    fetch: async (url) => {
      if (new URL(url).pathname.endsWith('.wasm'))
        return new Response(wasmBytes, { headers: wasm });
      await arrived;
      return new Response(file);
    },
  });
  const coming = tokens.vocabulary('gpt2');
  watched.armed = true;
  refuses(() => tokens.train({ documents: ['a'] }), { code: 'aborted' });
  arrive();
  const gpt2 = await coming;
  assert.deepEqual([...gpt2.encode('the')], [1169]);
  assert.equal(tokens.opened('gpt2'), gpt2);
  assert.equal(await tokens.vocabulary('gpt2'), gpt2, 'and is not opened a second time');
});

/* ---- nothing is left out -------------------------------------------------------------------------- */

test('every function that the bindings export is asked by these tests', async () => {
  const watched = await rawModule('scalar', { name: 'tokens' });
  const asked = new Set();
  const raw = new Proxy(watched, {
    get(target, name) {
      asked.add(name);
      return target[name];
    },
  });
  const tokens = createTokens({ raw, variant: 'scalar' }, assert.fail, assert.fail, loadFiles);
  const trainer = tokens.train({ documents: ['abab'] });
  trainer.step(1);
  const tokenizer = trainer.tokenizer();
  const running = { tokens, trainer, tokenizer, ids: [97], file: await tokenizer.save('packed') };
  for (const [name, call] of Object.entries(repeated)) {
    if (name === 'offsets') tokenizer.offsets('a', [97]);
    else await call(running);
  }
  for (const name of boundNames(watched)) assert.ok(asked.has(name), `${name} is never asked`);
});
