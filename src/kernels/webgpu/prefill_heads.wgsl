// Prefill of a model: queries, keys and values from their rows to where attention reads them, head by head, each turned to
// its position (rotary positions, Su et al. 2021, equation 34) where the model has them; keys and values are kept besides,
// in the order of the cache.
//
// The ladder:
//   1. one invocation for each number (this file).

struct Heads {
  n_heads: u32,
  n_kv_heads: u32,
  // Numbers of a head, and the same in whole vec4: the rest is 0.
  d: u32,
  room: u32,
  n: u32,
  // 0: no rotary positions; 1: neighbours are a pair; 2: number i and number i + d / 2.
  pairs: u32,
  // Where the keys and the values of this layer begin among what is kept.
  kept_keys: u32,
  kept_values: u32,
}

@group(0) @binding(0) var<uniform> heads: Heads;
// [n, (n_heads + 2 n_kv_heads) d]
@group(0) @binding(1) var<storage, read> rows: array<f32>;
// [n, d / 2] Cosine and sine.
@group(0) @binding(2) var<storage, read> turns: array<vec2f>;
// [n_heads, n, room] [n_kv_heads, n, room] [n_kv_heads, n, room]
@group(0) @binding(3) var<storage, read_write> q: array<f32>;
@group(0) @binding(4) var<storage, read_write> k: array<f32>;
@group(0) @binding(5) var<storage, read_write> v: array<f32>;
// Of each layer [n, n_kv_heads, d]
@group(0) @binding(6) var<storage, read_write> kept: array<f32>;

fn turned(row: u32, position: u32, c: u32) -> f32 {
  let x = rows[row + c];
  if (heads.pairs == 0u) {
    return x;
  }
  let half = heads.d / 2u;
  var pair = c / 2u;
  var is_first = (c & 1u) == 0u;
  var step = 1u;
  if (heads.pairs == 2u) {
    pair = c % half;
    is_first = c < half;
    step = half;
  }
  let by = turns[position * half + pair];
  if (is_first) {
    return x * by.x - rows[row + c + step] * by.y;
  }
  return rows[row + c - step] * by.y + x * by.x;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let i = at.y;
  let head = at.x / heads.room;
  let c = at.x % heads.room;
  let all = heads.n_heads + 2u * heads.n_kv_heads;
  if (head >= all) {
    return;
  }
  let row = (i * all + head) * heads.d;
  let is_there = c < heads.d;
  if (head < heads.n_heads) {
    var value = 0.0;
    if (is_there) {
      value = turned(row, i, c);
    }
    q[(head * heads.n + i) * heads.room + c] = value;
    return;
  }
  let kv = (head - heads.n_heads) % heads.n_kv_heads;
  let to = (kv * heads.n + i) * heads.room + c;
  let to_kept = (i * heads.n_kv_heads + kv) * heads.d + c;
  if (head < heads.n_heads + heads.n_kv_heads) {
    var value = 0.0;
    if (is_there) {
      value = turned(row, i, c);
      kept[heads.kept_keys + to_kept] = value;
    }
    k[to] = value;
    return;
  }
  var value = 0.0;
  if (is_there) {
    value = rows[row + c];
    kept[heads.kept_values + to_kept] = value;
  }
  v[to] = value;
}
