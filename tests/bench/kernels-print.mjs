/** What `npm run bench:kernels` measured, as tables for a terminal and for a README. */
import { gigaflops, shareOfRoof } from '../../web/pages/bench/roof.js';
import { shapeName } from '../../web/pages/bench/shapes.js';
import { duration, shareText, short } from '../../web/pages/bench/words.js';

export function byteCount(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${short(bytes / 1024 ** power)} ${units[power]}`;
}

const scientific = (value) => (value === 0 ? '0' : value.toExponential(0));

export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows;
  console.log(line(head));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of body) console.log(line(row));
}

/** Numbers the remarks of a table and keeps them for below it. */
class Remarks {
  #texts = [];

  /** The mark of a remark; the same one for the same text. */
  mark(text) {
    if (!this.#texts.includes(text)) this.#texts.push(text);
    return `[${this.#texts.indexOf(text) + 1}]`;
  }

  print() {
    this.#texts.forEach((text, index) => console.log(`[${index + 1}] ${text}`));
  }
}

const name = ({ library, way, ours }) => (ours ? `${library}/${way}` : library);

const share = (limits, row, { fastest }) => shareText(shareOfRoof(limits, row, fastest));

/** Why a result has no time. */
const reason = ({ error, wrong, difference }) =>
  error ?? (wrong ? `wrong by ${scientific(difference)}` : 'left out: it would take too long');

const timed = (result) => result.fastest !== undefined && !result.wrong;

/** How many times our time a peer's is (or, without ours, its time), and its way where it has several. */
function against(peer, best, remarks) {
  if (!peer) return '';
  const others = (peer.other_ways ?? []).filter((other) => !timed(other));
  const marks = others
    .map((other) => remarks.mark(`${peer.library}, ${other.way}: ${reason(other)}`))
    .join('');
  if (!timed(peer)) {
    return `– ${remarks.mark(`${peer.library}, ${peer.way}: ${reason(peer)}`)}${marks}`;
  }
  const way = peer.other_ways ? remarks.mark(`its ${peer.way}`) : '';
  const value = best ? `${short(peer.fastest / best.fastest)}x` : duration(peer.fastest);
  return `${value}${peer.once ? '~' : ''} ${way}${marks}`.trimEnd();
}

function printComparison({ rows, limits }, remarks) {
  const peers = [
    ...new Set(
      rows.flatMap(({ results }) =>
        results.filter(({ ours }) => !ours).map(({ library }) => library),
      ),
    ),
  ];
  const head = ['heads, n, d', 'ours', 'fastest (median)', 'GFLOP/s', 'of its roof', ...peers];
  const lines = rows.map((row) => {
    const ours = row.results.filter((result) => result.ours && timed(result));
    const [best] = ours.sort((a, b) => a.fastest - b.fastest);
    const right = row.results.filter(({ difference }) => difference !== undefined);
    const largest = Math.max(...right.map(({ difference }) => difference));
    return [
      shapeName(row.shape),
      ...(best
        ? [
            name(best),
            `${duration(best.fastest)} (${duration(best.median)})`,
            short(gigaflops(row.flops, best.fastest)),
            share(limits[best.library], row, best),
          ]
        : ['–', '', '', '']),
      ...peers.map((peer) =>
        against(
          row.results.find(({ library }) => library === peer),
          best,
          remarks,
        ),
      ),
      scientific(largest),
    ];
  });
  printTable([[...head, 'largest difference'], ...lines]);
}

function printBuilds({ rows, limits }, remarks) {
  const builds = [
    ...new Set(rows.flatMap(({ results }) => results.filter(({ ours }) => ours).map(name))),
  ];
  if (builds.length === 0) return;
  console.log('\nEach build/back end: GFLOP/s, share of its own roof');
  printTable([
    ['heads, n, d', ...builds],
    ...rows.map((row) => [
      shapeName(row.shape),
      ...builds.map((build) => {
        const result = row.results.find((each) => each.ours && name(each) === build);
        if (!result) return '';
        if (!timed(result)) return `– ${remarks.mark(reason(result))}`;
        const speed = short(gigaflops(row.flops, result.fastest));
        return `${speed}${result.once ? '~' : ''}, ${share(limits[result.library], row, result)}`;
      }),
    ]),
  ]);
}

/** A bar as long as the logarithm of the time. */
const bar = (ms, least) => '█'.repeat(1 + Math.round(3 * Math.log2(ms / least)));

/** How much longer decoding takes from pages than from a cache in one piece. */
function printPaging({ rows }) {
  for (const { shape, results } of rows) {
    for (const paged of results.filter(({ way, ours }) => ours && way === 'paged')) {
      const whole = results.find(
        ({ way, library }) => way === 'contiguous' && library === paged.library,
      );
      if (!timed(paged) || !whole || !timed(whole)) continue;
      const ratio = (paged.fastest / whole.fastest).toFixed(2);
      console.log(
        `${paged.library}, ${shapeName(shape)}: pages of 16 tokens take ${ratio} times as long as one piece`,
      );
    }
  }
}

function printGrowth(points) {
  const measured = points.filter(timed);
  const [first] = measured;
  console.log(`\nGrowth, 1 head of 64, ${name(first)}: the bars are logarithms`);
  for (const { n, flops, fastest, once } of measured) {
    const speed = `${short(gigaflops(flops, fastest))} GFLOP/s${once ? ' ~' : ''}`;
    console.log(
      `${String(n).padStart(6)} ${duration(fastest).padStart(7)} ${speed.padStart(13)} ${bar(fastest, first.fastest)}`,
    );
  }
  for (const { n, ...point } of points.filter((each) => !timed(each))) {
    console.log(`${String(n).padStart(6)} ${reason(point)}`);
  }
}

/** One engine's tables. `~` stands at what was measured once. */
export function printEngine(result) {
  const { engine, webgpu, limits, about, absent, growth } = result;
  console.log(`\n${engine}${webgpu ? ', WebGPU on a software adapter: ratios only' : ''}`);
  for (const [build, values] of Object.entries(limits)) {
    const { multiply_add_gflops: computing, stream_gb_s: streaming } = values;
    console.log(
      `limits of ${build}: ${short(computing)} GFLOP/s of multiply-add, ${short(streaming)} GB/s streamed`,
    );
  }
  for (const [library, text] of Object.entries(about)) console.log(`${library}: ${text}`);
  for (const [library, error] of Object.entries(absent)) {
    console.log(`${library} does not run here: ${error}`);
  }
  const remarks = new Remarks();
  console.log('How many times as long each library takes as ours (fastest to fastest):');
  printComparison(result, remarks);
  printBuilds(result, remarks);
  remarks.print();
  printPaging(result);
  if (growth.length > 0) printGrowth(growth);
}

export function printMemory(points) {
  const [{ variant, backend }] = points;
  console.log(`\nMemory, 1 head of 64, ${variant}/${backend}, each in a fresh instance`);
  printTable([
    ['n', 'Q, K, V, output', 'heap before', 'heap at its peak', 'grown by, a token', 'S would be'],
    ...points.map((point) => {
      const grown = point.heap_peak_bytes - point.heap_before_bytes;
      return [
        String(point.n),
        byteCount(point.array_bytes),
        byteCount(point.heap_before_bytes),
        byteCount(point.heap_peak_bytes),
        `${short(grown / point.n)} B`,
        byteCount(point.score_bytes),
      ];
    }),
  ]);
}
