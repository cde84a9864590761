/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createBill(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Bills;
/**
 * The bill of a KV cache. Fires `restart` when a fresh instance has taken over after an abort.
 */
export class Bills extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * The formats that numbers may be kept in.
     * @returns {NumberFormat[]}
     */
    numberFormats(): NumberFormat[];
    /**
     * Published models with the fields that their caches depend on.
     * @returns {PublishedModel[]}
     */
    publishedModels(): PublishedModel[];
    /**
     * Accelerators with what they can hold, move and compute.
     * @returns {PublishedAccelerator[]}
     */
    accelerators(): PublishedAccelerator[];
    /**
     * The model with another scheme and all else as it is.
     * @param {{ model: CacheModel, scheme: Scheme }} options
     * @returns {Required<CacheModel>}
     */
    withScheme(options: {
        model: CacheModel;
        scheme: Scheme;
    }): Required<CacheModel>;
    /**
     * What the caches of some sequences cost, to the byte, with the memory, a step and a prompt on an accelerator.
     * @param {BillOptions} options
     * @returns {Bill}
     */
    bill(options: BillOptions): Bill;
    /**
     * The bytes of the model with every scheme in turn, in one call.
     * @param {BillOptions} options
     * @returns {Record<Scheme, SchemeBill>}
     */
    schemeBills(options: BillOptions): Record<Scheme, SchemeBill>;
    /**
     * The same along a range of tokens or of sequences, as arrays.
     * @param {BillSeriesOptions} options
     * @returns {BillSeries}
     */
    billSeries(options: BillSeriesOptions): BillSeries;
    /**
     * The model with another number of KV heads; its weights are those of its narrower or wider projections.
     * @param {{ model: CacheModel, n_kv_heads: number }} options
     * @returns {Required<CacheModel>}
     */
    withKvHeads(options: {
        model: CacheModel;
        n_kv_heads: number;
    }): Required<CacheModel>;
    /**
     * How many times the work of a prompt of `against` tokens one of `tokens` has.
     * @param {{ model: CacheModel, tokens: number, against: number }} options
     * @returns {PromptGrowth}
     */
    promptGrowth(options: {
        model: CacheModel;
        tokens: number;
        against: number;
    }): PromptGrowth;
    /**
     * Two requests that begin alike, kept one token after another in a real cache: what each holds at the end, and its
     * pages before its last token. No row is written, as nothing that is counted depends on them.
     * @param {FillCacheOptions} options
     * @returns {Filling}
     */
    fillCache(options: FillCacheOptions): Filling;
    /**
     * Bytes in the units of powers of 1000 and of 1024.
     * @param {{ bytes: number }} options
     * @returns {ByteUnits}
     */
    byteUnits(options: {
        bytes: number;
    }): ByteUnits;
}
export { createBill as create };
export { selfTestBill as selfTest } from "./bill-self-test.js";
/**
 * The fields of a model that its cache depends on; what is left out is 0.
 */
export type CacheModel = {
    /**
     * All layers.
     */
    n_layers: number;
    /**
     * Query heads of each attention layer.
     */
    n_heads: number;
    d_model?: number | undefined;
    /**
     * Attention layers that see every token before.
     */
    full_layers?: number | undefined;
    /**
     * Their heads of K and V.
     */
    n_kv_heads?: number | undefined;
    /**
     * Numbers of a key.
     */
    d_k?: number | undefined;
    /**
     * Numbers of a value.
     */
    d_v?: number | undefined;
    /**
     * When not 0, a full layer keeps one latent of that many numbers for each token.
     */
    latent_rank?: number | undefined;
    /**
     * Numbers of the rotary key that it keeps beside the latent, in place of keys and values.
     */
    rope_width?: number | undefined;
    /**
     * Numbers that a full layer keeps beside, for what chooses tokens.
     */
    index_width?: number | undefined;
    /**
     * How many tokens that chooses for each query; 0 where nothing chooses.
     */
    index_top_k?: number | undefined;
    /**
     * Attention layers that see the last `window` tokens and the first `sinks`.
     */
    local_layers?: number | undefined;
    /**
     * Counts the token itself.
     */
    window?: number | undefined;
    sinks?: number | undefined;
    local_n_kv_heads?: number | undefined;
    local_d_k?: number | undefined;
    local_d_v?: number | undefined;
    /**
     * Full layers that read another layer's cache and keep none.
     */
    full_sharing?: number | undefined;
    /**
     * The same of local layers.
     */
    local_sharing?: number | undefined;
    /**
     * Layers that keep a recurrent state.
     */
    state_layers?: number | undefined;
    /**
     * Numbers of one such state, for one sequence.
     */
    state_numbers?: number | undefined;
    /**
     * All weights.
     */
    parameters?: number | undefined;
    /**
     * Those that one token passes through.
     */
    active_parameters?: number | undefined;
    /**
     * Positions that the model was made for.
     */
    max_tokens?: number | undefined;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type Scheme = "own" | "mha" | "gqa" | "mqa" | "mla" | "sliding" | "hybrid";
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type Format = "f32" | "f16" | "bf16" | "f8" | "q8_0" | "q4_0" | "q4_1";
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type BillOptions = {
    model: CacheModel;
    /**
     * What the model's attention is replaced by; its own unless told.
     */
    scheme?: Scheme | undefined;
    /**
     * f16 unless told.
     */
    cache_format?: Format | undefined;
    /**
     * f16 unless told.
     */
    weight_format?: Format | undefined;
    /**
     * f32 unless told.
     */
    state_format?: Format | undefined;
    /**
     * Of each sequence.
     */
    tokens: number;
    /**
     * 1 unless told.
     */
    sequences?: number | undefined;
    /**
     * Pages as they are needed, or room from the start.
     */
    allocation?: "paged" | "reserved" | undefined;
    /**
     * 16 unless told.
     */
    page_tokens?: number | undefined;
    /**
     * Room of each sequence when reserved.
     */
    reserved_tokens?: number | undefined;
    /**
     * Whether local layers keep every token, as in an engine without windows.
     */
    keeps_whole_windows?: boolean | undefined;
    /**
     * 1 unless told; they share all evenly.
     */
    accelerators?: number | undefined;
    /**
     * Of one.
     */
    memory_bytes: number;
    /**
     * Of one.
     */
    bandwidth_bytes_s: number;
    /**
     * Of one; a multiply-add is two.
     */
    flops_s: number;
    /**
     * Memory for what is neither weights nor cache; 0 unless told.
     */
    other_bytes?: number | undefined;
};
/**
 * One kind of layer, all of them, one sequence.
 */
export type LayersBill = {
    layers: number;
    /**
     * Those with a cache of their own.
     */
    keeping: number;
    /**
     * That one layer keeps for one token.
     */
    numbers: number;
    /**
     * The bytes of those.
     */
    layer_token_bytes: number;
    /**
     * Of all that keep.
     */
    token_bytes: number;
    needed_tokens: number;
    needed_bytes: number;
    allocated_tokens: number;
    allocated_bytes: number;
    pages: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type Roofline = {
    bytes: number;
    flops: number;
    /**
     * Operations a byte.
     */
    intensity: number;
    /**
     * The intensity at which the roofs meet.
     */
    ridge: number;
    /**
     * The upper roof.
     */
    peak_flops_s: number;
    bandwidth_s: number;
    arithmetic_s: number;
    /**
     * The longer of the two.
     */
    seconds: number;
    attained_flops_s: number;
    bound_by: "bandwidth" | "arithmetic";
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type MemoryBill = {
    weight_bytes: number;
    memory_bytes: number;
    /**
     * Weights, other and the caches as allocated.
     */
    total_bytes: number;
    fits: boolean;
    free_bytes: number;
    missing_bytes: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type MemoryRoom = {
    /**
     * Of as many tokens, that fit.
     */
    most_sequences: number;
    /**
     * Of as many sequences, that fit.
     */
    most_tokens: number;
    /**
     * Whether the cache stops growing before the memory is full.
     */
    tokens_unbounded: boolean;
};
/**
 * One step: one more token of every sequence.
 */
export type DecodeBill = {
    roof: Roofline;
    weight_bytes: number;
    cache_bytes: number;
    weight_flops: number;
    attention_flops: number;
    /**
     * Of all sequences together, at most.
     */
    tokens_per_s: number;
    sequence_tokens_per_s: number;
};
/**
 * One prompt.
 */
export type PrefillBill = {
    roof: Roofline;
    linear_flops: number;
    attention_flops: number;
    linear_percent: number;
    attention_percent: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type Bill = {
    /**
     * With its scheme.
     */
    model: Required<CacheModel>;
    full: LayersBill;
    local: LayersBill;
    state_bytes: number;
    /**
     * Of one token while no window is full.
     */
    token_bytes: number;
    /**
     * Of one token more when all windows are.
     */
    late_token_bytes: number;
    /**
     * Of the same model with as many KV heads as heads.
     */
    mha_token_bytes: number;
    /**
     * token_bytes ÷ mha_token_bytes
     */
    mha_share: number;
    /**
     * mha_token_bytes ÷ token_bytes
     */
    mha_times: number;
    sequence_needed_bytes: number;
    sequence_allocated_bytes: number;
    /**
     * All sequences.
     */
    needed_bytes: number;
    allocated_bytes: number;
    /**
     * allocated − needed
     */
    unused_bytes: number;
    /**
     * Weights of the projections to K and V, where d_model is told.
     */
    key_value_parameters?: number | undefined;
    memory: MemoryBill;
    decode: DecodeBill;
    prefill: PrefillBill;
    /**
     * Of a prompt twice as long, where that can still be counted.
     */
    doubled_tokens?: number | undefined;
    /**
     * Its work.
     */
    prefill_doubled?: PrefillBill | undefined;
    /**
     * How many times that of the one it is, where the weights are known.
     */
    prefill_growth?: PromptGrowth | undefined;
    room: MemoryRoom;
    /**
     * The prompt at which attention works as much as the weights; 0 when none does.
     */
    crossing_tokens: number;
};
/**
 * `problem`: why this scheme could not be billed.
 */
export type SchemeBill = {
    problem: string;
} | Pick<Bill, "token_bytes" | "needed_bytes" | "allocated_bytes" | "memory">;
/**
 * `at`: the numbers of tokens (or of sequences) to bill.
 */
export type BillSeriesOptions = BillOptions & {
    along?: "tokens" | "sequences";
    at: Float64Array | readonly number[];
    out?: object;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type BillSeries = Record<"needed_bytes" | "allocated_bytes" | "total_bytes" | "step_seconds" | "tokens_per_s" | "decode_intensity" | "decode_flops_s" | "prefill_intensity" | "prefill_flops_s" | "prefill_seconds" | "linear_flops" | "attention_flops", Float64Array>;
/**
 * How many times the work of one prompt another has.
 */
export type PromptGrowth = {
    tokens: number;
    /**
     * (tokens ÷ against)², as without a causal mask.
     */
    all_pairs: number;
    /**
     * What grows with n.
     */
    linear: number;
    /**
     * What grows with the pairs that the mask and the windows leave.
     */
    attention: number;
    total: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type ByteUnits = Record<"kB" | "MB" | "GB" | "KiB" | "MiB" | "GiB", number>;
/**
 * `tokens` of each request, at most 4,096; with the first `shared_tokens` both begin.
 */
export type FillCacheOptions = import("./kv-cache.js").KvCacheOptions & {
    tokens: number;
    shared_tokens: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type FilledRequest = {
    /**
     * The table before its last token: none where nothing was kept yet.
     */
    pages_before: Int32Array;
    /**
     * Whether it began with its last token.
     */
    begins: boolean;
};
/**
 * The second request
 * is there once tokens are kept that it does not share, or when it shares none.
 */
export type Filling = import("./kv-cache.js").KvCacheStats & {
    requests: (Omit<import("./kv-cache.js").SequenceStats, "sequence"> & FilledRequest)[];
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type PublishedModel = {
    id: string;
    name: string;
    /**
     * An address or a paper.
     */
    source: string;
    /**
     * Whether its parameters were counted; otherwise they are the publisher's round number.
     */
    exact_parameters: boolean;
    model: Required<CacheModel>;
};
/**
 * One chip, by its maker's sheet.
 */
export type PublishedAccelerator = {
    id: string;
    name: string;
    source: string;
    memory_bytes: number;
    bandwidth_bytes_s: number;
    /**
     * Dense, of 16-bit numbers.
     */
    flops_s: number;
};
/**
 * The KV cache: what it costs, counted from a model's fields.
 */
export type NumberFormat = {
    name: Format;
    bits: number;
    block: number;
    block_bytes: number;
};
import { Facade } from './facade.js';
