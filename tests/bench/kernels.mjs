/**
 * `npm run bench:kernels [-- --json] [--rounds 5] [--limit 20] [--only node|chromium|webgpu] [--shapes WORDS] [--part attention|answers]`: our
 * attention kernels, every build and back end, beside attention in plain JavaScript, onnxruntime-web and TensorFlow.js, on
 * one thread, in one interleaved run. Results are compared with our plain kernel's before anything is timed. Nothing here
 * passes or fails.
 *
 * Times are the fastest of all samples in all rounds, and the median of the rounds' medians; the limits of the machine
 * are measured in the same rounds, and the best seen counts. What takes over 1.5 s is measured once (`~`); what
 * would take more than `limit` seconds is left out. `shapes` keeps those whose name contains the words.
 *
 * After that the other answers to n², ours alone: linear attention and the scan against the roof, how they grow, and sparse
 * attention beside the tiled one. `part` leaves out one of the two.
 *
 * WebGPU runs on Chromium's software adapter, which is no GPU: only the ratios between libraries mean anything.
 */
import os from 'node:os';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SHAPES, flops, leastBytes, shapeName, whole } from '../../web/pages/bench/shapes.js';
import { ROOT } from '../architecture/files.js';
import { chromiumEngine, nodeEngine } from './engines.mjs';
import { measureAnswerGrowth, measureAnswers } from './kernels-answers.mjs';
import { printAnswerGrowth, printAnswers } from './kernels-answers-print.mjs';
import { measureGrowth } from './kernels-growth.mjs';
import { LIBRARIES, bundles, entriesFor, installLibraries } from './kernels-libraries.mjs';
import { Measurement } from './kernels-measure.mjs';
import { measureMemory } from './kernels-memory.mjs';
import { printEngine, printMemory } from './kernels-print.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '20' },
    only: { type: 'string' },
    shapes: { type: 'string', default: '' },
    part: { type: 'string' },
  },
});
const how = { rounds: Number(options.rounds), limit: Number(options.limit) * 1000 };
const wants = (part) => !options.part || options.part === part;
const say = (text) => console.error(text);

if (!existsSync(path.join(ROOT, 'web/runtime/modules/kernels.simd.wasm'))) {
  console.error('The modules are not built: run npm run modules first.');
  process.exit(2);
}

const WEBGPU_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
const largest = Math.max(...SHAPES.map(({ n_heads, n_q, d }) => 4 * n_heads * n_q * d));
const places = (engine) => ({
  worker: path.join(ROOT, 'tests/bench/kernels-worker.js'),
  entries: entriesFor(engine),
  shared: largest,
});
const chromium = (engine, flags) =>
  chromiumEngine({ ...places(engine), folder: path.join(bundles, engine), flags, say });
const ENGINES = {
  node: { start: async () => nodeEngine(places('node')), shapes: SHAPES, grows: true },
  chromium: { start: () => chromium('chromium', []), shapes: SHAPES, grows: true },
  webgpu: { start: () => chromium('webgpu', WEBGPU_FLAGS), shapes: [whole(8, 512, 64)] },
};

async function measure(name) {
  const { start, shapes, grows } = ENGINES[name];
  const engine = await start();
  const measurement = new Measurement(engine, LIBRARIES[name], how);
  try {
    await measurement.open();
    const rows = [];
    const chosen = shapes.filter((each) => shapeName(each).includes(options.shapes));
    for (const shape of wants('attention') ? chosen : []) {
      say(`${engine.name}: ${shapeName(shape)}`);
      const results = await measurement.measure(shape);
      rows.push({ shape, flops: flops(shape), bytes: leastBytes(shape), results });
    }
    return {
      engine: engine.name,
      webgpu: name === 'webgpu',
      limits: measurement.limits,
      about: measurement.about,
      absent: measurement.absent,
      rows,
      growth: grows ? await measureGrowth(measurement, rows, say) : [],
      answers: grows && wants('answers') ? await measureAnswers(measurement, { ...how, say }) : [],
    };
  } finally {
    await measurement.close();
    await engine.close();
  }
}

installLibraries(say);
const report = {
  machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${os.type()} ${os.release()}`,
  date: new Date().toISOString(),
  rounds: how.rounds,
  engines: [],
  memory: [],
  answer_growth: [],
};
if (!options.json) console.log(report.machine);
for (const name of Object.keys(ENGINES)) {
  if (options.only && options.only !== name) continue;
  const result = await measure(name);
  report.engines.push(result);
  if (!options.json && result.rows.length > 0) printEngine(result);
  if (!options.json) printAnswers(result);
}
const inNode = !options.only || options.only === 'node';
if (inNode && wants('attention')) {
  report.memory = await measureMemory(how.limit, say);
  if (!options.json) printMemory(report.memory);
}
if (inNode && wants('answers')) {
  report.answer_growth = await measureAnswerGrowth(say);
  if (!options.json) printAnswerGrowth(report.answer_growth);
}
if (options.json) console.log(JSON.stringify(report, null, 2));
