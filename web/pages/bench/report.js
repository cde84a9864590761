/** What was measured, to carry away: as text for a message, as CSV, as JSON for a machine. */
import { toCSV } from '../../shared/export.js';
import { msg, str } from '../../shared/language.js';
import { NAIVE } from './measure.js';
import { gigaflops, shareOfRoof } from './roof.js';
import { shapeName } from './shapes.js';
import { duration, shareText, short } from './words.js';

/**
 * @typedef {object} Measured
 * @property {{ variant: string, contestants: string[], adapter?: string }} about
 * @property {import('./roof.js').Limits} [limits]
 * @property {object[]} rows
 * @property {{ browser: string, threads: number, date: string }} device
 */

/** Each result with what follows from it. @param {Measured} measured */
export function resultsOf({ rows, limits }) {
  return rows.flatMap((row, index) => {
    const naive = row.results.find(({ name }) => name === NAIVE);
    return row.results.map((result) => {
      const { fastest, wrong } = result;
      const isTimed = fastest !== undefined && !wrong;
      return {
        ...result,
        number: index + 1,
        shape: shapeName(row.shape),
        flops: row.flops,
        isTimed,
        gflops: isTimed ? gigaflops(row.flops, fastest) : undefined,
        reached: isTimed && result.isLimited ? shareOfRoof(limits, row, fastest) : undefined,
        timesNaive: isTimed && naive?.fastest ? naive.fastest / fastest : undefined,
      };
    });
  });
}

/** Why a result has no time. */
export function reasonOf({ error, wrong, difference }) {
  if (error !== undefined) return error;
  if (!wrong) return msg('left out: takes too long');
  const by = difference.toExponential(0);
  return msg(str`wrong by ${by}`);
}

const head = () => [
  msg('shape (heads, n, d)'),
  msg('ran on'),
  // Not the time that is counted in “two times”.
  msg('time', { id: 'bench-time' }),
  'GFLOP/s',
  msg('of its roof'),
  '× JavaScript',
];

/** The cells of a result, as the table shows them. */
export const cellsOf = ({ name, isTimed, fastest, gflops, reached, timesNaive, ...rest }) =>
  isTimed
    ? [
        name,
        duration(fastest),
        short(gflops),
        shareText(reached),
        timesNaive ? short(timesNaive) : '–',
      ]
    : [name, reasonOf(rest), '–', '–', '–'];

function limitsLine({ multiply_add_gflops, stream_gb_s }) {
  const [computing, streaming] = [short(multiply_add_gflops), short(stream_gb_s)];
  return msg(str`limits: ${computing} GFLOP/s multiply-add, ${streaming} GB/s streamed`);
}

/** @param {Measured} measured */
export function toText(measured) {
  const { about, limits, device } = measured;
  const { threads } = device;
  const { variant, adapter } = about;
  const table = [head(), ...resultsOf(measured).map((each) => [each.shape, ...cellsOf(each)])];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return [
    `attention-deck, ${device.date}`,
    device.browser,
    msg(str`${threads} logical processors; build ${variant}; one thread`),
    ...(adapter ? [msg(str`WebGPU adapter: ${adapter}`)] : []),
    ...(limits ? [limitsLine(limits)] : []),
    '',
    ...table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    ),
    '',
  ].join('\n');
}

/** @param {Measured} measured */
export function toTable(measured) {
  const head = `shape,ran_on,fastest_ms,median_ms,gflops,share_of_roof,times_javascript,largest_difference,remark`;
  return toCSV([
    head.split(','),
    ...resultsOf(measured).map((each) => [
      each.shape,
      each.name,
      each.fastest ?? '',
      each.median ?? '',
      each.gflops ?? '',
      each.reached?.share ?? '',
      each.timesNaive ?? '',
      each.difference ?? '',
      each.isTimed ? '' : reasonOf(each),
    ]),
  ]);
}

/** @param {Measured} measured */
export const toJSON = (measured) => `${JSON.stringify(measured, null, 2)}\n`;
