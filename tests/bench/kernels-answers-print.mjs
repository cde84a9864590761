/** What was measured of the other answers to n², as tables. */
import { gigaflops } from '../../web/pages/bench/roof.js';
import { duration, shareText, short } from '../../web/pages/bench/words.js';
import { byteCount, printTable } from './kernels-print.mjs';

/** One engine's tables. */
export function printAnswers({ engine, answers }) {
  for (const { build, limits, streams, sparse } of answers) {
    const computing = short(limits.multiply_add_gflops);
    console.log(
      `\n${engine}, ${build} (${computing} GFLOP/s of multiply-add): other answers to n²`,
    );
    printTable([
      ['8 heads of 64, n = 16,384', 'ms', 'GFLOP/s', 'of its roof'],
      ...streams.map((row) => [
        row.name,
        duration(row.ms),
        short(gigaflops(row.flops, row.ms)),
        shareText(row),
      ]),
    ]);
    printTable([
      ['sparse, 1 head of 64, n', 'blocks of 64', 'of the pairs', 'sparse', 'tiled, full', 'times'],
      ...sparse.map(({ n, top_k, density, ms, full_ms }) => [
        String(n),
        String(top_k),
        `${short(100 * density)} %`,
        duration(ms),
        duration(full_ms),
        short(full_ms / ms),
      ]),
    ]);
  }
}

export function printAnswerGrowth(points) {
  console.log(
    `\nGrowth, 1 head of 64 (64 channels), ${points[0].variant}, in pieces of 4,096 tokens`,
  );
  printTable([
    ['', 'n', 'time', 'a token', 'heap at its peak'],
    ...points.map(({ kind, n, ms, heap_peak_bytes: heap }) => [
      kind,
      String(n),
      duration(ms),
      `${short((1e6 * ms) / n)} ns`,
      byteCount(heap),
    ]),
  ]);
}
