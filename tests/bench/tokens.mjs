/**
 * `npm run bench:tokens [-- --json] [--rounds 5] [--limit 20] [--only node|chromium]`: our tokens module and the
 * encoders of npm for GPT-2's vocabulary in one interleaved run, in Node and in Chromium, on real texts of this
 * machine and on those that have been quadratic. Ids are compared with tiktoken's. Nothing here passes or fails.
 *
 * A speed is that of the fastest of all times in all rounds, and a start the fastest of five: what else runs on the
 * machine only ever makes them slower. Training is the fastest of three. A hard text is encoded once, without a
 * warm-up, and given up after `limit` seconds; with 0 they are left out.
 *
 * The peers are installed by this script alone, at the versions below, into the user's cache folder.
 */
import { existsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../architecture/files.js';
import { chromiumEngine, nodeEngine } from './engines.mjs';
import { installPeers } from './peers.mjs';
import { hardTexts, realTexts } from './tokens-texts.mjs';

const VERSIONS = {
  tiktoken: '1.0.22',
  'gpt-tokenizer': '4.0.0',
  'ai-tokenizer': '1.0.6',
  'js-tiktoken': '1.0.21',
  '@huggingface/tokenizers': '0.2.0',
};
const SAMPLE_MS = 100;
const STARTS = 5;
const MERGES = 1000;
const OURS = 'attention-deck';
const REFERENCE = 'tiktoken';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const limit = Number(options.limit) * 1000;
const say = (text) => console.error(text);

const runtime = path.join(ROOT, 'web/runtime/index.js');
if (!existsSync(path.join(ROOT, 'web/runtime/modules/tokens.simd.wasm'))) {
  console.error('The modules are not built: run npm run modules first.');
  process.exit(2);
}

/* ---- peers --------------------------------------------------------------------------------------- */

const cache = installPeers('bench-tokens', VERSIONS, say);

const ours = `
import { load } from ${JSON.stringify(runtime)};
export async function open() {
  const tokens = await load('tokens');
  const gpt2 = await tokens.vocabulary('gpt2');
  return {
    encode: (text) => gpt2.encode(text),
    train: (text) =>
      tokens.train({
        documents: [text],
        tie: 'lowest-bytes',
        alphabet: 'bytes',
        pretokenizer: 'gpt2',
      }),
  };
}
`;
const tiktoken = (head) => `${head}
import gpt2 from 'tiktoken/encoders/gpt2';
export async function open() {
  await start();
  const encoder = new Tiktoken(gpt2.bpe_ranks, gpt2.special_tokens, gpt2.pat_str);
  return { encode: (text) => encoder.encode_ordinary(text) };
}
`;
const huggingFace = (head) => `${head}
import { Tokenizer } from '@huggingface/tokenizers';
export async function open() {
  const tokenizer = new Tokenizer(await json(), {});
  return { encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids };
}
`;

/** The entry of each encoder: one for both engines, or one for each. All give { encode(text) -> ids }. */
const ENTRIES = {
  [OURS]: ours,
  tiktoken: {
    node: tiktoken(`
import { Tiktoken } from 'tiktoken/lite';
const start = () => {};
`),
    chromium: tiktoken(`
import { Tiktoken, init } from 'tiktoken/lite/init';
import wasm from 'tiktoken/lite/tiktoken_bg.wasm?url';
const start = () => init((imports) => WebAssembly.instantiateStreaming(fetch(wasm), imports));
`),
  },
  'gpt-tokenizer': `
import { encode } from 'gpt-tokenizer/encoding/r50k_base';
export const open = async () => ({ encode: (text) => encode(text) });
`,
  // It brings no r50k; its p50k_base has the same ranks and, after them, runs of spaces.
  'ai-tokenizer': `
import Tokenizer from 'ai-tokenizer';
import * as p50k from 'ai-tokenizer/encoding/p50k_base';
export async function open() {
  const tokenizer = new Tokenizer(p50k);
  return { encode: (text) => tokenizer.encode(text) };
}
`,
  'js-tiktoken': `
import { Tiktoken } from 'js-tiktoken/lite';
import gpt2 from 'js-tiktoken/ranks/gpt2';
export async function open() {
  const encoder = new Tiktoken(gpt2);
  return { encode: (text) => encoder.encode(text, [], []) };
}
`,
  '@huggingface/tokenizers': {
    node: huggingFace(`
import { readFileSync } from 'node:fs';
const json = () => JSON.parse(readFileSync(new URL('./gpt2.tokenizer.json', import.meta.url), 'utf8'));
`),
    chromium: huggingFace(`
import url from './gpt2.tokenizer.json?url';
const json = async () => (await fetch(url)).json();
`),
  },
};
const PEERS = Object.keys(ENTRIES);
const entryFile = (peer, engine) => path.join(cache, `${peer.replace(/\W+/g, '-')}.${engine}.js`);

async function writeEntries() {
  for (const [peer, entry] of Object.entries(ENTRIES)) {
    for (const engine of ['node', 'chromium']) {
      writeFileSync(entryFile(peer, engine), typeof entry === 'string' ? entry : entry[engine]);
    }
  }
  const { load } = await import(pathToFileURL(runtime).href);
  const gpt2 = await (await load('tokens')).vocabulary('gpt2');
  writeFileSync(path.join(cache, 'gpt2.tokenizer.json'), await gpt2.save('json'));
}

const places = (engine) => ({
  worker: path.join(ROOT, 'tests/bench/tokens-worker.js'),
  entries: Object.fromEntries(PEERS.map((peer) => [peer, entryFile(peer, engine)])),
});

/* ---- measuring ----------------------------------------------------------------------------------- */

async function measure(engine, real, hard) {
  const results = Object.fromEntries(
    PEERS.map((peer) => [peer, { start: [], speed: {}, first: {}, marks: {}, hard: {} }]),
  );
  const opened = async (peer) => {
    const worker = await engine.start(peer);
    const { ms } = await worker.ask('open', { url: worker.url });
    return { worker, ms };
  };

  say(`${engine.name}: import to first token`);
  for (let i = 0; i < STARTS; i += 1) {
    for (const peer of PEERS) {
      const { worker, ms } = await opened(peer);
      results[peer].start.push(ms);
      await worker.stop();
    }
  }

  const workers = new Map();
  for (const peer of PEERS) workers.set(peer, (await opened(peer)).worker);
  for (const [name, text] of Object.entries(real)) {
    for (const worker of workers.values()) await worker.ask('text', { name, text });
    const bytes = Buffer.byteLength(text);
    const samples = new Map(PEERS.map((peer) => [peer, []]));
    for (let round = 0; round <= rounds; round += 1) {
      // Each round begins with another one, so that no one always runs on a hot machine.
      const order = PEERS.map((_, i) => PEERS[(i + round) % PEERS.length]);
      for (const peer of order) {
        const least = round === 0 ? 0 : SAMPLE_MS;
        const { ms, mark } = await workers.get(peer).ask('sample', { name, least });
        results[peer].marks[name] = mark;
        if (round === 0) results[peer].first[name] = bytes / 1000 / ms;
        else samples.get(peer).push(bytes / 1000 / ms);
      }
    }
    for (const peer of PEERS) results[peer].speed[name] = Math.max(...samples.get(peer));
    say(`${engine.name}: ${name}`);
  }

  for (const [name, text] of Object.entries(hard)) {
    for (const peer of PEERS) {
      await workers.get(peer).ask('text', { name, text });
      const sample = await workers
        .get(peer)
        .ask('sample', { name, least: 0 }, limit)
        .catch((error) => ({ ms: /^Error: (\w+)/.exec(String(error))?.[1] ?? 'Error' }));
      // null: given up; a word: the error that it threw.
      results[peer].hard[name] = sample ? sample.ms : null;
      results[peer].marks[name] = sample?.mark;
      if (!sample) {
        await workers.get(peer).stop();
        workers.set(peer, (await opened(peer)).worker);
      }
    }
    say(`${engine.name}: ${name}`);
  }

  const [first] = Object.keys(real);
  const training = [];
  for (let i = 0; i < 3 && first; i += 1) {
    training.push(await workers.get(OURS).ask('train', { name: first, merges: MERGES }));
  }
  for (const worker of workers.values()) await worker.stop();

  const right = (peer, name) =>
    results[REFERENCE].marks[name] === undefined || results[peer].marks[name] === undefined
      ? null
      : results[peer].marks[name] === results[REFERENCE].marks[name];
  return {
    engine: engine.name,
    peers: Object.fromEntries(
      PEERS.map((peer) => {
        const { start, speed, first: firstSpeed, hard: hardMs } = results[peer];
        const names = [...Object.keys(real), ...Object.keys(hard)];
        return [
          peer,
          {
            version: VERSIONS[peer],
            first_token_ms: Math.min(...start),
            shipped_bytes: engine.shipped(peer),
            mb_per_s: speed,
            first_call_mb_per_s: firstSpeed,
            hard_ms: hardMs,
            ids_right: Object.fromEntries(names.map((name) => [name, right(peer, name)])),
          },
        ];
      }),
    ),
    times_fastest_right_peer: Object.fromEntries(
      Object.keys(real).map((name) => {
        const rivals = PEERS.filter((peer) => peer !== OURS && right(peer, name));
        const fastest = Math.max(...rivals.map((peer) => results[peer].speed[name]));
        return [name, results[OURS].speed[name] / fastest];
      }),
    ),
    training: training.length > 0 && {
      bytes: Buffer.byteLength(real[first]),
      merges: training[0].merges,
      seconds: Math.min(...training.map(({ ms }) => ms)) / 1000,
    },
  };
}

/* ---- printing ------------------------------------------------------------------------------------ */

const short = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(value >= 1 ? 1 : 2));
function duration(ms) {
  if (ms === null) return `> ${options.limit} s`;
  if (typeof ms === 'string') return ms;
  return ms >= 1000 ? `${short(ms / 1000)} s` : `${short(ms)} ms`;
}

function print({ engine, peers, times_fastest_right_peer: times, training }) {
  const real = Object.keys(times);
  const [ownValues] = Object.values(peers);
  const hard = Object.keys(ownValues.hard_ms);
  console.log(`\n${engine}: MB/s warm (first call), then ms; * ids differ from tiktoken's`);
  const rows = [['', ...real, 'first token', 'brotli', ...hard]];
  for (const [peer, values] of Object.entries(peers)) {
    const star = (name) => (values.ids_right[name] === false ? '*' : '');
    rows.push([
      values.version ? `${peer} ${values.version}` : peer,
      ...real.map(
        (name) =>
          `${short(values.mb_per_s[name])} (${short(values.first_call_mb_per_s[name])})${star(name)}`,
      ),
      duration(values.first_token_ms),
      values.shipped_bytes === undefined ? '' : `${short(values.shipped_bytes / 1000)} KB`,
      ...hard.map((name) => duration(values.hard_ms[name]) + star(name)),
    ]);
  }
  rows.push(['times the fastest right peer', ...real.map((name) => short(times[name]))]);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  if (training) {
    console.log(
      `Training: ${training.merges} merges of ${(training.bytes / 1e6).toFixed(2)} MB in ${training.seconds.toFixed(2)} s`,
    );
  }
}

await writeEntries();
const real = Object.fromEntries(
  Object.entries(realTexts()).filter(([name, text]) => {
    if (text === undefined) say(`This machine has no text for “${name}”: left out.`);
    return text !== undefined;
  }),
);
const hard = limit > 0 ? hardTexts() : {};
const report = {
  machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${os.type()} ${os.release()}`,
  results: [],
};
if (!options.json) console.log(report.machine);
for (const [name, make] of [
  ['node', async () => nodeEngine(places('node'))],
  [
    'chromium',
    () => chromiumEngine({ ...places('chromium'), folder: path.join(cache, 'dist'), say }),
  ],
]) {
  if (options.only && options.only !== name) continue;
  const engine = await make();
  try {
    const result = await measure(engine, real, hard);
    report.results.push(result);
    if (!options.json) print(result);
  } finally {
    await engine.close();
  }
}
if (options.json) console.log(JSON.stringify(report, null, 2));
// Threads of encoders that were given up may still run.
process.exit(0);
