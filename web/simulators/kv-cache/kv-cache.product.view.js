/** The product term by term, and what follows from it. */
import { html, nothing } from 'lit';
import { number } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import {
  formatCount as count,
  formatDecimalBytes as bytes,
  formatExact,
  formatNumber,
  formatShort,
  plural,
} from '../../shared/number.js';
import { both, hidden } from './kv-cache.controls.js';
import { areWeightsTold, schemeName, untold } from './kv-cache.model.js';

const term = (value, name) =>
  html`<span class="kv-term">${number(value)} <span class="kv-term-name">${name}</span></span>`;
const sign = (text) => html`<span class="kv-sign">${text}</span>`;
const times = (terms) => terms.map((each, i) => (i === 0 ? each : html`${sign('×')}${each}`));

/** Bytes of one number, by its bits, where no scale stands beside it. */
const BYTES = new Map([
  [32, 4],
  [16, 2],
  [8, 1],
  [4, 0.5],
]);

/** What a kind of layer is called beside their number, where there is another kind. */
const LAYERS = {
  only: (n) => plural(n, msg('layer'), msg('layers')),
  full: (n) => plural(n, msg('full layer'), msg('full layers')),
  local: (n) => plural(n, msg('local layer'), msg('local layers')),
};

/** Those that keep something of their own, of all of them. */
function layersOf({ keeping, layers }, kind) {
  const name = LAYERS[kind](keeping);
  if (keeping === layers) return name;
  const all = count(layers);
  return msg(str`${name} of ${all}, others share`);
}

function scaled({ numbers }, { name }) {
  const each = count(numbers);
  return msg(str`bytes: ${each} in ${name}`);
}

function plainBytes({ name }) {
  return msg(str`bytes, ${name}`);
}

const headsOf = (heads) => plural(heads, msg('KV head'), msg('KV heads'));

/** The factors of one kind of layer, down to the bytes of one token. */
function factors(layers, { heads, d_k, d_v, latent, rope, index, kind }, format) {
  const keep = term(count(layers.keeping), layersOf(layers, kind));
  if (format.block > 0) {
    return [keep, term(count(layers.layer_token_bytes), scaled(layers, format))];
  }
  const width = term(
    formatNumber(BYTES.get(format.bits), { decimals: 1, trim: true }),
    plainBytes(format),
  );
  if (latent > 0) {
    const parts = [term(count(latent), msg('latent')), term(count(rope), msg('rotary key'))];
    if (index > 0) parts.push(term(count(index), msg('index key')));
    const sum = parts.map((each, i) => (i === 0 ? each : html`${sign('+')}${each}`));
    return [keep, html`${sign('(')}${sum}${sign(')')}`, width];
  }
  if (index > 0) return [keep, term(count(layers.numbers), msg('numbers')), width];
  if (d_k === d_v) {
    return [
      term('2', msg('K and V')),
      keep,
      term(count(heads), headsOf(heads)),
      term(count(d_k), 'd_k'),
      width,
    ];
  }
  return [
    keep,
    term(count(heads), headsOf(heads)),
    html`${sign('(')}${term(count(d_k), 'd_k')}${sign('+')}${term(count(d_v), 'd_v')}${sign(')')}`,
    width,
  ];
}

const tokensOf = ({ needed_tokens }) => plural(needed_tokens, msg('token'), msg('tokens'));

const windowTokensOf = ({ needed_tokens }) =>
  plural(needed_tokens, msg('token of the window'), msg('tokens of the window'));

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
          kind: mixed ? 'full' : 'only',
        },
        format,
      ),
      tokens: tokensOf(full),
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
          kind: 'local',
        },
        format,
      ),
      tokens: local.needed_tokens < state.tokens ? windowTokensOf(local) : tokensOf(local),
    });
  }
  return kinds;
}

const requestsOf = ({ sequences }) => plural(sequences, msg('request'), msg('requests'));

const total = ({ bill }, ui) =>
  html`${sign('=')}<span class="kv-term kv-total"
      >${hidden(ui, number(count(bill.needed_bytes)))}
      <span class="kv-term-name">${msg('bytes needed')}</span></span
    ><span class="kv-result">= ${hidden(ui, both(bill.needed_bytes))}</span>`;

/** The bytes of one kind of layer, and how many tokens of it a request keeps. */
const lineOf = ({ layers, terms, tokens }, ui) =>
  html`<p class="kv-product kv-inline">
    ${times([...terms, term(count(layers.needed_tokens), tokens)])}${sign('=')}
    <span class="kv-term"
      >${hidden(ui, number(count(layers.needed_bytes)))}
      <span class="kv-term-name">${msg('bytes a request')}</span></span
    >
  </p>`;

const stateLine = ({ bill }) =>
  html`<p class="kv-product kv-inline">
    ${times([
      term(
        count(bill.model.state_layers),
        plural(bill.model.state_layers, msg('state layer'), msg('state layers')),
      ),
      term(count(bill.model.state_numbers), msg('numbers')),
      term('4', plainBytes({ name: 'f32' })),
    ])}${sign('=')}${term(count(bill.state_bytes), msg('bytes a request, at any length'))}
  </p>`;

function together({ state, bill }, ui) {
  const [sequences, requests] = [number(count(state.sequences)), requestsOf(state)];
  const needed = hidden(ui, number(count(bill.needed_bytes)));
  return msg(html`together × ${sequences} ${requests} = <strong>${needed} bytes needed</strong>`);
}

export function productLines(numbers, ui) {
  const { state, bill } = numbers;
  const kinds = kindsOf(numbers);
  const states = bill.state_bytes > 0;
  if (kinds.length === 1 && !states) {
    const [{ layers, terms, tokens }] = kinds;
    return html`<p class="kv-product">
      ${times(terms)}${sign('=')}${term(count(layers.token_bytes), msg('bytes a token'))}${sign('×')}${term(
        count(layers.needed_tokens),
        tokens,
      )}${sign('×')}${term(count(state.sequences), requestsOf(state))}${total(numbers, ui)}
    </p>`;
  }
  return html`${kinds.map((kind) => lineOf(kind, ui))} ${states ? stateLine(numbers) : nothing}
    <p class="kv-sum">
      ${together(numbers, ui)}
      <span class="kv-result">= ${hidden(ui, both(bill.needed_bytes))}</span>
    </p>`;
}

/** One number of each kind of layer: one or two. */
function numbersOf(kinds, field) {
  const [first, second] = kinds.map((layers) => number(count(layers[field])));
  return second === undefined ? first : msg(html`${first} and ${second}`);
}

/** What is kept ready for a request. */
function roomOf({ state, bill }) {
  const kinds = [bill.full, bill.local].filter(({ keeping }) => keeping > 0);
  const last = kinds.at(-1);
  if (last === undefined) return msg('the states alone');
  if (state.allocation === 'paged') {
    const list = numbersOf(kinds, 'pages');
    const pages = plural(last.pages, msg('page'), msg('pages'));
    const size = number(count(state.page_tokens));
    const tokens = plural(state.page_tokens, msg('token'), msg('tokens'));
    return msg(html`${list} ${pages} of ${size} ${tokens}`);
  }
  const list = numbersOf(kinds, 'allocated_tokens');
  const tokens = plural(last.allocated_tokens, msg('token'), msg('tokens'));
  return msg(html`room for ${list} ${tokens}`);
}

export function allocated(numbers, ui) {
  const { bill } = numbers;
  const each = roomOf(numbers);
  const exact = number(count(bill.allocated_bytes));
  const short = both(bill.allocated_bytes);
  const unused = number(bytes(bill.unused_bytes));
  const all = hidden(ui, msg(html`${exact} bytes = ${short}, ${unused} of it unused`));
  return html`<p class="kv-allocated">${msg(html`Allocated: ${each} a request, ${all}.`)}</p>`;
}

export const said = (value, ui) => (ui?.exact ? formatExact(value) : formatShort(value));
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
  const tokens = number(count(made));
  const text = msg(html`made for ${tokens}`);
  return made < state.tokens ? html`<span class="kv-warn">⚠ ${text}</span>` : text;
}

const aRequest = (tokens) => msg(html`${tokens} a request`);

export function facts(numbers, ui) {
  const { bill, schemes } = numbers;
  const { room, decode } = bill;
  // How much more fits, and how fast, hangs on the weights.
  const told = (value) => (areWeightsTold(bill) ? value : untold());
  const longest = room.tokens_unbounded
    ? html`<strong>${msg('no end')}</strong>`
    : html`<strong>${number(count(room.most_tokens))}</strong>
        ${plural(room.most_tokens, msg('token'), msg('tokens'))}`;
  const each = ['mha', 'gqa', 'mqa', 'mla'].filter((scheme) => !schemes[scheme].problem);
  return html`<dl class="kv-facts">
    ${fact(msg('requests that fit'), hidden(ui, told(html`<strong>${number(count(room.most_sequences))}</strong>`)))}
    ${fact(msg('longest context that fits'), hidden(ui, told(longest)), madeFor(numbers))}
    ${fact(
      msg('tokens a second, at most'),
      told(html`<strong>${rate(decode.tokens_per_s, ui)}</strong>`),
      areWeightsTold(bill) ? aRequest(rate(decode.sequence_tokens_per_s, ui)) : undefined,
    )}
    ${fact(
      msg('bytes a token'),
      html`<span class="kv-each"
        >${each.map(
          (scheme) =>
            html`<span>${schemeName(scheme)} ${number(count(schemes[scheme].token_bytes))}</span> `,
        )}</span
      >`,
    )}
  </dl>`;
}
