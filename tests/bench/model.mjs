/**
 * `npm run bench:model [-- --json] [--rounds 3] [--software]`: SmolLM2-135M-Instruct in Q4_1 (`npm run model`), in our module and in
 * llama.cpp's as @wllama/wllama brings it, on one thread in Chromium, in one interleaved run: reading the file, a prompt of
 * 16 and of 256 tokens, and writing 64 tokens one by one; then the most probable continuation of five prompts by 80 tokens,
 * compared token by token (model-agreement.mjs; with --rounds 0 that alone). Times pass or fail nothing; a continuation that
 * differs, and is no tie within rounding, does.
 *
 * Where the browser has a GPU, the long prompt on WebGPU is a row of its own; a software adapter, which is the processor
 * once more, is measured only with `--software`, and called one.
 *
 * Times are the fastest of all rounds: what else runs on the machine only ever makes them slower. The peer's are its own,
 * from its answers; ours are taken around the calls of a page. The limits of the machine are measured in the same rounds.
 */
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bestLimits, shareOfRoof } from '../../web/pages/bench/roof.js';
import { MODEL } from '../../web/build/model-file.mjs';
import { ROOT } from '../architecture/files.js';
import { chromiumEngine } from './engines.mjs';
import { compareContinuations, faultsOf, wordsOf } from './model-agreement.mjs';
import { installPeers } from './peers.mjs';

const WLLAMA = '3.13.0';
const LONG = 256;
const SHORT = 16;
const WRITTEN = 64;
const CAPACITY = 1024;
/** Multiply-adds of a token are its weights, and each is two FLOPs; the embedding is looked up, and is the output too. */
const PARAMETERS = 134_515_008;
const FILE_BYTES = 96_576_768;

/** Every word of it is a token, so that both cut it alike. */
const TEXT =
  'Once upon a time there was a small village near the sea where every house had a garden and every garden had a tree. ' +
  'The people of the village worked hard during the day and told stories in the evening. ';
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    software: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const say = (text) => console.error(text);

if (!existsSync(path.join(ROOT, 'web/runtime/modules/model.simd.wasm'))) {
  console.error('The modules are not built: run npm run modules first.');
  process.exit(2);
}
if (!existsSync(MODEL)) {
  console.error('The model is not there: run npm run model first.');
  process.exit(2);
}

const LIBRARIES = [
  { name: 'attention-deck relaxed', entry: 'attention-deck', variant: 'relaxed' },
  { name: 'attention-deck simd', entry: 'attention-deck', variant: 'simd' },
  { name: `wllama ${WLLAMA}`, entry: 'wllama' },
];

/** The scripts beside the peers that they import, as deep as where they are written, and the model as a page fetches it. */
function place() {
  const folder = path.join(ROOT, 'build/bench-model');
  const cache = installPeers('bench-model', { '@wllama/wllama': WLLAMA }, say);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  cpSync(path.join(ROOT, 'tests/bench/model-peers'), path.join(folder, 'model-peers'), {
    recursive: true,
  });
  symlinkSync(path.join(cache, 'node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(MODEL, path.join(folder, 'dist/model.gguf'));
  return folder;
}

const folder = place();
const engine = await chromiumEngine({
  worker: path.join(ROOT, 'tests/bench/model-worker.js'),
  entries: Object.fromEntries(
    ['attention-deck', 'wllama'].map((entry) => [
      entry,
      path.join(folder, 'model-peers', `${entry}.js`),
    ]),
  ),
  folder: path.join(folder, 'dist'),
  flags: [
    '--enable-unsafe-webgpu',
    ...(options.software ? ['--use-webgpu-adapter=swiftshader'] : []),
  ],
  say,
});

/** The fastest of what was seen. */
const least = (before, now) => (before === undefined ? now : Math.min(before, now));

async function measure() {
  const seats = [];
  for (const { name, entry, variant } of LIBRARIES) {
    say(`Opening ${name}`);
    const talk = await engine.start(entry);
    const opening = { variant, model: '/model.gguf', capacity: CAPACITY };
    const about = await talk.ask('open', { url: talk.url, options: opening });
    seats.push({ name, talk, about, isOurs: entry === 'attention-deck', times: {} });
  }
  const [ours] = seats;
  const prompts = {
    short: await ours.talk.ask('prompt', { text: TEXT, count: SHORT }),
    long: await ours.talk.ask('prompt', { text: TEXT.repeat(12), count: LONG }),
  };
  let limits;
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, talk, times } of seats) {
      say(`Round ${round + 1}: ${name}`);
      const note = (what, ms) => (times[what] = least(times[what], ms));
      note('short', await talk.ask('prefill', { prompt: prompts.short }));
      note('long', await talk.ask('prefill', { prompt: prompts.long }));
      const { ms } = await talk.ask('write', { prompt: prompts.short, count: WRITTEN });
      note('token', ms);
    }
    limits = bestLimits(limits, await ours.talk.ask('limits', { ms: 500 }));
  }
  if (rounds === 0) return { seats, limits };
  await measureOurs(seats, prompts.short);
  say('The long prompt on WebGPU');
  const webgpu = await ours.talk.ask('webgpu', {
    prompt: prompts.long,
    software: options.software,
  });
  return { seats, limits, webgpu: webgpu ?? { why: 'It did not answer in ten minutes.' } };
}

/** What is asked of ours besides: from the file to the first token, and memory. */
async function measureOurs(seats, prompt) {
  for (const seat of seats) {
    if (!seat.isOurs) continue;
    seat.memory = await seat.talk.ask('memory', { tokens: LONG });
    for (let round = 0; round < rounds; round += 1) {
      const now = await seat.talk.ask('first', { prompt });
      if (!(now.first_ms > seat.first?.first_ms)) seat.first = now;
    }
  }
}

function printTimes({ seats, limits, webgpu }) {
  console.log(`${os.cpus()[0]?.model ?? 'unknown'}, ${engine.name}, one thread`);
  const ms = (value) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
  const peer = seats.at(-1).times;
  const table = [
    ['', 'file read', `${SHORT} tokens`, `${LONG} tokens`, 'a token', `${LONG} tokens`, 'a token'],
    ...seats.map(({ name, about, times }) => [
      name,
      ms(about.load_ms),
      ms(times.short),
      ms(times.long),
      ms(times.token),
      `${(peer.long / times.long).toFixed(1)}x`,
      `${(peer.token / times.token).toFixed(1)}x`,
    ]),
  ];
  if (webgpu.ms) {
    const times = `${(peer.long / webgpu.ms).toFixed(1)}x`;
    table.push([`attention-deck WebGPU, ${webgpu.name}`, '', '', ms(webgpu.ms), '', times, '']);
  }
  for (const row of table) console.log(`| ${row.join(' | ')} |`);
  if (webgpu.why) console.log(`No row for WebGPU: ${webgpu.why}`);
  for (const { name, times, isOurs } of seats) {
    if (!isOurs) continue;
    const share = (work, time) => shareOfRoof(limits, work, time);
    const long = share({ flops: 2 * PARAMETERS * LONG, bytes: FILE_BYTES }, times.long);
    const token = share({ flops: 2 * PARAMETERS, bytes: FILE_BYTES }, times.token);
    const words = ({ share: part, memory }) =>
      `${Math.round(100 * part)} % of what ${memory ? 'streaming the weights' : 'multiply-adds in float32'} would allow`;
    console.log(`${name}: ${LONG} tokens at once ${words(long)}, a token ${words(token)}`);
  }
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  for (const { name, first, memory } of seats) {
    if (!first) continue;
    console.log(
      `${name}: the file's bytes alone ${ms(first.bytes_ms)}, the file read ${ms(first.read_ms)}, and the first token ` +
        `after ${SHORT} tokens of a prompt at ${ms(first.first_ms)}, ${(first.first_ms / first.read_ms).toFixed(2)} times that; ` +
        `memory ${megabytes(memory.bytes)} of ${megabytes(memory.allowed)} allowed`,
    );
  }
  console.log(
    `Limits: ${limits.multiply_add_gflops.toFixed(1)} GFLOP/s, ${limits.stream_gb_s.toFixed(1)} GB/s`,
  );
}

try {
  const { seats, limits, webgpu } = await measure();
  const rows = await compareContinuations(seats[0].talk, seats.at(-1).talk, say);
  const results = seats.map(({ talk: _, isOurs: __, ...result }) => result);
  if (options.json) console.log(JSON.stringify({ results, limits, rows, webgpu }, null, 2));
  else {
    if (limits) printTimes({ seats, limits, webgpu });
    for (const row of rows) console.log(wordsOf(row));
  }
  if (faultsOf(rows).length > 0) process.exitCode = 1;
} finally {
  await engine.close();
}
