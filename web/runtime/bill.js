import { cacheFields } from './cache-options.js';
import { Facade, instanceOf } from './facade.js';

/**
 * The KV cache: what it costs, counted from a model's fields.
 *
 * @typedef {object} CacheModel  The fields of a model that its cache depends on; what is left out is 0.
 * @property {number} n_layers  All layers.
 * @property {number} n_heads  Query heads of each attention layer.
 * @property {number} [d_model]
 * @property {number} [full_layers]  Attention layers that see every token before.
 * @property {number} [n_kv_heads]  Their heads of K and V.
 * @property {number} [d_k]  Numbers of a key.
 * @property {number} [d_v]  Numbers of a value.
 * @property {number} [latent_rank]  When not 0, a full layer keeps one latent of that many numbers for each token.
 * @property {number} [rope_width]  Numbers of the rotary key that it keeps beside the latent, in place of keys and values.
 * @property {number} [index_width]  Numbers that a full layer keeps beside, for what chooses tokens.
 * @property {number} [index_top_k]  How many tokens that chooses for each query; 0 where nothing chooses.
 * @property {number} [local_layers]  Attention layers that see the last `window` tokens and the first `sinks`.
 * @property {number} [window]  Counts the token itself.
 * @property {number} [sinks]
 * @property {number} [local_n_kv_heads]
 * @property {number} [local_d_k]
 * @property {number} [local_d_v]
 * @property {number} [full_sharing]  Full layers that read another layer's cache and keep none.
 * @property {number} [local_sharing]  The same of local layers.
 * @property {number} [state_layers]  Layers that keep a recurrent state.
 * @property {number} [state_numbers]  Numbers of one such state, for one sequence.
 * @property {number} [parameters]  All weights.
 * @property {number} [active_parameters]  Those that one token passes through.
 * @property {number} [max_tokens]  Positions that the model was made for.
 *
 * @typedef {'own' | 'mha' | 'gqa' | 'mqa' | 'mla' | 'sliding' | 'hybrid'} Scheme
 *
 * @typedef {'f32' | 'f16' | 'bf16' | 'f8' | 'q8_0' | 'q4_0' | 'q4_1'} Format
 *
 * @typedef {object} BillOptions
 * @property {CacheModel} model
 * @property {Scheme} [scheme]  What the model's attention is replaced by; its own unless told.
 * @property {Format} [cache_format]  f16 unless told.
 * @property {Format} [weight_format]  f16 unless told.
 * @property {Format} [state_format]  f32 unless told.
 * @property {number} tokens  Of each sequence.
 * @property {number} [sequences]  1 unless told.
 * @property {'paged' | 'reserved'} [allocation]  Pages as they are needed, or room from the start.
 * @property {number} [page_tokens]  16 unless told.
 * @property {number} [reserved_tokens]  Room of each sequence when reserved.
 * @property {boolean} [keeps_whole_windows]  Whether local layers keep every token, as in an engine without windows.
 * @property {number} [accelerators]  1 unless told; they share all evenly.
 * @property {number} memory_bytes  Of one.
 * @property {number} bandwidth_bytes_s  Of one.
 * @property {number} flops_s  Of one; a multiply-add is two.
 * @property {number} [other_bytes]  Memory for what is neither weights nor cache; 0 unless told.
 *
 * @typedef {object} LayersBill  One kind of layer, all of them, one sequence.
 * @property {number} layers
 * @property {number} keeping  Those with a cache of their own.
 * @property {number} numbers  That one layer keeps for one token.
 * @property {number} layer_token_bytes  The bytes of those.
 * @property {number} token_bytes  Of all that keep.
 * @property {number} needed_tokens
 * @property {number} needed_bytes
 * @property {number} allocated_tokens
 * @property {number} allocated_bytes
 * @property {number} pages
 *
 * @typedef {object} Roofline
 * @property {number} bytes
 * @property {number} flops
 * @property {number} intensity  Operations a byte.
 * @property {number} ridge  The intensity at which the roofs meet.
 * @property {number} peak_flops_s  The upper roof.
 * @property {number} bandwidth_s
 * @property {number} arithmetic_s
 * @property {number} seconds  The longer of the two.
 * @property {number} attained_flops_s
 * @property {'bandwidth' | 'arithmetic'} bound_by
 *
 * @typedef {object} MemoryBill
 * @property {number} weight_bytes
 * @property {number} memory_bytes
 * @property {number} total_bytes  Weights, other and the caches as allocated.
 * @property {boolean} fits
 * @property {number} free_bytes
 * @property {number} missing_bytes
 *
 * @typedef {object} MemoryRoom
 * @property {number} most_sequences  Of as many tokens, that fit.
 * @property {number} most_tokens  Of as many sequences, that fit.
 * @property {boolean} tokens_unbounded  Whether the cache stops growing before the memory is full.
 *
 * @typedef {object} DecodeBill  One step: one more token of every sequence.
 * @property {Roofline} roof
 * @property {number} weight_bytes
 * @property {number} cache_bytes
 * @property {number} weight_flops
 * @property {number} attention_flops
 * @property {number} tokens_per_s  Of all sequences together, at most.
 * @property {number} sequence_tokens_per_s
 *
 * @typedef {object} PrefillBill  One prompt.
 * @property {Roofline} roof
 * @property {number} linear_flops
 * @property {number} attention_flops
 * @property {number} linear_percent
 * @property {number} attention_percent
 *
 * @typedef {object} Bill
 * @property {Required<CacheModel>} model  With its scheme.
 * @property {LayersBill} full
 * @property {LayersBill} local
 * @property {number} state_bytes
 * @property {number} token_bytes  Of one token while no window is full.
 * @property {number} late_token_bytes  Of one token more when all windows are.
 * @property {number} mha_token_bytes  Of the same model with as many KV heads as heads.
 * @property {number} mha_share  token_bytes ÷ mha_token_bytes
 * @property {number} mha_times  mha_token_bytes ÷ token_bytes
 * @property {number} sequence_needed_bytes
 * @property {number} sequence_allocated_bytes
 * @property {number} needed_bytes  All sequences.
 * @property {number} allocated_bytes
 * @property {number} unused_bytes  allocated − needed
 * @property {number} [key_value_parameters]  Weights of the projections to K and V, where d_model is told.
 * @property {MemoryBill} memory
 * @property {DecodeBill} decode
 * @property {PrefillBill} prefill
 * @property {number} [doubled_tokens]  Of a prompt twice as long, where that can still be counted.
 * @property {PrefillBill} [prefill_doubled]  Its work.
 * @property {PromptGrowth} [prefill_growth]  How many times that of the one it is, where the weights are known.
 * @property {MemoryRoom} room
 * @property {number} crossing_tokens  The prompt at which attention works as much as the weights; 0 when none does.
 *
 * @typedef {{ problem: string } | Pick<Bill, 'token_bytes' | 'needed_bytes' | 'allocated_bytes' | 'memory'>} SchemeBill
 *   `problem`: why this scheme could not be billed.
 *
 * @typedef {BillOptions & { along?: 'tokens' | 'sequences', at: Float64Array | readonly number[], out?: object }}
 *   BillSeriesOptions  `at`: the numbers of tokens (or of sequences) to bill.
 *
 * @typedef {Record<'needed_bytes' | 'allocated_bytes' | 'total_bytes' | 'step_seconds' | 'tokens_per_s' |
 *   'decode_intensity' | 'decode_flops_s' | 'prefill_intensity' | 'prefill_flops_s' | 'prefill_seconds' |
 *   'linear_flops' | 'attention_flops', Float64Array>} BillSeries
 *
 * @typedef {object} PromptGrowth  How many times the work of one prompt another has.
 * @property {number} tokens
 * @property {number} all_pairs  (tokens ÷ against)², as without a causal mask.
 * @property {number} linear  What grows with n.
 * @property {number} attention  What grows with the pairs that the mask and the windows leave.
 * @property {number} total
 *
 * @typedef {Record<'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB', number>} ByteUnits
 *
 * @typedef {import('./kv-cache.js').KvCacheOptions & { tokens: number, shared_tokens: number }} FillCacheOptions
 *   `tokens` of each request, at most 4,096; with the first `shared_tokens` both begin.
 *
 * @typedef {object} FilledRequest
 * @property {Int32Array} pages_before  The table before its last token: none where nothing was kept yet.
 * @property {boolean} begins  Whether it began with its last token.
 *
 * @typedef {import('./kv-cache.js').KvCacheStats & {
 *   requests: (Omit<import('./kv-cache.js').SequenceStats, 'sequence'> & FilledRequest)[] }} Filling  The second request
 *   is there once tokens are kept that it does not share, or when it shares none.
 *
 * @typedef {object} PublishedModel
 * @property {string} id
 * @property {string} name
 * @property {string} source  An address or a paper.
 * @property {boolean} exact_parameters  Whether its parameters were counted; otherwise they are the publisher's round number.
 * @property {Required<CacheModel>} model
 *
 * @typedef {object} PublishedAccelerator  One chip, by its maker's sheet.
 * @property {string} id
 * @property {string} name
 * @property {string} source
 * @property {number} memory_bytes
 * @property {number} bandwidth_bytes_s
 * @property {number} flops_s  Dense, of 16-bit numbers.
 *
 * @typedef {{ name: Format, bits: number, block: number, block_bytes: number }} NumberFormat
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const model = Object.fromEntries(
  [
    ...['n_layers', 'n_heads', 'd_model', 'full_layers', 'n_kv_heads', 'd_k', 'd_v'],
    ...[
      'latent_rank',
      'rope_width',
      'index_width',
      'index_top_k',
      'local_layers',
      'window',
      'sinks',
    ],
    ...['local_n_kv_heads', 'local_d_k', 'local_d_v', 'full_sharing', 'local_sharing'],
    ...['state_layers', 'state_numbers', 'parameters', 'active_parameters', 'max_tokens'],
  ].map((field) => [field, 'scalar']),
);

/** @type {{ [field: string]: import('./options.js').Kind }} */
const bill = {
  model,
  ...Object.fromEntries(
    [
      ...['scheme', 'cache_format', 'weight_format', 'state_format', 'tokens', 'sequences'],
      ...['allocation', 'page_tokens', 'reserved_tokens', 'keeps_whole_windows', 'accelerators'],
      ...['memory_bytes', 'bandwidth_bytes_s', 'flops_s', 'other_bytes'],
    ].map((field) => [field, /** @type {const} */ ('scalar')]),
  ),
};

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  bill,
  schemeBills: bill,
  billSeries: { ...bill, along: 'scalar', at: 'floats', out: 'out' },
  withScheme: { model, scheme: 'scalar' },
  withKvHeads: { model, n_kv_heads: 'scalar' },
  promptGrowth: { model, tokens: 'scalar', against: 'scalar' },
  byteUnits: { bytes: 'scalar' },
  fillCache: { ...cacheFields, tokens: 'scalar', shared_tokens: 'scalar' },
};

/**
 * The bill of a KV cache. Fires `restart` when a fresh instance has taken over after an abort.
 */
export class Bills extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
  }

  /**
   * The formats that numbers may be kept in.
   * @returns {NumberFormat[]}
   */
  numberFormats() {
    return instanceOf(this).ask('numberFormats', {}).formats;
  }

  /**
   * Published models with the fields that their caches depend on.
   * @returns {PublishedModel[]}
   */
  publishedModels() {
    return instanceOf(this).ask('publishedModels', {}).models;
  }

  /**
   * Accelerators with what they can hold, move and compute.
   * @returns {PublishedAccelerator[]}
   */
  accelerators() {
    return instanceOf(this).ask('accelerators', {}).accelerators;
  }

  /**
   * The model with another scheme and all else as it is.
   * @param {{ model: CacheModel, scheme: Scheme }} options
   * @returns {Required<CacheModel>}
   */
  withScheme(options) {
    return this.ask('withScheme', options).model;
  }

  /**
   * What the caches of some sequences cost, to the byte, with the memory, a step and a prompt on an accelerator.
   * @param {BillOptions} options
   * @returns {Bill}
   */
  bill(options) {
    return this.ask('bill', options);
  }

  /**
   * The bytes of the model with every scheme in turn, in one call.
   * @param {BillOptions} options
   * @returns {Record<Scheme, SchemeBill>}
   */
  schemeBills(options) {
    return this.ask('schemeBills', options).bills;
  }

  /**
   * The same along a range of tokens or of sequences, as arrays.
   * @param {BillSeriesOptions} options
   * @returns {BillSeries}
   */
  billSeries(options) {
    return this.ask('billSeries', options);
  }

  /**
   * The model with another number of KV heads; its weights are those of its narrower or wider projections.
   * @param {{ model: CacheModel, n_kv_heads: number }} options
   * @returns {Required<CacheModel>}
   */
  withKvHeads(options) {
    return this.ask('withKvHeads', options).model;
  }

  /**
   * How many times the work of a prompt of `against` tokens one of `tokens` has.
   * @param {{ model: CacheModel, tokens: number, against: number }} options
   * @returns {PromptGrowth}
   */
  promptGrowth(options) {
    return this.ask('promptGrowth', options);
  }

  /**
   * Two requests that begin alike, kept one token after another in a real cache: what each holds at the end, and its
   * pages before its last token. No row is written, as nothing that is counted depends on them.
   * @param {FillCacheOptions} options
   * @returns {Filling}
   */
  fillCache(options) {
    return this.ask('fillCache', options);
  }

  /**
   * Bytes in the units of powers of 1000 and of 1024.
   * @param {{ bytes: number }} options
   * @returns {ByteUnits}
   */
  byteUnits(options) {
    return this.ask('byteUnits', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createBill(running, restart) {
  return new Bills(running, restart);
}

export { createBill as create };
export { selfTestBill as selfTest } from './bill-self-test.js';
