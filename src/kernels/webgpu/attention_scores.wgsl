// The first of three passes that build S: scores.
//
// S = scale Q K^T + mask (Vaswani et al. 2017, equation 1), for every head at once, written to memory whole: n_q n_k
// numbers a head, which is what the fused kernel saves.
//
// The ladder. At (8, 512, 64) on a software adapter, as measured on prototypes, tiles in workgroup memory = 1:
//   1. one score for each invocation: 1.6;
//   2. a tile of Q and of K in workgroup memory: 1;
//   3. 4 queries x 4 keys in registers, read as vec4 and without a barrier: 0.24 (this file).

struct Problem {
  n_heads: u32,
  heads_per_kv_head: u32,
  n_q: u32,
  n_k: u32,
  // Columns in vec4: rows are padded with zeros to a multiple of 4.
  d_k: u32,
  d_v: u32,
  // The scale of the scores times log2(e): exp2 is the exponential that the hardware has.
  scale: f32,
  // Query i of this dispatch stands at position i + shift among the keys: below 0 when queries outnumber keys.
  shift: i32,
  causal: u32,
  window: u32,
  key_valid: u32,
  documents: u32,
  // WGSL refuses a constant that is NaN, so its bits come from outside.
  nan: u32,
}

@group(0) @binding(0) var<uniform> problem: Problem;
// [n_heads, n_q, d_k] [n_kv_heads, n_k, d_k]
@group(0) @binding(1) var<storage, read> q: array<vec4f>;
@group(0) @binding(2) var<storage, read> k: array<vec4f>;
// The parts of the mask that are lists: key_valid [n_k], key_document [n_k], query_document [n_q].
@group(0) @binding(3) var<storage, read> marks: array<i32>;
// [n_heads, n_q, n_k] Rows are padded to a multiple of 4; what pads them counts as masked.
@group(0) @binding(4) var<storage, read_write> scores: array<vec4f>;

// Stands for minus infinity, which no constant may be.
const NOTHING = -3.0e38;

fn allowed(i: u32, keys: vec4u) -> vec4<bool> {
  var yes = keys < vec4u(problem.n_k);
  let inside = min(keys, vec4u(problem.n_k - 1u));
  let behind = vec4i(i32(i) + problem.shift) - vec4i(keys);
  if (problem.causal != 0u || problem.window != 0u) {
    yes = yes & (behind >= vec4i(0));
  }
  if (problem.window != 0u) {
    yes = yes & (behind < vec4i(i32(problem.window)));
  }
  if (problem.key_valid != 0u) {
    yes = yes & (vec4i(marks[inside.x], marks[inside.y], marks[inside.z], marks[inside.w]) != vec4i(0));
  }
  if (problem.documents != 0u) {
    let at = inside + vec4u(problem.n_k);
    let mine = marks[2u * problem.n_k + min(i, problem.n_q - 1u)];
    yes = yes & (vec4i(marks[at.x], marks[at.y], marks[at.z], marks[at.w]) == vec4i(mine));
  }
  return yes;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let first_key = at.x * 4u;
  let i = at.y * 4u;
  if (first_key >= problem.n_k || i >= problem.n_q) {
    return;
  }
  let head = at.z;
  let kv_head = head / problem.heads_per_kv_head;
  let keys = vec4u(first_key) + vec4u(0u, 1u, 2u, 3u);
  // Rows past the end read the last row again: keys are masked, queries are not written.
  let rows = vec4u(head * problem.n_q) + min(vec4u(i, i + 1u, i + 2u, i + 3u), vec4u(problem.n_q - 1u));
  let q_at = rows * problem.d_k;
  let k_at = (vec4u(kv_head * problem.n_k) + min(keys, vec4u(problem.n_k - 1u))) * problem.d_k;

  var s0 = vec4f(0);
  var s1 = vec4f(0);
  var s2 = vec4f(0);
  var s3 = vec4f(0);
  for (var c = 0u; c < problem.d_k; c += 1u) {
    let tile = mat4x4f(k[k_at.x + c], k[k_at.y + c], k[k_at.z + c], k[k_at.w + c]);
    s0 += q[q_at.x + c] * tile;
    s1 += q[q_at.y + c] * tile;
    s2 += q[q_at.z + c] * tile;
    s3 += q[q_at.w + c] * tile;
  }
  let found = array<vec4f, 4>(s0, s1, s2, s3);
  let row_length = (problem.n_k + 3u) / 4u;
  for (var row = 0u; row < 4u && i + row < problem.n_q; row += 1u) {
    scores[rows[row] * row_length + at.x] = select(vec4f(NOTHING), found[row] * problem.scale, allowed(i + row, keys));
  }
}
