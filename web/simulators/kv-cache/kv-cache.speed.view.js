/** The roofline of a step and of a prompt. */
import { html } from 'lit';
import { fileSays } from '../../shared/file-drop.js';
import { number } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import {
  formatCount as count,
  formatDecimalBytes as bytes,
  formatExact,
  formatOperations,
  formatSeconds,
  formatShort,
  many,
} from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { rooflinePlot } from '../../shared/roofline-plot.js';
import { stepsTable } from '../../shared/steps-table.js';
import { comparedName, sayBound } from './kv-cache.model.js';
import { said } from './kv-cache.product.view.js';

/** What a step reads, for a model that is all read and for one with experts. */
const sayReads = ({ active_parameters, parameters }) =>
  active_parameters < parameters
    ? msg('One token’s experts are read at the least, each cache for itself.')
    : msg('Weights are read once a step for all of them, each cache for itself.');
const pointOf = ({ roof }) => ({ x: roof.intensity, y: roof.attained_flops_s });
export const compared = ({ other }) => (other && !other.problem ? other : undefined);

export function roofline(numbers) {
  const { state, bill, path } = numbers;
  const other = compared(numbers);
  const sequences = count(state.sequences);
  const series = [
    {
      name: msg(str`decode, ${sequences} at once`),
      tone: 'q',
      side: 'right',
      points: [pointOf(bill.decode)],
    },
    { name: msg('prompt'), tone: 's', side: 'below', points: [pointOf(bill.prefill)] },
  ];
  if (other) {
    series.push({ name: 'B', tone: 'w', side: 'above', points: [pointOf(other.decode)] });
  }
  if (!path.problem) {
    const points = [...path.decode_intensity].map((x, i) => ({ x, y: path.decode_flops_s[i] }));
    series.push({ name: '', tone: 'q', side: 'right', points, path: true });
  }
  const each = state.accelerators === 1 ? '' : `${count(state.accelerators)} × `;
  const [bandwidth, arithmetic] = [state.bandwidth_tb_s, state.tflops].map(
    (value) => `${each}${formatShort(value)}`,
  );
  const ridge = formatShort(bill.decode.roof.ridge);
  return rooflinePlot({
    title: msg('Operations a second, at most'),
    ridge: bill.decode.roof.ridge,
    peak: bill.decode.roof.peak_flops_s,
    ridgeName: msg(str`ridge ${ridge}`),
    roofNames: [msg(str`bytes: ${bandwidth} TB/s`), msg(str`operations: ${arithmetic} TFLOP/s`)],
    series,
    sayX: (value) => formatOperations(value),
    sayY: (value) => formatOperations(value),
    xName: msg('operations for each byte read'),
  });
}

/** Every line of the table: what it is called, and its number for a step and for a prompt. */
const lines = (ui) => [
  {
    name: msg('weights read'),
    ofStep: ({ decode }) => bytes(decode.weight_bytes),
    ofPrompt: ({ decode }) => bytes(decode.weight_bytes),
  },
  {
    name: msg('cache'),
    ofStep: ({ decode }) => bytes(decode.cache_bytes),
    ofPrompt: (bill) => bytes(bill.sequence_needed_bytes),
  },
  { name: msg('operations'), of: ({ roof }) => formatOperations(roof.flops) },
  { name: msg('operations a byte'), of: ({ roof }) => formatShort(roof.intensity) },
  {
    name: msg('time'),
    of: ({ roof }) => (ui?.exact ? `${formatExact(roof.seconds)} s` : formatSeconds(roof.seconds)),
  },
  { name: msg('bound by'), word: ({ roof }) => sayBound(roof) },
  { name: msg('tokens a second'), ofStep: ({ decode }) => said(decode.tokens_per_s, ui) },
  { name: msg('for each request'), ofStep: ({ decode }) => said(decode.sequence_tokens_per_s, ui) },
];

function speedTable(numbers, ui) {
  const { state, bill } = numbers;
  const other = compared(numbers);
  const all = lines(ui);
  const step = (from) => (i) => {
    const { ofStep, of, word } = all[i];
    if (word) return html`<strong>${word(from.decode)}</strong>`;
    return number(ofStep ? ofStep(from) : of(from.decode));
  };
  const prompt = (i) => {
    const { ofPrompt, ofStep, of, word } = all[i];
    if (word) return html`<strong>${word(bill.prefill)}</strong>`;
    if (ofPrompt) return number(ofPrompt(bill));
    return ofStep ? html`<span class="kv-soft">–</span>` : number(of(bill.prefill));
  };
  const tokens = many(state.tokens, msg('token'), msg('tokens'));
  const columns = [
    {
      head: html`<span class="spoken">${msg('what')}</span>`,
      label: msg('what'),
      cell: (i) => all[i].name,
    },
    {
      head: html`<span class="kv-decode">■ ${msg('a step')}</span>`,
      label: msg('a step'),
      cell: step(bill),
    },
    {
      head: html`<span class="kv-prompt">● ${msg(str`a prompt of ${tokens}`)}</span>`,
      label: msg('a prompt'),
      cell: prompt,
    },
  ];
  if (other) {
    const [scheme, format] = [comparedName(state.compare), state.compare_format];
    columns.push({
      head: html`<span class="kv-other-step"
        >◆ ${msg(str`a step of B: ${scheme}, ${format}`)}</span
      >`,
      label: msg('a step of B'),
      cell: step(other),
    });
  }
  return stepsTable({
    caption: msg('One step of decoding and one prompt, on the accelerator'),
    columns,
    rows: indices(all.length),
  });
}

export const speedBody = (numbers, ui) =>
  html`<div class="kv-speed">${roofline(numbers)} ${speedTable(numbers, ui)}</div>
    ${
      ui?.file
        ? fileSays(ui)
        : html`<p class="kv-note">
            ${msg('Dots: decoding from 1 to 256 requests at once.')} ${sayReads(numbers.bill.model)}
            ${msg('Bounds by data sheets: nothing here is measured.')}
          </p>`
    }`;
