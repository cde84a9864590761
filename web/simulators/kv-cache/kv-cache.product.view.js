/** The product term by term, and what follows from it. */
import { html, nothing } from 'lit';
import { number } from '../../shared/controls.js';
import {
  formatCount as count,
  formatDecimalBytes as bytes,
  formatExact,
  formatShort,
  plural,
} from '../../shared/number.js';
import { both, hidden } from './kv-cache.controls.js';
import { SCHEME_NAMES, areWeightsTold } from './kv-cache.model.js';

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
      ? `${kind}${plural(layers.keeping, 'layer')}`
      : `${kind}${plural(layers.keeping, 'layer')} of ${count(layers.layers)}, others share`,
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
      term(count(heads), plural(heads, 'KV head')),
      term(count(d_k), 'd_k'),
      width,
    ];
  }
  return [
    keep,
    term(count(heads), plural(heads, 'KV head')),
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
      tokens: plural(full.needed_tokens, 'token'),
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
      tokens: `${plural(local.needed_tokens, 'token')}${local.needed_tokens < state.tokens ? ' of the window' : ''}`,
    });
  }
  return kinds;
}

const requestsOf = ({ sequences }) => plural(sequences, 'request');

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
      term(count(bill.model.state_layers), plural(bill.model.state_layers, 'state layer')),
      term(count(bill.model.state_numbers), 'numbers'),
      term('4', 'bytes, f32'),
    ])}${sign('=')}${term(count(bill.state_bytes), 'bytes a request, at any length')}
  </p>`;

export function productLines(numbers, ui) {
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

export function allocated({ state, bill }, ui) {
  const kinds = [bill.full, bill.local].filter(({ keeping }) => keeping > 0);
  const list = (field, what) => {
    const last = kinds.at(-1);
    return html`${kinds.map((layers, i) => html`${i > 0 ? ' and ' : nothing}${number(count(layers[field]))}`)}
    ${last && plural(last[field], what)}`;
  };
  const each =
    kinds.length === 0
      ? 'the states alone'
      : state.allocation === 'paged'
        ? html`${list('pages', 'page')} of ${number(count(state.page_tokens))}
          ${plural(state.page_tokens, 'token')}`
        : html`room for ${list('allocated_tokens', 'token')}`;
  return html`<p class="kv-allocated">
    Allocated: ${each} a request,
    ${hidden(
      ui,
      html`${number(count(bill.allocated_bytes))} bytes = ${both(bill.allocated_bytes)},
      ${number(bytes(bill.unused_bytes))} of it unused`,
    )}.
  </p>`;
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
  const text = html`made for ${number(count(made))}`;
  return made < state.tokens ? html`<span class="kv-warn">⚠ ${text}</span>` : text;
}

export function facts(numbers, ui) {
  const { bill, schemes } = numbers;
  const { room, decode } = bill;
  // How much more fits, and how fast, hangs on the weights.
  const told = (value) => (areWeightsTold(bill) ? value : html`weights not told`);
  const longest = room.tokens_unbounded
    ? html`<strong>no end</strong>`
    : html`<strong>${number(count(room.most_tokens))}</strong>
        ${plural(room.most_tokens, 'token')}`;
  const each = ['mha', 'gqa', 'mqa', 'mla'].filter((scheme) => !schemes[scheme].problem);
  return html`<dl class="kv-facts">
    ${fact('requests that fit', hidden(ui, told(html`<strong>${number(count(room.most_sequences))}</strong>`)))}
    ${fact('longest context that fits', hidden(ui, told(longest)), madeFor(numbers))}
    ${fact(
      'tokens a second, at most',
      told(html`<strong>${rate(decode.tokens_per_s, ui)}</strong>`),
      areWeightsTold(bill) ? html`${rate(decode.sequence_tokens_per_s, ui)} a request` : undefined,
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
