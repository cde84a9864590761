/** How the cache on one accelerator is drawn: its memory to scale, the product term by term; or the roofline. */
import { html, nothing, svg } from 'lit';
import {
  cell,
  choice,
  logSlider,
  logStops,
  select,
  slider,
  withheld,
} from '../../shared/controls.js';
import { fileDrop, fileSays } from '../../shared/file-drop.js';
import { frame } from '../../shared/frame.js';
import {
  exactText,
  formatBytes,
  formatExact,
  formatOperations,
  formatRate,
  formatSeconds,
} from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { rooflinePlot } from '../../shared/roofline-plot.js';
import { stepsTable } from '../../shared/steps-table.js';
import { transport } from '../../shared/transport.js';
import {
  edgeOf,
  middleOf,
  newestOf,
  partsOf,
  placesOf,
  roomIn,
  scaleOf,
} from './kv-cache.layout.js';
import {
  COMPARED,
  FIELDS,
  FORMATS,
  LAST,
  NAMES,
  SCHEMES,
  SCHEME_NAMES,
  bytes,
  count,
  model,
  pagesOf,
  sayEvent,
} from './kv-cache.model.js';

const CONTEXTS = logStops(1024, 1048576, 4);
const number = (text) => html`<span class="num" data-num>${text}</span>`;
const hidden = (ui, template) => (ui?.answerHidden ? withheld : template);
const optionsOf = (names) => Object.entries(names).map(([value, label]) => ({ value, label }));
const formats = FORMATS.map((value) => ({ value, label: value }));
const both = (value) =>
  html`${number(bytes(value))} <span class="kv-soft">= ${number(formatBytes(value))}</span>`;

/* ---- controls --------------------------------------------------------------------------------------------- */

const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: html`<span class="spoken">One accelerator</span>`,
    options: [
      { value: 'memory', label: 'memory' },
      { value: 'roofline', label: 'speed' },
      { value: 'filling', label: 'filling' },
    ],
  });

/** What has no name in a list stands as itself, and leads to its fields. */
const OWN = { value: '', label: 'own fields' };

function published({ models, named }, ui) {
  return select(ui, {
    path: 'model',
    value: named?.id ?? '',
    label: html`<span class="spoken">model</span>`,
    options: [OWN, ...models.map(({ id, name }) => ({ value: id, label: name }))],
    onChoose: (id) =>
      ui.set(id === '' ? { panel: 'model' } : models.find((item) => item.id === id).fields),
  });
}

function machines({ state, accelerators, machine }, ui) {
  const many = state.accelerators === 1 ? 'on' : `on ${count(state.accelerators)} ×`;
  return select(ui, {
    path: 'accelerator',
    value: machine?.id ?? '',
    label: many,
    name: 'accelerator',
    options: [OWN, ...accelerators.map(({ id, name }) => ({ value: id, label: name }))],
    onChoose: (id) =>
      ui.set(id === '' ? { panel: 'machine' } : accelerators.find((item) => item.id === id).fields),
  });
}

/** Each scheme with what it comes to, so that a choice shows its price before it is made. */
const schemeChoice = ({ state, schemes }, ui) =>
  html`<div class="kv-schemes">
    ${choice(ui, {
      path: 'scheme',
      value: state.scheme,
      legend: html`Attention<span class="kv-under">cache</span>`,
      options: SCHEMES.map((scheme) => ({
        value: scheme,
        label: html`${SCHEME_NAMES[scheme]}<span class="kv-under"
            >${
              schemes[scheme].problem
                ? '–'
                : hidden(ui, number(bytes(schemes[scheme].needed_bytes)))
            }</span
          >`,
      })),
    })}
  </div>`;

function planControls(numbers, ui) {
  const { state } = numbers;
  return html`<div class="kv-controls">
    ${logSlider(ui, {
      path: 'tokens',
      value: state.tokens,
      label: 'context',
      name: 'context in tokens',
      stops: CONTEXTS,
      say: (value) => `${count(value)} tokens`,
    })}
    ${slider(ui, {
      path: 'sequences',
      value: state.sequences,
      label: 'requests',
      name: 'requests',
      min: 1,
      max: 64,
      step: 1,
    })}
    ${select(ui, { path: 'cache_format', value: state.cache_format, label: 'cache', name: 'format of the cache', options: formats })}
    ${select(ui, { path: 'weight_format', value: state.weight_format, label: 'weights', name: 'format of the weights', options: formats })}
    ${machines(numbers, ui)}
  </div>`;
}

function fillControls({ state }, ui) {
  const one = (path, label, name, min, max) =>
    slider(ui, { path, value: state[path], label, name, min, max, step: 1 });
  return html`<div class="kv-controls kv-fill-controls">
    ${one('slots', 'page', 'tokens of a page', 1, 8)}
    ${one('seen', 'window', 'window in tokens, 0 for none', 0, LAST)}
    ${one('pinned', 'pinned', 'pinned first tokens', 0, 8)}
    ${one('fork', 'shared', 'tokens that both requests begin with', 0, LAST)}
  </div>`;
}

/* ---- the memory, to scale --------------------------------------------------------------------------------- */

const HEIGHT = 40;
const HALF = 20;

const hatch = svg`<defs>
  <pattern id="kv-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect class="kv-hatch-line" width="3.2" height="8"></rect>
  </pattern>
</defs>`;

const PART_NAMES = { weights: 'weights', other: 'other', state: 'states', unused: 'unused' };

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
    drawn = svg`<rect class="kv-k" x=${box.x} width=${box.width} height=${HALF}></rect>
      <rect class="kv-v" x=${box.x} width=${box.width} y=${HALF} height=${HALF}></rect>
      ${label('keys', 16)} ${label('values', 36)}`;
  } else if (kind === 'cache') {
    drawn = svg`<rect class="kv-latent" x=${box.x} width=${box.width} height=${HEIGHT}></rect>
      ${label('latents', 26)}`;
  } else if (kind === 'unused') {
    drawn = svg`<rect class="kv-unused" x=${box.x} width=${box.width} height=${HEIGHT}></rect>
      <rect fill="url(#kv-hatch)" x=${box.x} width=${box.width} height=${HEIGHT}></rect>
      ${label(PART_NAMES[kind], 26)}`;
  } else {
    drawn = svg`<rect class="kv-${kind}" x=${box.x} width=${box.width} height=${HEIGHT}></rect>
      ${label(PART_NAMES[kind], 26)}`;
  }
  const over = beyond
    ? svg`<rect class="kv-beyond" x=${box.x} width=${box.width} height=${HEIGHT}></rect>`
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
  return html`<svg
    class="kv-bar"
    width="100%"
    height=${HEIGHT}
    aria-hidden="true"
    focusable="false"
  >
    ${hatch}
    <rect class="kv-memory" width="${edge}%" height=${HEIGHT}></rect>
    ${parts.map((each) => part(each, latent))}
    <rect class="kv-frame" x="1" y="1" width="${edge}%" height="38"></rect>
  </svg>`;
}

/** The edge of the memory, once for all bars. */
function ruler(bill, scale) {
  const edge = edgeOf(bill, scale);
  return html`<svg class="kv-ruler" width="100%" height="20" aria-hidden="true" focusable="false">
    <line class="kv-tick" x1="${edge}%" x2="${edge}%" y2="6"></line>
    <text class="kv-edge kv-room-${roomIn(edge)}" x="${edge}%" y="18">
      ${bytes(bill.memory.memory_bytes)} of memory
    </text>
  </svg>`;
}

const swatch = (kind) =>
  html`<svg class="kv-swatch" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    ${
      kind === 'cache'
        ? svg`<rect class="kv-k" width="16" height="8"></rect><rect class="kv-v" y="8" width="16" height="8"></rect>`
        : kind === 'unused'
          ? svg`${hatch}<rect class="kv-unused" width="16" height="16"></rect><rect fill="url(#kv-hatch)" width="16" height="16"></rect>`
          : svg`<rect class="kv-${kind}" width="16" height="16"></rect>`
    }
  </svg>`;

const item = (kind, name, value) =>
  html`<span class="kv-item">${kind ? swatch(kind) : nothing}${name} ${value}</span>`;

const fitMark = ({ memory }) =>
  memory.fits
    ? html`<strong class="kv-fits"
        ><span aria-hidden="true">✓ </span>fits: ${number(bytes(memory.free_bytes))} free</strong
      >`
    : html`<strong class="kv-misfit"
        ><span aria-hidden="true">✕ </span>does not fit: ${number(bytes(memory.missing_bytes))}
        missing</strong
      >`;

/** What most of a cache is drawn as. */
function cacheKind({ model: fields, token_bytes }) {
  if (token_bytes === 0) return 'state';
  return fields.latent_rank > 0 ? 'latent' : 'cache';
}

/** What is in a bar, in words and numbers. */
function contents(bill, other, ui) {
  const kind = cacheKind(bill);
  const whole = bill.unused_bytes === 0;
  return html`${item('weights', 'weights', number(bytes(bill.memory.weight_bytes)))}
  ${other > 0 ? item('other', 'other', number(bytes(other))) : nothing}
  ${item(kind, whole ? 'cache' : 'cache needed', hidden(ui, both(bill.needed_bytes)))}
  ${whole ? nothing : item('unused', 'allocated', hidden(ui, both(bill.allocated_bytes)))}
  ${bill.state_bytes > 0 && kind !== 'state' ? item('state', 'states among it', nothing) : nothing}
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
      <span class="kv-what">${SCHEME_NAMES[state.scheme]}, ${state.cache_format}</span>
      ${contents(bill, taken, ui)}
    </p>
    ${bar(bill, taken, scale, ui)}
    <div class="kv-line">
      <strong class="kv-letter">B</strong>
      ${select(ui, {
        path: 'compare',
        value: state.compare,
        label: html`<span class="spoken">compared with</span>`,
        options: optionsOf(COMPARED),
      })}
      ${
        state.compare === 'off'
          ? nothing
          : html`${select(ui, {
              path: 'compare_format',
              value: state.compare_format,
              label: html`<span class="spoken">cache of B in</span>`,
              options: formats,
            })}
            ${other.problem ? html`<span class="kv-misfit">${other.problem}</span>` : contents(other, taken, ui)}`
      }
    </div>
    ${usable ? bar(other, taken, scale, ui) : nothing}
    ${state.panel === 'product' ? ruler(bill, scale) : nothing}
  </div>`;
}

/* ---- the product, term by term ---------------------------------------------------------------------------- */

const term = (value, name) =>
  html`<span class="kv-term">${number(value)} <span class="kv-term-name">${name}</span></span>`;
const sign = (text) => html`<span class="kv-sign">${text}</span>`;
const times = (terms) => terms.map((each, i) => (i === 0 ? each : html`${sign('×')}${each}`));

/** Bytes of one number, by its bits, where no scale stands beside it. */
const BYTES = new Map([
  [32, '4'],
  [16, '2'],
  [8, '1'],
  [4, '0.5'],
]);

/** The factors of one kind of layer, down to the bytes of one token. */
function factors(layers, { heads, d_k, d_v, latent, rope, index, kind }, format) {
  const keep = term(
    count(layers.keeping),
    layers.keeping === layers.layers
      ? `${kind}layers`
      : `${kind}layers of ${count(layers.layers)}, others share`,
  );
  if (format.block > 0) {
    return [
      keep,
      term(count(layers.layer_token_bytes), `bytes: ${count(layers.numbers)} in ${format.name}`),
    ];
  }
  const width = term(BYTES.get(format.bits), `bytes, ${format.name}`);
  if (latent > 0) {
    const parts = [term(count(latent), 'latent'), term(count(rope), 'rotary key')];
    if (index > 0) parts.push(term(count(index), 'index key'));
    const sum = parts.map((each, i) => (i === 0 ? each : html`${sign('+')}${each}`));
    return [keep, html`${sign('(')}${sum}${sign(')')}`, width];
  }
  if (index > 0) return [keep, term(count(layers.numbers), 'numbers'), width];
  if (d_k === d_v) {
    return [
      term('2', 'K and V'),
      keep,
      term(count(heads), 'KV heads'),
      term(count(d_k), 'd_k'),
      width,
    ];
  }
  return [
    keep,
    term(count(heads), 'KV heads'),
    html`${sign('(')}${term(count(d_k), 'd_k')}${sign('+')}${term(count(d_v), 'd_v')}${sign(')')}`,
    width,
  ];
}

/** One line for each kind of layer that keeps something. */
function kindsOf({ state, bill, formats: all }) {
  const { model: fields, full, local } = bill;
  const format = all.find(({ name }) => name === state.cache_format);
  const mixed = full.keeping > 0 && local.keeping > 0;
  const kinds = [];
  if (full.keeping > 0) {
    kinds.push({
      layers: full,
      terms: factors(
        full,
        {
          heads: fields.n_kv_heads,
          d_k: fields.d_k,
          d_v: fields.d_v,
          latent: fields.latent_rank,
          rope: fields.rope_width,
          index: fields.index_width,
          kind: mixed ? 'full ' : '',
        },
        format,
      ),
      tokens: 'tokens',
    });
  }
  if (local.keeping > 0) {
    kinds.push({
      layers: local,
      terms: factors(
        local,
        {
          heads: fields.local_n_kv_heads,
          d_k: fields.local_d_k,
          d_v: fields.local_d_v,
          latent: 0,
          index: 0,
          kind: 'local ',
        },
        format,
      ),
      tokens: local.needed_tokens < state.tokens ? 'tokens of the window' : 'tokens',
    });
  }
  return kinds;
}

const requestsOf = ({ sequences }) => (sequences === 1 ? 'request' : 'requests');

const total = ({ bill }, ui) =>
  html`${sign('=')}<span class="kv-term kv-total"
      >${hidden(ui, number(count(bill.needed_bytes)))}
      <span class="kv-term-name">bytes needed</span></span
    ><span class="kv-result">= ${hidden(ui, both(bill.needed_bytes))}</span>`;

/** The bytes of one kind of layer, and how many tokens of it a request keeps. */
const lineOf = ({ layers, terms, tokens }, ui) =>
  html`<p class="kv-product kv-inline">
    ${times([...terms, term(count(layers.needed_tokens), tokens)])}${sign('=')}
    <span class="kv-term"
      >${hidden(ui, number(count(layers.needed_bytes)))}
      <span class="kv-term-name">bytes a request</span></span
    >
  </p>`;

const stateLine = ({ bill }) =>
  html`<p class="kv-product kv-inline">
    ${times([
      term(count(bill.model.state_layers), 'state layers'),
      term(count(bill.model.state_numbers), 'numbers'),
      term('4', 'bytes, f32'),
    ])}${sign('=')}${term(count(bill.state_bytes), 'bytes a request, at any length')}
  </p>`;

function productLines(numbers, ui) {
  const { state, bill } = numbers;
  const kinds = kindsOf(numbers);
  const states = bill.state_bytes > 0;
  if (kinds.length === 1 && !states) {
    const [{ layers, terms, tokens }] = kinds;
    return html`<p class="kv-product">
      ${times(terms)}${sign('=')}${term(count(layers.token_bytes), 'bytes a token')}${sign('×')}${term(
        count(layers.needed_tokens),
        tokens,
      )}${sign('×')}${term(count(state.sequences), requestsOf(state))}${total(numbers, ui)}
    </p>`;
  }
  return html`${kinds.map((kind) => lineOf(kind, ui))} ${states ? stateLine(numbers) : nothing}
    <p class="kv-sum">
      together × ${number(count(state.sequences))} ${requestsOf(state)} =
      <strong>${hidden(ui, number(count(bill.needed_bytes)))} bytes needed</strong>
      <span class="kv-result">= ${hidden(ui, both(bill.needed_bytes))}</span>
    </p>`;
}

function allocated({ state, bill }, ui) {
  const kinds = [bill.full, bill.local].filter(({ keeping }) => keeping > 0);
  const list = (field) =>
    kinds.map((layers, i) => html`${i > 0 ? ' and ' : nothing}${number(count(layers[field]))}`);
  const each =
    kinds.length === 0
      ? 'the states alone'
      : state.allocation === 'paged'
        ? html`${list('pages')} pages of ${number(count(state.page_tokens))} tokens`
        : html`room for ${list('allocated_tokens')} tokens`;
  return html`<p class="kv-allocated">
    Allocated: ${each} a request,
    ${hidden(
      ui,
      html`${number(count(bill.allocated_bytes))} bytes = ${both(bill.allocated_bytes)},
      ${number(bytes(bill.unused_bytes))} of it unused`,
    )}.
  </p>`;
}

const said = (value, ui) => (ui?.exact ? formatExact(value) : formatRate(value));
const rate = (value, ui) => number(said(value, ui));

const fact = (name, value, aside) =>
  html`<div class="kv-fact">
    <dt>${name}</dt>
    <dd>${value} ${aside ? html`<span class="kv-soft">${aside}</span>` : nothing}</dd>
  </div>`;

/** What the model was made for, loudly where more is asked of it. */
function madeFor({ state, bill }) {
  const made = bill.model.max_tokens;
  if (made === 0) return undefined;
  const text = html`made for ${number(count(made))}`;
  return made < state.tokens ? html`<span class="kv-warn">⚠ ${text}</span>` : text;
}

function facts(numbers, ui) {
  const { bill, schemes } = numbers;
  const { room, decode } = bill;
  const longest = room.tokens_unbounded
    ? html`<strong>no end</strong>`
    : html`<strong>${number(count(room.most_tokens))}</strong> tokens`;
  const each = ['mha', 'gqa', 'mqa', 'mla'].filter((scheme) => !schemes[scheme].problem);
  return html`<dl class="kv-facts">
    ${fact('requests that fit', hidden(ui, html`<strong>${number(count(room.most_sequences))}</strong>`))}
    ${fact('longest context that fits', hidden(ui, longest), madeFor(numbers))}
    ${fact(
      'tokens a second, at most',
      html`<strong>${rate(decode.tokens_per_s, ui)}</strong>`,
      html`${rate(decode.sequence_tokens_per_s, ui)} a request`,
    )}
    ${fact(
      'bytes a token',
      html`<span class="kv-each"
        >${each.map(
          (scheme) =>
            html`<span
              >${SCHEME_NAMES[scheme]} ${number(count(schemes[scheme].token_bytes))}</span
            > `,
        )}</span
      >`,
    )}
  </dl>`;
}

/* ---- what stands below the bars --------------------------------------------------------------------------- */

const field = (ui, state, path, label, step = 1) =>
  html`<span class="kv-field"
    ><span class="kv-field-name" aria-hidden="true">${label}</span
    >${cell(ui, { path, value: state[path], label: model.schema[path].name(), step, min: 0 })}</span
  >`;

/** Where a row of a table comes from, and what of it does not stand here. */
const sourceOf = (row, more) =>
  row ? html`<p class="kv-note kv-source">${row.name}: ${row.source}${more}</p>` : nothing;

const modelPanel = ({ state, named }, ui) =>
  html`<div class="kv-fields">
      ${[...FIELDS, 'parameters_b', 'active_b'].map((path) => field(ui, state, path, NAMES[path]))}
    </div>
    ${
      ui?.file
        ? fileSays(ui)
        : sourceOf(
            named,
            named && named.fields.parameters_b !== state.parameters_b
              ? html`; there ${exactText(named.fields.parameters_b)} · 10⁹ parameters,
                ${named.exact_parameters ? 'counted' : 'by its name'}`
              : nothing,
          )
    }`;

const machinePanel = ({ state, machine }, ui) =>
  html`<div class="kv-fields kv-machine">
      ${field(ui, state, 'accelerators', 'accelerators')}
      ${field(ui, state, 'memory_gb', 'memory, GB')}
      ${field(ui, state, 'bandwidth_tb_s', 'bandwidth, TB/s', 0.1)}
      ${field(ui, state, 'tflops', 'arithmetic, TFLOP/s')}
      ${field(ui, state, 'other_gb', 'other things, GB')}
      ${field(ui, state, 'page_tokens', 'tokens of a page')}
      ${field(ui, state, 'reserved_tokens', 'tokens reserved')}
      ${choice(ui, {
        path: 'allocation',
        value: state.allocation,
        legend: 'Memory',
        options: [
          { value: 'paged', label: 'in pages' },
          { value: 'reserved', label: 'reserved' },
        ],
      })}
      ${choice(ui, {
        path: 'keeps_whole_windows',
        value: state.keeps_whole_windows,
        legend: 'Windows kept whole',
        options: [
          { value: 'no', label: 'no' },
          { value: 'yes', label: 'yes' },
        ],
      })}
    </div>
    ${sourceOf(machine, nothing)}`;

const productPanel = (numbers, ui) =>
  html`<div class="kv-bill">
    ${productLines(numbers, ui)} ${allocated(numbers, ui)} ${facts(numbers, ui)}
  </div>`;

const PANELS = { product: productPanel, model: modelPanel, machine: machinePanel };

const memoryBody = (numbers, ui) =>
  html`${plans(numbers, ui)}
    <div class="kv-tabs">
      ${choice(ui, {
        path: 'panel',
        value: numbers.state.panel,
        legend: 'Below',
        options: [
          { value: 'product', label: 'the product' },
          { value: 'model', label: 'the model’s fields' },
          { value: 'machine', label: 'machine and pages' },
        ],
      })}
      ${
        numbers.state.panel === 'model'
          ? fileDrop(ui, {
              label: 'Read a file …',
              accept: '.json,.gguf',
              hint: 'or drop a model’s config.json or .gguf here',
            })
          : html`<p class="kv-note">
              Not counted: activations, the engine, traffic between accelerators.
            </p>`
      }
    </div>
    ${PANELS[numbers.state.panel](numbers, ui)}`;

/* ---- the roofline ----------------------------------------------------------------------------------------- */

const pointOf = ({ roof }) => ({ x: roof.intensity, y: roof.attained_flops_s });
const compared = ({ other }) => (other && !other.problem ? other : undefined);

function roofline(numbers) {
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
  const many = state.accelerators === 1 ? '' : `${count(state.accelerators)} × `;
  return rooflinePlot({
    title: 'Operations a second, at most',
    ridge: bill.decode.roof.ridge,
    ridgeName: `ridge ${formatRate(bill.decode.roof.ridge)}`,
    roofNames: [
      `bytes: ${many}${formatRate(state.bandwidth_tb_s)} TB/s`,
      `operations: ${many}${formatRate(state.tflops)} TFLOP/s`,
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
  { name: 'operations a byte', of: ({ roof }) => formatRate(roof.intensity) },
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
      head: html`<span class="kv-prompt">● a prompt of ${count(state.tokens)}</span>`,
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

const speedBody = (numbers, ui) =>
  html`<div class="kv-speed">${roofline(numbers)} ${speedTable(numbers, ui)}</div>
    <p class="kv-note">
      Dots: decoding from 1 to 256 requests at once. Weights are read once a step for all of them,
      each cache for itself. Bounds by data sheets: nothing here is measured.
    </p>`;

/* ---- token by token ---------------------------------------------------------------------------------------- */

/** Where a token stands: still seen, kept beside what is seen, or nowhere. */
function placeOf(token, { length, sinks, first_visible }) {
  if (token >= length) return 'free';
  if (token < sinks) return 'pinned';
  return token < first_visible ? 'past' : 'seen';
}

const PLACES = {
  free: 'free',
  pinned: 'pinned',
  past: 'out of the window',
  seen: 'in the window',
};

function slot(token, stats) {
  const place = placeOf(token, stats);
  const now = token === newestOf(stats.length);
  return html`<span class="kv-slot kv-slot-${place} ${now ? 'kv-slot-now' : ''}"
    ><span class="spoken">${PLACES[place]} </span>${
      place === 'free'
        ? nothing
        : html`${place === 'pinned' ? '▲' : nothing}${number(count(token))}`
    }</span
  >`;
}

function page(id, references, entry, stats, slots) {
  if (id === 0) {
    return html`<li class="kv-page kv-page-gone">
      <span class="kv-page-name">back</span>
      <span class="kv-slots"
        >${placesOf(entry, slots).map(() => html`<span class="kv-slot kv-slot-gone"></span>`)}</span
      >
    </li>`;
  }
  return html`<li class="kv-page ${references > 1 ? 'kv-page-shared' : ''}">
    <span class="kv-page-name"
      >page ${number(count(id))}${references > 1 ? html` <strong>shared</strong>` : nothing}</span
    >
    <span class="kv-slots">${placesOf(entry, slots).map((token) => slot(token, stats))}</span>
  </li>`;
}

const request = ({ name, stats, events }, slots) =>
  html`<div class="kv-request">
    <p class="kv-request-name">
      <strong>request ${name}</strong>
      <span class="kv-soft"
        >${events.length > 0 ? events.map((event) => sayEvent(event)).join(', ') : 'same pages'}</span
      >
    </p>
    <ol class="kv-pages">
      ${[...stats.pages].map((id, entry) => page(id, stats.references[entry], entry, stats, slots))}
    </ol>
  </div>`;

/** Two counts of the same, and whether they agree. */
const pair = (counted, reckoned, more) =>
  html`<span class="kv-pair"
    >${number(count(counted))}
    <span class=${counted === reckoned ? 'kv-fits' : 'kv-soft'}
      >${counted === reckoned ? '=' : '≠'}
      ${number(count(reckoned))}${counted === reckoned ? nothing : more}</span
    ></span
  >`;

function countTable({ state, filled }) {
  const { requests, stats, bill } = filled;
  const each = bill ? pagesOf(bill) : 0;
  const columns = [
    {
      head: html`<span class="spoken">whose</span>`,
      label: 'whose',
      cell: (i) => (i < requests.length ? `request ${requests[i].name}` : 'all'),
    },
    {
      head: 'tokens seen',
      label: 'tokens seen',
      cell: (i) =>
        number(
          count(i < requests.length ? requests[i].stats.visible_tokens : stats.visible_tokens),
        ),
    },
    {
      head: 'bytes needed: cache, bill',
      label: 'bytes needed: cache, bill',
      cell: (i) =>
        i < requests.length
          ? pair(requests[i].stats.needed_bytes, bill?.sequence_needed_bytes ?? 0)
          : pair(stats.needed_bytes, bill?.needed_bytes ?? 0),
    },
    {
      head: 'pages: cache, bill',
      label: 'pages: cache, bill',
      cell: (i) =>
        i < requests.length
          ? pair(requests[i].stats.blocks, each)
          : html`<span class="kv-pair"
              >${number(count(stats.blocks))} <span class="kv-soft">shared ones once</span></span
            >`,
    },
    {
      head: 'bytes taken: cache, bill',
      label: 'bytes taken: cache, bill',
      cell: (i) =>
        i < requests.length
          ? html`<span class="kv-soft">–</span>`
          : pair(stats.allocated_bytes, bill?.allocated_bytes ?? 0, ' without sharing'),
    },
  ];
  return stepsTable({
    caption: `What the cache counts and what the bill says at token ${count(state.token)}`,
    columns,
    rows: indices(ordinal(requests.length)),
  });
}

const fillingBody = (numbers, ui) => {
  const { state, filled } = numbers;
  return html`<div class="kv-requests">
      ${filled.requests.map((each) => request(each, state.slots))}
    </div>
    <p class="kv-key">
      <span class="kv-slot kv-slot-seen">7</span> in the window
      <span class="kv-slot kv-slot-pinned">▲0</span> pinned
      <span class="kv-slot kv-slot-past">3</span> out of it, its page still held
      <span class="kv-slot kv-slot-free"></span> free
      <span class="kv-layer">one layer, one KV head of 64, in f16</span>
    </p>
    ${transport(ui, { path: 'token', value: state.token, last: LAST, what: 'token' })}
    ${countTable(numbers)}`;
};

const BODIES = { memory: memoryBody, roofline: speedBody, filling: fillingBody };

export const view = (numbers, ui) => {
  const { state } = numbers;
  const filling = state.view === 'filling';
  return frame({
    model,
    numbers,
    ui,
    // The choice of the view stays the same element in every one, so that it keeps the focus.
    body: html`<div class="main kv">
      <div class="kv-controls">
        ${viewChoice(numbers, ui)}
        ${filling ? fillControls(numbers, ui) : html`${published(numbers, ui)} ${schemeChoice(numbers, ui)}`}
      </div>
      ${filling ? nothing : planControls(numbers, ui)} ${BODIES[state.view](numbers, ui)}
    </div>`,
  });
};
