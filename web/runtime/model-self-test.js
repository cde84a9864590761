/** Known answers of the module `model`, asked of every fresh instance as core-self-test.js asks the core's. */

const config = JSON.stringify({
  model_type: 'llama',
  hidden_size: 8,
  intermediate_size: 4,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  max_position_embeddings: 8,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  hidden_act: 'silu',
  vocab_size: 3,
});

/** @type {[name: string, ...shape: number[]][]} */
const tensors = [
  ['model.embed_tokens.weight', 3, 8],
  ['model.layers.0.input_layernorm.weight', 8],
  ['model.layers.0.self_attn.q_proj.weight', 8, 8],
  ['model.layers.0.self_attn.k_proj.weight', 4, 8],
  ['model.layers.0.self_attn.v_proj.weight', 4, 8],
  ['model.layers.0.self_attn.o_proj.weight', 8, 8],
  ['model.layers.0.post_attention_layernorm.weight', 8],
  ['model.layers.0.mlp.gate_proj.weight', 4, 8],
  ['model.layers.0.mlp.up_proj.weight', 4, 8],
  ['model.layers.0.mlp.down_proj.weight', 8, 4],
  ['model.norm.weight', 8],
];

/** A safetensors file, whose numbers go up and down. */
function file() {
  /** @type {Record<string, unknown>} */
  const header = {};
  let end = 0;
  for (const [name, ...shape] of tensors) {
    const begin = end;
    end += 4 * shape.reduce((product, size) => product * size);
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + end);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  bytes.set(text, 8);
  for (let i = 0; i < end / 4; i += 1) {
    view.setFloat32(8 + text.length + 4 * i, ((i * 29) % 37) / 24 - 0.75, true);
  }
  return bytes;
}

const ids = [2, 0, 1, 1];
/** By NumPy in double precision. */
const logits = [0.534825, 0.505804, -0.231];
/** What sums in another order may change. */
const apart = 1e-4;

/**
 * @param {import('./model.js').Models} models
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestModel(models) {
  const bytes = file();
  const loading = models.safetensors({ config, file_bytes: [bytes.length] });
  for (let wanted; (wanted = loading.wanted());) {
    loading.give(bytes.subarray(wanted.begin, wanted.begin + wanted.bytes));
  }
  const model = loading.finish();
  const whole = model.take(ids, { logits: true }).logits ?? [];
  model.reset();
  for (const id of ids) model.take([id]);
  const best = model.candidates(3);
  const isNear = logits.every((logit, i) => Math.abs(logit - whole[i]) <= apart);
  model.rewind(3);
  const singly = model.take([ids[3]], { logits: true }).logits ?? [];
  model.close();
  if (!isNear) return 'the logits of a model';
  const isSame = best.length === 3 && singly.every((logit, i) => logit === whole[i]);
  return isSame ? null : 'a model with its cache';
}
