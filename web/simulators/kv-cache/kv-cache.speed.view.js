/** The roofline of a step and of a prompt. */
import { html } from 'lit';
import { fileSays } from '../../shared/file-drop.js';
import { number } from '../../shared/controls.js';
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
import { COMPARED } from './kv-cache.model.js';
import { said } from './kv-cache.product.view.js';

/** What a step reads, for a model that is all read and for one with experts. */
const READS = {
  false: 'Weights are read once a step for all of them, each cache for itself.',
  true: 'One token’s experts are read at the least, each cache for itself.',
};
const pointOf = ({ roof }) => ({ x: roof.intensity, y: roof.attained_flops_s });
export const compared = ({ other }) => (other && !other.problem ? other : undefined);

export function roofline(numbers) {
  const { state, bill, path } = numbers;
  const other = compared(numbers);
  const series = [
    {
      name: `decode, ${count(state.sequences)} at once`,
      tone: 'q',
      side: 'right',
      points: [pointOf(bill.decode)],
    },
    { name: 'prompt', tone: 's', side: 'below', points: [pointOf(bill.prefill)] },
  ];
  if (other) {
    series.push({ name: 'B', tone: 'w', side: 'above', points: [pointOf(other.decode)] });
  }
  if (!path.problem) {
    const points = [...path.decode_intensity].map((x, i) => ({ x, y: path.decode_flops_s[i] }));
    series.push({ name: '', tone: 'q', side: 'right', points, path: true });
  }
  const each = state.accelerators === 1 ? '' : `${count(state.accelerators)} × `;
  return rooflinePlot({
    title: 'Operations a second, at most',
    ridge: bill.decode.roof.ridge,
    peak: bill.decode.roof.peak_flops_s,
    ridgeName: `ridge ${formatShort(bill.decode.roof.ridge)}`,
    roofNames: [
      `bytes: ${each}${formatShort(state.bandwidth_tb_s)} TB/s`,
      `operations: ${each}${formatShort(state.tflops)} TFLOP/s`,
    ],
    series,
    sayX: (value) => formatOperations(value),
    sayY: (value) => formatOperations(value),
    xName: 'operations for each byte read',
  });
}

/** Every line of the table: what it is called, and its number for a step and for a prompt. */
const lines = (ui) => [
  {
    name: 'weights read',
    ofStep: ({ decode }) => bytes(decode.weight_bytes),
    ofPrompt: ({ decode }) => bytes(decode.weight_bytes),
  },
  {
    name: 'cache',
    ofStep: ({ decode }) => bytes(decode.cache_bytes),
    ofPrompt: (bill) => bytes(bill.sequence_needed_bytes),
  },
  { name: 'operations', of: ({ roof }) => formatOperations(roof.flops) },
  { name: 'operations a byte', of: ({ roof }) => formatShort(roof.intensity) },
  {
    name: 'time',
    of: ({ roof }) => (ui?.exact ? `${formatExact(roof.seconds)} s` : formatSeconds(roof.seconds)),
  },
  { name: 'bound by', word: ({ roof }) => roof.bound_by },
  { name: 'tokens a second', ofStep: ({ decode }) => said(decode.tokens_per_s, ui) },
  { name: 'for each request', ofStep: ({ decode }) => said(decode.sequence_tokens_per_s, ui) },
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
  const columns = [
    { head: html`<span class="spoken">what</span>`, label: 'what', cell: (i) => all[i].name },
    { head: html`<span class="kv-decode">■ a step</span>`, label: 'a step', cell: step(bill) },
    {
      head: html`<span class="kv-prompt">● a prompt of ${many(state.tokens, 'token')}</span>`,
      label: 'a prompt',
      cell: prompt,
    },
  ];
  if (other) {
    columns.push({
      head: html`<span class="kv-other-step"
        >◆ a step of B: ${COMPARED[state.compare]}, ${state.compare_format}</span
      >`,
      label: 'a step of B',
      cell: step(other),
    });
  }
  return stepsTable({
    caption: 'One step of decoding and one prompt, on the accelerator',
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
            Dots: decoding from 1 to 256 requests at once.
            ${READS[numbers.bill.model.active_parameters < numbers.bill.model.parameters]} Bounds by
            data sheets: nothing here is measured.
          </p>`
    }`;
