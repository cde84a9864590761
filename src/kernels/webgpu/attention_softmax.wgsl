// The second of three passes that build S: the softmax of each row, in place.
//
// A row is read three times: for its maximum, for the sum of exp(s - maximum), and to be divided by it. A workgroup
// has one row at a time; 64 partial results meet in workgroup memory.
//
// The ladder:
//   1. one invocation for each row: neighbours read addresses that lie a whole row apart;
//   2. one workgroup for each row (this file).

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
// [n_heads, n_q, n_k] Rows are padded to a multiple of 4. Scores become weights.
@group(0) @binding(1) var<storage, read_write> scores: array<vec4f>;

const WIDTH = 64u;
// Stands for minus infinity, which no constant may be: what is at or below it has no weight.
const NOTHING = -3.0e38;
// An allowed key keeps some weight, so that an infinite value behind it shows.
const SMALLEST = 1.1754944e-38;

var<workgroup> partial: array<f32, WIDTH>;
var<workgroup> partial_broken: array<u32, WIDTH>;

// Whether a score is NaN or plus infinity, by its bits: comparisons may be compiled as if there were no NaN.
fn is_broken(x: vec4f) -> bool {
  let bits = bitcast<vec4u>(x);
  return any(((bits & vec4u(0x7f800000u)) == vec4u(0x7f800000u)) & (bits != vec4u(0xff800000u)));
}

fn weights(x: vec4f, maximum: f32) -> vec4f {
  let found = max(exp2(x - vec4f(maximum)), vec4f(SMALLEST));
  return select(found, vec4f(0), x <= vec4f(NOTHING));
}

@compute @workgroup_size(WIDTH)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) index: u32) {
  let row_length = (problem.n_k + 3u) / 4u;
  // There may be more rows than workgroups.
  for (var i = group.x; i < problem.n_q; i += groups.x) {
    let row = (group.y * problem.n_q + i) * row_length;

    var maximum = NOTHING;
    var broken = 0u;
    for (var j = index; j < row_length; j += WIDTH) {
      let x = scores[row + j];
      maximum = max(maximum, max(max(x.x, x.y), max(x.z, x.w)));
      broken |= u32(is_broken(x));
    }
    partial[index] = maximum;
    partial_broken[index] = broken;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
      if (index < half) {
        partial[index] = max(partial[index], partial[index + half]);
        partial_broken[index] |= partial_broken[index + half];
      }
      workgroupBarrier();
    }
    maximum = partial[0];
    broken = partial_broken[0];
    workgroupBarrier();

    var sum = 0.0;
    for (var j = index; j < row_length; j += WIDTH) {
      let w = weights(scores[row + j], maximum);
      sum += w.x + w.y + w.z + w.w;
    }
    partial[index] = sum;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
      if (index < half) {
        partial[index] += partial[index + half];
      }
      workgroupBarrier();
    }
    sum = partial[0];
    workgroupBarrier();

    for (var j = index; j < row_length; j += WIDTH) {
      // A row with nothing to attend to is 0.
      let w = select(vec4f(0), weights(scores[row + j], maximum) / sum, sum > 0);
      scores[row + j] = select(w, vec4f(bitcast<f32>(problem.nan)), broken != 0u);
    }
  }
}
