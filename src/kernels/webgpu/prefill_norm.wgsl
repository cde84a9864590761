// Prefill of a model: each row of activations normalised, by RMSNorm (Zhang and Sennrich 2019) or, where there is a bias,
// by LayerNorm (Ba et al. 2016) with the variance around the row's own mean.
//
// The ladder:
//   1. one workgroup for each row, whose invocations take every 64th number and add up in workgroup memory (this file).

struct Norm {
  // Numbers of a row.
  d: u32,
  has_bias: u32,
  epsilon: f32,
  // The first number that is read, and the first that is written.
  first_read: u32,
  first_written: u32,
}

@group(0) @binding(0) var<uniform> norm: Norm;
// [n, d]
@group(0) @binding(1) var<storage, read> x: array<f32>;
// [d] each; the bias is one number where there is none.
@group(0) @binding(2) var<storage, read> gain: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
// [n, d]
@group(0) @binding(4) var<storage, read_write> output: array<f32>;

const WIDTH = 64u;

var<workgroup> partial: array<f32, WIDTH>;

fn sum_of_all(mine: f32, index: u32) -> f32 {
  workgroupBarrier();
  partial[index] = mine;
  for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (index < half) {
      partial[index] += partial[index + half];
    }
  }
  workgroupBarrier();
  return partial[0];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = norm.first_read + group.x * norm.d;
  var mean = 0.0;
  if (norm.has_bias != 0u) {
    var sum = 0.0;
    for (var c = index; c < norm.d; c += WIDTH) {
      sum += x[row + c];
    }
    mean = sum_of_all(sum, index) / f32(norm.d);
  }
  var squares = 0.0;
  for (var c = index; c < norm.d; c += WIDTH) {
    let rest = x[row + c] - mean;
    squares += rest * rest;
  }
  let root = sqrt(sum_of_all(squares, index) / f32(norm.d) + norm.epsilon);
  let to = norm.first_written + group.x * norm.d;
  for (var c = index; c < norm.d; c += WIDTH) {
    var value = (x[row + c] - mean) / root * gain[c];
    if (norm.has_bias != 0u) {
      value += bias[c];
    }
    output[to + c] = value;
  }
}
