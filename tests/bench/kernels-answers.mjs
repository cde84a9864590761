/** The other answers to n²: how near linear attention and the scan come to the roof, and what sparse attention saves. */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { bestLimits, shareOfRoof } from '../../web/pages/bench/roof.js';
import { createKernels } from '../../web/runtime/kernels.js';
import { bytesOf, rawModule, watchedEngine } from '../node/support.js';
import { timeAnswer } from './answers-task.js';

const SAMPLE_MS = 100;
export const LENGTHS = [4096, 16384, 65536, 262144, 1048576];
const SPARSE = [4096, 8192, 16384];

/** d = 64 throughout; of the scan as many channels as the heads have columns, 16 numbers each. */
const STREAMS = [
  { name: 'linear attention', kind: 'linear', n: 16384, n_heads: 8 },
  { name: 'the same, gated', kind: 'linear', n: 16384, n_heads: 8, gated: true },
  { name: 'selective scan', kind: 'scan', n: 16384, n_heads: 8 },
];

/**
 * @param {import('./kernels-measure.mjs').Measurement} measurement
 * @param {{ rounds: number, say: (text: string) => void }} how
 */
export async function measureAnswers(measurement, { rounds, say }) {
  const results = [];
  for (const build of measurement.builds().filter((name) => name !== 'scalar')) {
    let limits;
    const best = async (what) => {
      say(`${build}: ${what.name ?? what.kind}, n = ${what.n}`);
      let seen;
      for (let round = 0; round < rounds; round += 1) {
        limits = bestLimits(limits, await measurement.ours(build, 'limits', { ms: SAMPLE_MS }));
        const now = await measurement.ours(build, 'answer', { ...what, least: SAMPLE_MS });
        if (!(now.ms >= seen?.ms)) seen = now;
      }
      return { ...what, ...seen };
    };
    const streams = [];
    for (const what of STREAMS) streams.push(await best(what));
    const sparse = [];
    for (const n of SPARSE) {
      const full = await best({ kind: 'full', n, n_heads: 1 });
      sparse.push({ ...(await best({ kind: 'sparse', n, n_heads: 1 })), full_ms: full.ms });
    }
    results.push({
      build,
      limits,
      // Against the best limits that were seen, those of later rounds included.
      streams: streams.map((row) => ({ ...row, ...shareOfRoof(limits, row, row.ms) })),
      sparse,
    });
  }
  return results;
}

/**
 * One head, fed in pieces of 4,096 tokens with the state between them: time and memory against the length, each length in a
 * fresh instance. What the inputs take is counted.
 */
export async function measureAnswerGrowth(say) {
  const variant = (await relaxedSimd()) ? 'relaxed' : (await simd()) ? 'simd' : 'scalar';
  const bytes = await bytesOf(variant, 'kernels');
  const points = [];
  for (const kind of ['linear', 'scan']) {
    for (const n of LENGTHS) {
      say(`growth of ${kind}: ${n} tokens`);
      const watched = watchedEngine();
      const raw = await rawModule(variant, {
        name: 'kernels',
        bytes,
        webAssembly: watched.webAssembly,
      });
      const stopped = () => {
        throw new Error('the module stopped');
      };
      const kernels = createKernels({ raw, variant }, stopped);
      const { ms } = timeAnswer(kernels, { kind, n, n_heads: 1, least: 2 * SAMPLE_MS });
      points.push({ kind, variant, n, ms, heap_peak_bytes: watched.heapBytes() });
    }
  }
  return points;
}
