import { msg } from '../../shared/language.js';
import { wholeNumbers } from '../matrices.js';
import { remark } from '../remark.js';
import { sameNumber } from '../compare.js';

const llama = {
  full_layers: 32,
  local_layers: 0,
  window: 0,
  n_heads: 32,
  n_kv_heads: 8,
  head_dim: 128,
  tokens: 131_072,
  bytes_per_number: 2,
};
const gemma = {
  full_layers: 10,
  local_layers: 52,
  window: 1024,
  n_heads: 32,
  n_kv_heads: 16,
  head_dim: 128,
  tokens: 131_072,
  bytes_per_number: 2,
};
const FORMATS = { 2: 'f16', 4: 'f32' };

export default {
  id: 'bill',
  get title() {
    return msg('The bill');
  },
  slide: 30,
  modules: ['core', 'bill'],
  call: 'cacheBytes',
  get task() {
    return [
      msg(
        'How many bytes does the cache of one user take? For each token and layer there is a key and a value in each head that keeps them.',
      ),
      msg(
        'Three things are wrong in the program: it counts the heads that ask and not those that keep, it forgets that there are keys and values, and a local layer needs no more tokens than its window. The answer has to be right to the byte.',
      ),
    ];
  },
  get code() {
    return `${remark(msg('Llama 3 8B comes first; then Gemma 3 27B, most of whose layers\nsee a window only'))}
function cacheBytes(model) {
  const { full_layers, local_layers, window, tokens } = model;
  const { n_heads, n_kv_heads, head_dim, bytes_per_number } = model;

  // ${msg('Bytes of one token in one layer:')}
  const one = n_heads * head_dim * bytes_per_number; // ←
  const full = full_layers * tokens * one;
  const local = local_layers * tokens * one; // ← ${msg('needs all of them?')}

  console.log('GiB', (full + local) / 2 ** 30);
  return full + local;
}
`;
  },
  get hint() {
    return msg(
      'One token in one layer takes 2 · n_kv_heads · head_dim numbers. A local layer keeps Math.min(window, tokens) tokens.',
    );
  },
  solution: `function cacheBytes(model) {
  const { full_layers, local_layers, window, tokens } = model;
  const { n_kv_heads, head_dim, bytes_per_number } = model;

  const one = 2 * n_kv_heads * head_dim * bytes_per_number;
  const full = full_layers * tokens * one;
  const local = local_layers * Math.min(window, tokens) * one;

  console.log('GiB', (full + local) / 2 ** 30);
  return full + local;
}
`,
  inputs({ core }, seed) {
    const [full_layers, local_layers, kv, wide, tokens] = wholeNumbers(core, seed, 5, [2, 40]);
    const drawnModel = {
      full_layers,
      local_layers,
      window: 512,
      n_heads: 4 * kv,
      n_kv_heads: kv,
      head_dim: 8 * wide,
      tokens: 100 * tokens,
      bytes_per_number: 4,
    };
    return [llama, gemma, drawnModel];
  },
  check({ bill: bills }, input, result) {
    const { full_layers, local_layers, window, n_heads, n_kv_heads, head_dim } = input;
    const local = local_layers > 0;
    const { needed_bytes: wanted } = bills.bill({
      model: {
        n_layers: full_layers + local_layers,
        n_heads,
        full_layers,
        n_kv_heads,
        d_k: head_dim,
        d_v: head_dim,
        local_layers,
        ...(local && {
          window,
          local_n_kv_heads: n_kv_heads,
          local_d_k: head_dim,
          local_d_v: head_dim,
        }),
      },
      cache_format: FORMATS[input.bytes_per_number],
      tokens: input.tokens,
      // What the machine can do has no part in the bytes.
      memory_bytes: 80e9,
      bandwidth_bytes_s: 3.35e12,
      flops_s: 989e12,
    });
    return sameNumber(msg('the bytes'), result, wanted, { tolerance: 0 });
  },
};
