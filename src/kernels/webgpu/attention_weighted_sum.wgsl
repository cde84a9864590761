// The last of three passes that build S: each output row is the sum of the values, weighted by a row of S.
//
// The ladder:
//   1. one number for each invocation;
//   2. 4 queries x 4 columns in registers, read as vec4 and without a barrier (this file).

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
// [n_heads, n_q, n_k] Rows are padded to a multiple of 4.
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
// [n_kv_heads, n_k, d_v]
@group(0) @binding(2) var<storage, read> v: array<vec4f>;
// [n_heads, n_q, d_v]
@group(0) @binding(3) var<storage, read_write> output: array<vec4f>;

// The weighted sum of four values of which some may be masked: 0 x NaN is NaN, so those are left out.
fn weigh_allowed(values: mat4x4f, weight: vec4f) -> vec4f {
  let bits = bitcast<vec4u>(weight) << vec4u(1u);
  let none = vec4f(0);
  return select(values[0] * weight.x, none, bits.x == 0u) + select(values[1] * weight.y, none, bits.y == 0u) +
    select(values[2] * weight.z, none, bits.z == 0u) + select(values[3] * weight.w, none, bits.w == 0u);
}

// The values of four keys in four columns; keys past the end are the last one again, and weigh nothing.
fn values_at(first_row: u32, tile: u32, column: u32) -> mat4x4f {
  let keys = min(vec4u(tile * 4u) + vec4u(0u, 1u, 2u, 3u), vec4u(problem.n_k - 1u));
  let at = (vec4u(first_row) + keys) * problem.d_v + vec4u(column);
  return mat4x4f(v[at.x], v[at.y], v[at.z], v[at.w]);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let column = at.x;
  let i = at.y * 4u;
  if (column >= problem.d_v || i >= problem.n_q) {
    return;
  }
  let head = at.z;
  let v_at = head / problem.heads_per_kv_head * problem.n_k;
  let row_length = (problem.n_k + 3u) / 4u;
  // Rows past the end read the last row again and are not written.
  let rows = vec4u(head * problem.n_q) + min(vec4u(i, i + 1u, i + 2u, i + 3u), vec4u(problem.n_q - 1u));
  let w_at = rows * row_length;

  var o0 = vec4f(0);
  var o1 = vec4f(0);
  var o2 = vec4f(0);
  var o3 = vec4f(0);
  let masks = problem.causal != 0u || problem.window != 0u || problem.key_valid != 0u || problem.documents != 0u;
  // Two loops: a branch within one costs more than what it saves.
  let whole = select(problem.n_k / 4u, 0u, masks);
  for (var j = 0u; j < whole; j += 1u) {
    let x = values_at(v_at, j, column);
    o0 += x * weights[w_at.x + j];
    o1 += x * weights[w_at.y + j];
    o2 += x * weights[w_at.z + j];
    o3 += x * weights[w_at.w + j];
  }
  for (var j = whole; j < row_length; j += 1u) {
    let x = values_at(v_at, j, column);
    o0 += weigh_allowed(x, weights[w_at.x + j]);
    o1 += weigh_allowed(x, weights[w_at.y + j]);
    o2 += weigh_allowed(x, weights[w_at.z + j]);
    o3 += weigh_allowed(x, weights[w_at.w + j]);
  }
  let found = array<vec4f, 4>(o0, o1, o2, o3);
  for (var row = 0u; row < 4u && i + row < problem.n_q; row += 1u) {
    output[rows[row] * problem.d_v + column] = found[row];
  }
}
