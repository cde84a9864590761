// Prefill of a model: what the heads answered, from one head after another to one row for each token.
//
// The ladder:
//   1. one invocation for each number (this file).

struct Rows {
  n: u32,
  n_heads: u32,
  // Numbers of a head, and the same in whole vec4.
  d: u32,
  room: u32,
}

@group(0) @binding(0) var<uniform> sizes: Rows;
// [n_heads, n, room]
@group(0) @binding(1) var<storage, read> heads: array<f32>;
// [n, n_heads d]
@group(0) @binding(2) var<storage, read_write> rows: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let width = sizes.n_heads * sizes.d;
  if (at.x >= width) {
    return;
  }
  let head = at.x / sizes.d;
  rows[at.y * width + at.x] = heads[(head * sizes.n + at.y) * sizes.room + at.x % sizes.d];
}
