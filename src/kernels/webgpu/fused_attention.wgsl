// Fused attention for every adapter: its invocations exchange in workgroup memory.
//
// softmax(scale Q K^T + mask) V head by head, with the running maximum and the running sum of Milakov and Gimelshein
// (2018), tiled as in FlashAttention (Dao et al. 2022): the matrix of scores is never in memory.
//
// Four neighbouring invocations, a quad, have 4 queries. In a tile of 16 keys each of the four scores 4 keys for all 4
// queries, and owns every fourth vec4 of the output's columns, so that the quad reads 64 bytes of V in a row.
//
// The ladder. At (8, 512, 64) on a software adapter, in time of the processor, the three passes that build S = 1:
//   1. scores and weights exchanged in workgroup memory, two barriers a tile (this file): 0.57;
//   2. exchanged within a quad, where the adapter has subgroups (fused_attention_subgroups.wgsl): 0.51;
//   3. a branch for masked values within the loop over keys, rejected: 1.3 times as long as two loops.

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
// [n_heads, n_q, d_k] [n_kv_heads, n_k, d_k] [n_kv_heads, n_k, d_v]
@group(0) @binding(1) var<storage, read> q: array<vec4f>;
@group(0) @binding(2) var<storage, read> k: array<vec4f>;
@group(0) @binding(3) var<storage, read> v: array<vec4f>;
// The parts of the mask that are lists: key_valid [n_k], key_document [n_k], query_document [n_q].
@group(0) @binding(4) var<storage, read> marks: array<i32>;
// [n_heads, n_q, d_v]
@group(0) @binding(5) var<storage, read_write> output: array<vec4f>;

const QUERIES = 64u;
const KEYS = 16u;
// Of the output, in vec4. A workgroup's z has that many of its own and scores anew for them: any d_v fits the registers.
const COLUMNS = 16u;
const FOUR = vec4u(0u, 1u, 2u, 3u);
// Stands for minus infinity, which no constant may be: what is at or below it has no weight.
const NOTHING = -3.0e38;
// An allowed key keeps some weight, so that an infinite value behind it shows.
const SMALLEST = 1.1754944e-38;

// Of each invocation: four numbers for its 4 queries, and the weights of its 4 keys for each of them.
var<workgroup> offered: array<vec4f, 64>;
var<workgroup> tile_weights: array<mat4x4f, 64>;

fn largest_of_quad(mine: vec4f, index: u32) -> vec4f {
  offered[index] = mine;
  workgroupBarrier();
  let quad = index & ~3u;
  return max(max(offered[quad], offered[quad + 1u]), max(offered[quad + 2u], offered[quad + 3u]));
}

fn sum_of_quad(mine: vec4f, index: u32) -> vec4f {
  workgroupBarrier();
  offered[index] = mine;
  workgroupBarrier();
  let quad = index & ~3u;
  return (offered[quad] + offered[quad + 1u]) + (offered[quad + 2u] + offered[quad + 3u]);
}

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

// Whether a score is NaN or plus infinity, by its bits: comparisons may be compiled as if there were no NaN.
fn is_broken(scores: vec4f) -> u32 {
  let bits = bitcast<vec4u>(scores);
  return u32(any(((bits & vec4u(0x7f800000u)) == vec4u(0x7f800000u)) & (bits != vec4u(0xff800000u))));
}

fn largest(scores: vec4f) -> f32 {
  return max(max(scores.x, scores.y), max(scores.z, scores.w));
}

fn weights(scores: vec4f, maximum: f32) -> vec4f {
  let found = max(exp2(scores - vec4f(maximum)), vec4f(SMALLEST));
  return select(found, vec4f(0), scores <= vec4f(NOTHING));
}

fn scaled(rows: mat4x4f, factor: vec4f) -> mat4x4f {
  return mat4x4f(rows[0] * factor.x, rows[1] * factor.y, rows[2] * factor.z, rows[3] * factor.w);
}

// 0 x NaN is NaN, so the values of masked keys are left out one by one.
fn weigh_allowed(values: mat4x4f, weight: vec4f) -> vec4f {
  let none = vec4f(0);
  return select(none, values[0] * weight.x, weight.x > 0) + select(none, values[1] * weight.y, weight.y > 0) +
    select(none, values[2] * weight.z, weight.z > 0) + select(none, values[3] * weight.w, weight.w > 0);
}

// The values of four keys in four columns of the output.
fn values_at(first_row: vec4u, column: u32) -> mat4x4f {
  let at = first_row + vec4u(min(column, problem.d_v - 1u));
  return mat4x4f(v[at.x], v[at.y], v[at.z], v[at.w]);
}

// The same values weighted for four rows, where some of the keys may be masked.
fn weigh_edge(first_row: vec4u, column: u32, weight: mat4x4f) -> mat4x4f {
  let values = values_at(first_row, column);
  return mat4x4f(weigh_allowed(values, weight[0]), weigh_allowed(values, weight[1]),
    weigh_allowed(values, weight[2]), weigh_allowed(values, weight[3]));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let lane = index & 3u;
  let i = group.x * QUERIES + (index >> 2u) * 4u;
  let head = group.y;
  // Rows past the end read the last row again: keys are masked, queries are not written.
  let last_key = vec4u(problem.n_k - 1u);
  let rows = vec4u(head * problem.n_q) + min(vec4u(i) + FOUR, vec4u(problem.n_q - 1u));
  let q_at = rows * problem.d_k;
  let kv_row = vec4u(head / problem.heads_per_kv_head * problem.n_k);
  let column = group.z * COLUMNS + lane;

  // The keys that some query of the workgroup may see.
  let first = i32(group.x * QUERIES) + problem.shift;
  let last = first + i32(QUERIES) - 1;
  let looks_back = problem.causal != 0u || problem.window != 0u;
  var begin = 0u;
  var end = problem.n_k;
  if (looks_back) {
    end = u32(clamp(last + 1, 0, i32(problem.n_k)));
  }
  if (problem.window != 0u) {
    begin = u32(max(first - i32(problem.window) + 1, 0)) / KEYS * KEYS;
  }

  var maximum = vec4f(NOTHING);
  var sum = vec4f(0);
  var broken = vec4u(0);
  // Column r of each matrix is 4 columns of the output's row i + r.
  var o0 = mat4x4f();
  var o1 = mat4x4f();
  var o2 = mat4x4f();
  var o3 = mat4x4f();

  for (var tile = begin; tile < end; tile += KEYS) {
    let keys = vec4u(tile + lane * 4u) + FOUR;
    let k_at = (kv_row + min(keys, last_key)) * problem.d_k;
    var s0 = vec4f(0);
    var s1 = vec4f(0);
    var s2 = vec4f(0);
    var s3 = vec4f(0);
    for (var c = 0u; c < problem.d_k; c += 1u) {
      let x = mat4x4f(k[k_at.x + c], k[k_at.y + c], k[k_at.z + c], k[k_at.w + c]);
      s0 += q[q_at.x + c] * x;
      s1 += q[q_at.y + c] * x;
      s2 += q[q_at.z + c] * x;
      s3 += q[q_at.w + c] * x;
    }
    s0 *= problem.scale;
    s1 *= problem.scale;
    s2 *= problem.scale;
    s3 *= problem.scale;

    // Whether some query of the workgroup may not see some key of the tile.
    let ahead = looks_back && i32(tile + KEYS) - 1 > first;
    let behind = problem.window != 0u && i32(tile) <= last - i32(problem.window);
    let edge = tile + KEYS > problem.n_k || ahead || behind || problem.key_valid != 0u || problem.documents != 0u;
    if (edge) {
      s0 = select(vec4f(NOTHING), s0, allowed(i, keys));
      s1 = select(vec4f(NOTHING), s1, allowed(i + 1u, keys));
      s2 = select(vec4f(NOTHING), s2, allowed(i + 2u, keys));
      s3 = select(vec4f(NOTHING), s3, allowed(i + 3u, keys));
    }
    broken |= vec4u(is_broken(s0), is_broken(s1), is_broken(s2), is_broken(s3));

    let highest = max(maximum, largest_of_quad(vec4f(largest(s0), largest(s1), largest(s2), largest(s3)), index));
    if (any(highest > maximum)) {
      let factor = exp2(maximum - highest);
      sum *= factor;
      o0 = scaled(o0, factor);
      o1 = scaled(o1, factor);
      o2 = scaled(o2, factor);
      o3 = scaled(o3, factor);
      maximum = highest;
    }
    let mine = mat4x4f(weights(s0, maximum.x), weights(s1, maximum.y), weights(s2, maximum.z), weights(s3, maximum.w));
    sum += vec4f(1) * mine;
    // Nobody still reads the weights of the last tile: the barrier of the maximum lies between.
    tile_weights[index] = mine;
    workgroupBarrier();

    // Two loops: a branch within one costs more than what it saves.
    if (edge) {
      for (var source = 0u; source < 4u; source += 1u) {
        let weight = tile_weights[(index & ~3u) + source];
        let v_at = (kv_row + min(vec4u(tile + source * 4u) + FOUR, last_key)) * problem.d_v;
        o0 += weigh_edge(v_at, column, weight);
        o1 += weigh_edge(v_at, column + 4u, weight);
        o2 += weigh_edge(v_at, column + 8u, weight);
        o3 += weigh_edge(v_at, column + 12u, weight);
      }
    } else {
      for (var source = 0u; source < 4u; source += 1u) {
        let weight = tile_weights[(index & ~3u) + source];
        let v_at = (kv_row + min(vec4u(tile + source * 4u) + FOUR, last_key)) * problem.d_v;
        o0 += values_at(v_at, column) * weight;
        o1 += values_at(v_at, column + 4u) * weight;
        o2 += values_at(v_at, column + 8u) * weight;
        o3 += values_at(v_at, column + 12u) * weight;
      }
    }
  }

  sum = sum_of_quad(sum, index);
  broken = vec4u(sum_of_quad(vec4f(broken), index) > vec4f(0));
  let found = array<mat4x4f, 4>(o0, o1, o2, o3);
  for (var row = 0u; row < 4u && i + row < problem.n_q; row += 1u) {
    for (var part = 0u; part < 4u && column + part * 4u < problem.d_v; part += 1u) {
      // A row with nothing to attend to is 0.
      let value = select(vec4f(0), found[part][row] / sum[row], sum[row] > 0);
      output[rows[row] * problem.d_v + column + part * 4u] =
        select(value, vec4f(bitcast<f32>(problem.nan)), broken[row] != 0u);
    }
  }
}
