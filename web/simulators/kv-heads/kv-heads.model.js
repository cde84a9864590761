/**
 * Heads of K and V that queries share (slide 32): what the cache, the projections and the whole model become. State in,
 * numbers out, by the module `bill`, for the 80 layers and 64 heads of Llama 3 70B.
 */
import { logStops } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import {
  formatBillions,
  formatCount as count,
  formatMillions,
  formatNumber,
  many,
} from '../../shared/number.js';
import { accelerator, publishedModel } from '../../shared/published.js';

export const HEADS = 64;
export const LATENT = 'latent';
export const CHOICES = ['64', '32', '16', '8', '4', '2', '1', LATENT];
export const STOPS = logStops(256, 1048576, 2);

const schema = {
  kv: { kind: 'choice', options: CHOICES, name: () => msg('Heads of K and V') },
  tokens: { kind: 'number', min: 1, max: 16777216, integer: true, name: () => msg('tokens') },
};

const defaults = { kv: '8', tokens: 4096 };

const shapeOf = (bills) => publishedModel(bills, 'llama-3-70b');
const machineOf = (bills) => accelerator(bills, 'h100-sxm');

/** How many times smaller, as short as it is exact to a tenth. */
const times = (value) => formatNumber(value, { decimals: 1, trim: true });

function heads(bills, kv, tokens) {
  const model = bills.withKvHeads({ model: shapeOf(bills), n_kv_heads: Number(kv) });
  const bill = bills.bill({ model, tokens, ...machineOf(bills) });
  return {
    kv,
    token_bytes: bill.token_bytes,
    bytes: bill.needed_bytes,
    times: bill.mha_times,
    projections: bill.key_value_parameters,
    parameters: model.parameters,
  };
}

/** Its keys are 128 numbers from the latent and 64 that turn with the position: that widens the projections, not the cache. */
function latent(bills, tokens) {
  const asked = { scheme: 'mla', tokens, ...machineOf(bills) };
  const bill = bills.bill({ model: shapeOf(bills), ...asked });
  const wide = bills.bill({ model: { ...shapeOf(bills), d_k: 192 }, ...asked });
  return {
    kv: LATENT,
    rank: bill.model.latent_rank,
    rope: bill.model.rope_width,
    token_bytes: bill.token_bytes,
    bytes: bill.needed_bytes,
    times: bill.mha_times,
    projections: wide.key_value_parameters,
  };
}

function compute(bills, state) {
  const grouped = ['64', '1', LATENT].includes(state.kv) ? '8' : state.kv;
  const rows = [
    { name: 'MHA', ...heads(bills, '64', state.tokens) },
    { name: 'GQA', ...heads(bills, grouped, state.tokens) },
    { name: 'MQA', ...heads(bills, '1', state.tokens) },
    { name: 'MLA', ...latent(bills, state.tokens) },
  ];
  const current = rows.findIndex(({ kv }) => kv === state.kv);
  return { state, rows, current, mha: rows[0], chosen: rows[current] };
}

function sentence({ state, mha, chosen }) {
  const tokens = many(state.tokens, msg('token'), msg('tokens'));
  const gigabytes = formatBillions(chosen.bytes);
  if (chosen === mha) {
    const each = formatMillions(mha.token_bytes);
    return msg(
      str`With K and V of their own, ${HEADS} heads keep ${each} MB a token: ${gigabytes} GB at ${tokens}.`,
    );
  }
  const less = times(chosen.times);
  if (chosen.parameters === undefined) {
    return msg(
      str`One latent for all heads: ${less} times less cache, ${gigabytes} GB at ${tokens}; each head rebuilds its K and V.`,
    );
  }
  const kv = count(Number(chosen.kv));
  const [from, to] = [mha, chosen].map(({ parameters }) => formatBillions(parameters, 1));
  return msg(
    str`${kv} for ${HEADS}: ${less} times less cache, ${gigabytes} GB at ${tokens}; all weights go from ${from} to ${to} billion.`,
  );
}

const inBillions = (value, decimals) => {
  const billions = formatBillions(value, decimals);
  return msg(str`${billions} billion`);
};

const kept = ({ kv, rank, rope }) =>
  kv === LATENT ? `${count(rank)} + ${count(rope)}` : count(Number(kv));

export const model = {
  tag: 'attn-kv-heads',
  get title() {
    return msg('Heads of K and V that queries share');
  },
  get summary() {
    return msg('Take heads of K and V away: what becomes smaller, and what hardly does?');
  },
  module: 'bill',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'gqa', label: 'GQA', state: {} },
    { id: 'mha', label: 'MHA', state: { kv: '64' } },
    { id: 'mqa', label: 'MQA', state: { kv: '1' } },
    { id: 'mla', label: 'MLA', state: { kv: LATENT } },
    {
      id: 'long',
      get label() {
        return msg('A long text');
      },
      state: { tokens: 131072 },
    },
  ],
  predict: {
    get question() {
      return msg('What shrinks as much as the heads?');
    },
    possible: ({ chosen, mha }) => chosen !== mha && chosen.parameters !== undefined,
    options: () => [msg('the cache alone'), msg('its projections too'), msg('the whole model too')],
    isRight: (_, choice) => choice === 1,
    tell: ({ chosen }) => {
      const less = times(chosen.times);
      return msg(
        str`The cache and the projections to K and V, ${less} times each; the rest of the model stays.`,
      );
    },
  },
  figures: [
    'kv.schemes',
    'recap.gqa.mb',
    'recap.gqa.gb',
    'recap.gqa.x',
    'deck.kv.scheme.kv',
    'deck.kv.scheme.mb',
    'deck.kv.scheme.gb',
    'deck.kv.scheme.times',
    'deck.kv.scheme.kvparams',
    'deck.kv.scheme.params',
  ],
  compute,
  sentence,
  times,
  kept,
  picture: ({ rows, state }) => {
    const tokens = count(state.tokens);
    return {
      head: [
        msg('scheme'),
        msg('KV heads'),
        msg('MB a token'),
        msg(str`GB at ${tokens}`),
        msg('smaller'),
        msg('K, V weights'),
        msg('all weights'),
      ],
      rows: rows.map((row) => [
        row.name,
        kept(row),
        formatMillions(row.token_bytes),
        formatBillions(row.bytes),
        times(row.times),
        inBillions(row.projections),
        row.parameters === undefined ? '–' : inBillions(row.parameters, 1),
      ]),
    };
  },
  rows: ({ rows }) => [
    [
      'scheme',
      'kv_heads',
      'token_bytes',
      'cache_bytes',
      'times_smaller',
      'kv_parameters',
      'parameters',
    ],
    ...rows.map((row) => [
      row.name,
      row.kv === LATENT ? '' : Number(row.kv),
      row.token_bytes,
      row.bytes,
      row.times,
      row.projections,
      row.parameters ?? msg('not counted'),
    ]),
  ],
};
