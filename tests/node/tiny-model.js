/**
 * The tiny models of tests/golden/tiny_models as files: what tests/native/tiny_model.hpp writes, with weights made of the
 * tensors' names (tests/native/weight_bytes.hpp).
 */
import { readFileSync } from 'node:fs';

export const golden = JSON.parse(
  readFileSync(new URL('../golden/tiny_models/expected.json', import.meta.url), 'utf8'),
);

/** Numbers and bytes of a block; the places of its halves, their exponents, and the bits below them. */
const formats = {
  F16: [1, 2, [[0, 11, 10]]],
  BF16: [1, 2, [[0, 123, 7]]],
  Q8_0: [32, 34, [[0, 4, 10]]],
  Q4_0: [32, 18, [[0, 8, 10]]],
  Q4_1: [
    32,
    20,
    [
      [0, 8, 10],
      [2, 11, 10],
    ],
  ],
  Q4_K: [
    256,
    144,
    [
      [0, 3, 10],
      [2, 6, 10],
    ],
  ],
  Q6_K: [256, 210, [[208, 1, 10]]],
};
const ggufTypes = { F32: 0, F16: 1, BF16: 30, Q8_0: 8, Q4_0: 2, Q4_1: 3, Q4_K: 12, Q6_K: 14 };

const MASK = (1n << 64n) - 1n;

/** SplitMix64 from the FNV-1a of a name. */
function bitsOf(name) {
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name)) {
    state = ((state ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  }
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  };
}

function floats(name, count, scale, base = 0) {
  const next = bitsOf(name);
  const made = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const whole = Number(next() >> 40n) - 2 ** 23;
    made[i] = Math.fround(Math.fround(whole * 2 ** -23 * scale) + base);
  }
  return new Uint8Array(made.buffer);
}

function weights(name, format, count) {
  if (format === 'F32') return floats(name, count, 0.125);
  const [numbers, size, halves] = formats[format];
  const next = bitsOf(name);
  const made = new Uint8Array((count / numbers) * size);
  const view = new DataView(made.buffer);
  for (let at = 0; at < made.length; at += size) {
    for (let b = 0; b < size; b += 8) {
      let word = next();
      for (let i = 0; i < 8 && b + i < size; i += 1) {
        made[at + b + i] = Number(word & 0xffn);
        word >>= 8n;
      }
    }
    for (const [place, exponent, below] of halves) {
      const half = view.getUint16(at + place, true);
      view.setUint16(
        at + place,
        (half & (0x8000 | ((1 << below) - 1))) | (exponent << below),
        true,
      );
    }
  }
  return made;
}

/** [name in GGUF, name in safetensors, rows, columns]; vectors have one row, `null`. */
function tensorsOf({ architecture, config, tied }, isGguf) {
  const { n_layers: layers, d_model: d, n_heads: heads, d_ff: ff, vocab_size: vocab } = config;
  const kvHeads = config.n_kv_heads ?? heads;
  const q = heads * config.head_dim;
  const kv = kvHeads * config.head_dim;
  const isLlama = architecture === 'llama';
  const list = [
    ['token_embd.weight', isLlama ? 'model.embed_tokens.weight' : 'wte.weight', vocab, d],
  ];
  if (!isLlama) list.push(['position_embd.weight', 'wpe.weight', config.context, d]);
  list.push(['output_norm.weight', isLlama ? 'model.norm.weight' : 'ln_f.weight', null, d]);
  if (!isLlama) list.push(['output_norm.bias', 'ln_f.bias', null, d]);
  if (!tied) list.push(['output.weight', 'lm_head.weight', vocab, d]);
  const layer = isLlama
    ? [
        ['attn_norm.weight', 'input_layernorm.weight', null, d],
        ['attn_q.weight', 'self_attn.q_proj.weight', q, d],
        ['attn_k.weight', 'self_attn.k_proj.weight', kv, d],
        ['attn_v.weight', 'self_attn.v_proj.weight', kv, d],
        ['attn_output.weight', 'self_attn.o_proj.weight', d, q],
        ['ffn_norm.weight', 'post_attention_layernorm.weight', null, d],
        ['ffn_gate.weight', 'mlp.gate_proj.weight', ff, d],
        ['ffn_up.weight', 'mlp.up_proj.weight', ff, d],
        ['ffn_down.weight', 'mlp.down_proj.weight', d, ff],
      ]
    : [
        ['attn_norm.weight', 'ln_1.weight', null, d],
        ['attn_norm.bias', 'ln_1.bias', null, d],
        ['attn_qkv.weight', 'attn.c_attn.weight', 3 * q, d],
        ['attn_qkv.bias', 'attn.c_attn.bias', null, 3 * q],
        ['attn_output.weight', 'attn.c_proj.weight', d, q],
        ['attn_output.bias', 'attn.c_proj.bias', null, d],
        ['ffn_norm.weight', 'ln_2.weight', null, d],
        ['ffn_norm.bias', 'ln_2.bias', null, d],
        ['ffn_up.weight', 'mlp.c_fc.weight', ff, d],
        ['ffn_up.bias', 'mlp.c_fc.bias', null, ff],
        ['ffn_down.weight', 'mlp.c_proj.weight', d, ff],
        ['ffn_down.bias', 'mlp.c_proj.bias', null, d],
      ];
  for (let i = 0; i < layers; i += 1) {
    const prefix = isLlama ? `model.layers.${i}.` : `h.${i}.`;
    for (const [gguf, other, rows, columns] of layer) {
      list.push([`blk.${i}.${gguf}`, prefix + other, rows, columns]);
    }
  }
  return list.map(([gguf, other, rows, columns]) => {
    const name = isGguf ? gguf : other;
    const isEmbedding = /^(wte|wpe|lm_head)/.test(other);
    return { name, rows, columns, isTurned: !isGguf && !isLlama && rows !== null && !isEmbedding };
  });
}

function bytesOf({ name, rows, columns }, format) {
  if (rows !== null) return weights(name, format, rows * columns);
  return floats(name, columns, 0.25, name.endsWith('bias') ? 0 : 1);
}

/** Bytes one after another. */
export class Bytes {
  #parts = [];
  length = 0;
  add(bytes) {
    this.#parts.push(bytes);
    this.length += bytes.length;
    return this;
  }
  whole(value, size) {
    const made = new Uint8Array(size);
    for (let i = 0, left = BigInt(value); i < size; i += 1, left >>= 8n)
      made[i] = Number(left & 255n);
    return this.add(made);
  }
  float(value) {
    return this.add(new Uint8Array(Float32Array.of(value).buffer));
  }
  text(text) {
    const bytes = new TextEncoder().encode(text);
    return this.whole(bytes.length, 8).add(bytes);
  }
  pad() {
    return this.add(new Uint8Array((32 - (this.length % 32)) % 32));
  }
  joined() {
    const made = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.#parts) {
      made.set(part, at);
      at += part.length;
    }
    return made;
  }
}

/**
 * A GGUF file of a case of expected.json, or of its like.
 * @param {any} of  { architecture, weights, config }
 * @param {Record<string, unknown>} [more]  Keys of its own: whole numbers, texts, truth values, lists of either of the first.
 */
export function tinyGguf(of, more = {}) {
  const { architecture, config } = of;
  const tied = of.tied ?? config.tied ?? false;
  const keys = new Bytes();
  let count = 0;
  const put = (key, value) => {
    count += 1;
    keys.text(key);
    if (typeof value === 'string') return keys.whole(8, 4).text(value);
    if (typeof value === 'boolean') return keys.whole(7, 4).whole(value ? 1 : 0, 1);
    if (typeof value === 'number') return keys.whole(4, 4).whole(value, 4);
    if (!Array.isArray(value)) return keys.whole(6, 4).float(value.float);
    keys.whole(9, 4);
    const isText = typeof value[0] === 'string';
    keys.whole(isText ? 8 : 4, 4).whole(value.length, 8);
    for (const item of value) isText ? keys.text(item) : keys.whole(item, 4);
    return keys;
  };
  put('general.architecture', architecture);
  const name = (key) => `${architecture}.${key}`;
  put(name('block_count'), config.n_layers);
  put(name('context_length'), config.context);
  put(name('embedding_length'), config.d_model);
  put(name('feed_forward_length'), config.d_ff);
  put(name('attention.head_count'), config.n_heads);
  if (architecture === 'llama') {
    put(name('attention.head_count_kv'), config.n_kv_heads);
    put(name('rope.dimension_count'), config.head_dim);
    put(name('attention.layer_norm_rms_epsilon'), { float: 1e-5 });
    put(name('rope.freq_base'), { float: config.rope_base });
  } else {
    put(name('attention.layer_norm_epsilon'), { float: 1e-5 });
  }
  for (const [key, value] of Object.entries(more)) put(key, value);
  const list = new Bytes();
  const data = new Bytes();
  const tensors = tensorsOf({ architecture, config, tied }, true);
  for (const tensor of tensors) {
    const sizes = tensor.rows === null ? [tensor.columns] : [tensor.columns, tensor.rows];
    list.text(tensor.name).whole(sizes.length, 4);
    for (const size of sizes) list.whole(size, 8);
    list.whole(tensor.rows === null ? 0 : ggufTypes[of.weights], 4).whole(data.length, 8);
    data.add(bytesOf(tensor, of.weights)).pad();
  }
  return new Bytes()
    .add(new TextEncoder().encode('GGUF'))
    .whole(3, 4)
    .whole(tensors.length, 8)
    .whole(count, 8)
    .add(keys.joined())
    .add(list.joined())
    .pad()
    .add(data.joined())
    .joined();
}

/** The same as safetensors: config.json and `count` files, to which the tensors are dealt out in turn. */
export function tinySafetensors(of, count = 1) {
  const { architecture, config } = of;
  const tied = of.tied ?? config.tied ?? false;
  const headers = Array.from({ length: count }, () => ({ __metadata__: { format: 'pt' } }));
  const data = headers.map(() => new Bytes());
  tensorsOf({ architecture, config, tied }, false).forEach((tensor, i) => {
    const to = data[i % count];
    const begin = to.length;
    to.add(bytesOf(tensor, of.weights));
    const { rows, columns, isTurned } = tensor;
    const shape = rows === null ? [columns] : isTurned ? [columns, rows] : [rows, columns];
    headers[i % count][tensor.name] = {
      dtype: rows === null ? 'F32' : of.weights,
      shape,
      data_offsets: [begin, to.length],
    };
  });
  const files = headers.map((header, i) =>
    new Bytes().text(JSON.stringify(header)).add(data[i].joined()).joined(),
  );
  const json =
    architecture === 'llama'
      ? {
          model_type: 'llama',
          hidden_size: config.d_model,
          intermediate_size: config.d_ff,
          num_hidden_layers: config.n_layers,
          num_attention_heads: config.n_heads,
          num_key_value_heads: config.n_kv_heads,
          max_position_embeddings: config.context,
          rms_norm_eps: 1e-5,
          rope_theta: config.rope_base,
          rope_scaling: null,
          hidden_act: 'silu',
          vocab_size: config.vocab_size,
        }
      : {
          model_type: 'gpt2',
          n_embd: config.d_model,
          n_inner: config.d_ff,
          n_layer: config.n_layers,
          n_head: config.n_heads,
          n_positions: config.context,
          layer_norm_epsilon: 1e-5,
          activation_function: 'gelu_new',
          vocab_size: config.vocab_size,
        };
  return { config: JSON.stringify(json), files };
}
