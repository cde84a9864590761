/** The accelerator's memory, to scale, with what stands below it. */
import { html, nothing, svg } from 'lit';
import { cell, choice, number, select } from '../../shared/controls.js';
import { fileDrop, fileSays } from '../../shared/file-drop.js';
import { msg, str } from '../../shared/language.js';
import { formatDecimalBytes as bytes, formatExact } from '../../shared/number.js';
import { both, formats, hidden } from './kv-cache.controls.js';
import { HATCH, edgeOf, middleOf, partsOf, roomIn, scaleOf } from './kv-cache.layout.js';
import { FIELDS, areWeightsTold, comparisons, nameOf, schemeName } from './kv-cache.model.js';
import { allocated, facts, productLines } from './kv-cache.product.view.js';

/** Strokes cut off by a drawing of their own: a pattern would need an id, which may stand once in a page. */
const hatched = (x, width) =>
  svg`<svg x=${x} width=${width} height="100%"><path class="kv-hatch" d=${HATCH}></path></svg>`;

const partNames = () => ({
  weights: msg('weights'),
  other: msg('other'),
  state: msg('states'),
  unused: msg('unused'),
});

/** Keys above, values below; a latent is both at once. */
function part(each, latent) {
  const { kind, x, width, beyond } = each;
  const box = { x: `${x}%`, width: `${width}%` };
  const room = roomIn(width);
  const label = (text, y) =>
    room === 'narrow' || beyond
      ? nothing
      : svg`<text class="kv-part-name kv-room-${room} kv-on-${kind}" x="${middleOf(each)}%" y=${y}>${text}</text>`;
  let drawn;
  if (kind === 'cache' && !latent) {
    drawn = svg`<rect class="kv-k" x=${box.x} width=${box.width} height="50%"></rect>
      <rect class="kv-v" x=${box.x} width=${box.width} y="50%" height="50%"></rect>
      ${label(msg('keys'), '25%')} ${label(msg('values'), '75%')}`;
  } else if (kind === 'cache') {
    drawn = svg`<rect class="kv-latent" x=${box.x} width=${box.width} height="100%"></rect>
      ${label(msg('latents'), '50%')}`;
  } else if (kind === 'unused') {
    drawn = svg`<rect class="kv-unused" x=${box.x} width=${box.width} height="100%"></rect>
      ${hatched(box.x, box.width)}
      ${label(partNames()[kind], '50%')}`;
  } else {
    drawn = svg`<rect class="kv-${kind}" x=${box.x} width=${box.width} height="100%"></rect>
      ${label(partNames()[kind], '50%')}`;
  }
  const over = beyond
    ? svg`<rect class="kv-beyond" x=${box.x} width=${box.width} height="100%"></rect>`
    : nothing;
  return svg`<g>${drawn}${over}</g>`;
}

/** While a guess is awaited, only what is known beforehand stands in the memory. */
function bar(bill, other, scale, ui) {
  const parts = partsOf(bill, other, scale).filter(
    ({ kind }) => !ui?.answerHidden || kind === 'weights' || kind === 'other',
  );
  const latent = bill.model.latent_rank > 0;
  const edge = edgeOf(bill, scale);
  return html`<svg class="kv-bar" width="100%" aria-hidden="true" focusable="false">
    <rect class="kv-memory" width="${edge}%" height="100%"></rect>
    ${parts.map((each) => part(each, latent))}
    <rect class="kv-frame" width="${edge}%" height="100%"></rect>
  </svg>`;
}

/** The edge of the memory, once for all bars. */
function ruler(bill, scale) {
  const edge = edgeOf(bill, scale);
  const size = bytes(bill.memory.memory_bytes);
  return html`<svg class="kv-ruler" width="100%" aria-hidden="true" focusable="false">
    <line class="kv-tick" x1="${edge}%" x2="${edge}%" y2="30%"></line>
    <text class="kv-edge kv-room-${roomIn(edge)}" x="${edge}%" y="90%">
      ${msg(str`${size} of memory`)}
    </text>
  </svg>`;
}

const swatch = (kind) =>
  html`<svg class="kv-swatch" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    ${
      kind === 'cache'
        ? svg`<rect class="kv-k" width="16" height="8"></rect><rect class="kv-v" y="8" width="16" height="8"></rect>`
        : kind === 'unused'
          ? svg`<rect class="kv-unused" width="16" height="16"></rect>${hatched(0, 16)}`
          : svg`<rect class="kv-${kind}" width="16" height="16"></rect>`
    }
  </svg>`;

const item = (kind, name, value) =>
  html`<span class="kv-item">${kind ? swatch(kind) : nothing}${name} ${value}</span>`;

function fitMark(bill) {
  const { memory } = bill;
  if (memory.fits && !areWeightsTold(bill)) {
    return html`<strong class="kv-misfit"
      ><span aria-hidden="true">⚠ </span>${msg('weights not told, nobody knows')}</strong
    >`;
  }
  const size = number(bytes(memory.fits ? memory.free_bytes : memory.missing_bytes));
  return memory.fits
    ? html`<strong class="kv-fits"
        ><span aria-hidden="true">✓ </span>${msg(html`fits: ${size} free`)}</strong
      >`
    : html`<strong class="kv-misfit"
        ><span aria-hidden="true">✕ </span>${msg(html`does not fit: ${size} missing`)}</strong
      >`;
}

/** What most of a cache is drawn as. */
function cacheKind({ model: fields, token_bytes }) {
  if (token_bytes === 0) return 'state';
  return fields.latent_rank > 0 ? 'latent' : 'cache';
}

/** What is in a bar, in words and numbers. */
function contents(bill, other, ui) {
  const kind = cacheKind(bill);
  const whole = bill.unused_bytes === 0;
  return html`${item('weights', msg('weights'), areWeightsTold(bill) ? number(bytes(bill.memory.weight_bytes)) : msg('not told'))}
  ${other > 0 ? item('other', msg('other'), number(bytes(other))) : nothing}
  ${item(kind, whole ? msg('cache') : msg('cache needed'), hidden(ui, both(bill.needed_bytes)))}
  ${whole ? nothing : item('unused', msg('allocated'), hidden(ui, both(bill.allocated_bytes)))}
  ${bill.state_bytes > 0 && kind !== 'state' ? item('state', msg('states among it'), nothing) : nothing}
  ${hidden(ui, fitMark(bill))}`;
}

function plans(numbers, ui) {
  const { state, bill, other } = numbers;
  const usable = other && !other.problem;
  const scale = scaleOf(usable ? [bill, other] : [bill], Boolean(ui?.answerHidden));
  const taken = numbers.other_bytes;
  return html`<div class="kv-plans">
    <p class="kv-line">
      <strong class="kv-letter">A</strong>
      <span class="kv-what">${schemeName(state.scheme)}, ${state.cache_format}</span>
      ${contents(bill, taken, ui)}
    </p>
    ${bar(bill, taken, scale, ui)}
    <div class="kv-line">
      <strong class="kv-letter">B</strong>
      ${select(ui, {
        path: 'compare',
        value: state.compare,
        label: html`<span class="spoken">${msg('compared with')}</span>`,
        options: comparisons(),
      })}
      ${
        state.compare === 'off'
          ? nothing
          : html`${select(ui, {
              path: 'compare_format',
              value: state.compare_format,
              label: html`<span class="spoken">${msg('cache of B in')}</span>`,
              options: formats,
            })}
            ${other.problem ? html`<span class="kv-misfit" lang="en">${other.problem}</span>` : contents(other, taken, ui)}`
      }
    </div>
    ${usable ? bar(other, taken, scale, ui) : nothing}
    ${state.panel === 'product' ? ruler(bill, scale) : nothing}
  </div>`;
}

const field = (ui, state, path, step = 1) =>
  html`<span class="kv-field"
    ><span class="kv-field-name" aria-hidden="true">${nameOf(path)}</span
    >${cell(ui, { path, value: state[path], label: nameOf(path), step, min: 0 })}</span
  >`;

/** Where a row of a table comes from, and what of it does not stand here. */
const sourceOf = (row, more) =>
  row
    ? html`<p class="kv-note kv-source">
        ${row.name}: <span lang="en">${row.source}</span>${more}
      </p>`
    : nothing;

/** How many parameters a published model has, where others stand here. */
function sayOther({ fields, exact_parameters }) {
  const billions = formatExact(fields.parameters_b);
  return exact_parameters
    ? msg(str`; there ${billions} · 10⁹ parameters, counted`)
    : msg(str`; there ${billions} · 10⁹ parameters, by its name`);
}

const modelPanel = ({ state, named }, ui) =>
  html`<div class="kv-fields">
      ${[...FIELDS, 'parameters_b', 'active_b'].map((path) => field(ui, state, path))}
    </div>
    ${
      ui?.file
        ? fileSays(ui)
        : sourceOf(
            named,
            named && named.fields.parameters_b !== state.parameters_b ? sayOther(named) : nothing,
          )
    }`;

const machinePanel = ({ state, machine }, ui) =>
  html`<div class="kv-fields kv-machine">
      ${field(ui, state, 'accelerators')} ${field(ui, state, 'memory_gb')}
      ${field(ui, state, 'bandwidth_tb_s', 0.1)} ${field(ui, state, 'tflops')}
      ${field(ui, state, 'other_gb')} ${field(ui, state, 'page_tokens')}
      ${field(ui, state, 'reserved_tokens')}
      ${choice(ui, {
        path: 'allocation',
        value: state.allocation,
        legend: msg('Memory'),
        options: [
          { value: 'paged', label: msg('in pages') },
          { value: 'reserved', label: msg('reserved') },
        ],
      })}
      ${choice(ui, {
        path: 'keeps_whole_windows',
        value: state.keeps_whole_windows,
        legend: msg('Windows kept whole'),
        options: [
          { value: 'no', label: msg('no') },
          { value: 'yes', label: msg('yes') },
        ],
      })}
    </div>
    ${sourceOf(machine, nothing)}`;

const productPanel = (numbers, ui) =>
  html`<div class="kv-bill">
    ${productLines(numbers, ui)} ${allocated(numbers, ui)} ${facts(numbers, ui)}
  </div>`;

const PANELS = { product: productPanel, model: modelPanel, machine: machinePanel };

export const memoryBody = (numbers, ui) =>
  html`${plans(numbers, ui)}
    <div class="kv-tabs">
      ${choice(ui, {
        path: 'panel',
        value: numbers.state.panel,
        legend: msg('Below'),
        options: [
          { value: 'product', label: msg('the product') },
          { value: 'model', label: msg('the model’s fields') },
          { value: 'machine', label: msg('machine and pages') },
        ],
      })}
      ${
        numbers.state.panel === 'model'
          ? fileDrop(ui, {
              label: msg('Read a file …'),
              accept: '.json,.gguf',
              hint: msg('or drop a model’s config.json or .gguf here'),
            })
          : ui?.file
            ? fileSays(ui)
            : html`<p class="kv-note">
                ${msg('Not counted: activations, the engine, traffic between accelerators.')}
              </p>`
      }
    </div>
    ${PANELS[numbers.state.panel](numbers, ui)}`;
