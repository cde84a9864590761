// Prefill of a model: what stands between the products of a feed-forward part, SwiGLU (Shazeer 2020, equation 6) or the
// form of GELU with a tanh (Hendrycks and Gimpel 2016, section 2).
//
// The ladder:
//   1. one invocation for each number (this file).

struct Activation {
  d_ff: u32,
  // Whether each row holds a gate before what it gates; alone, it goes through GELU.
  is_gated: u32,
}

@group(0) @binding(0) var<uniform> sizes: Activation;
// [n, 2 d_ff] or [n, d_ff]
@group(0) @binding(1) var<storage, read> x: array<f32>;
// [n, d_ff]
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

// Neither exponential may overflow: what comes of infinity is a driver's own affair.
const FAR = 80.0;
const FLAT = 15.0;
const ROOT_OF_TWO_OVER_PI = 0.7978845608028654;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= sizes.d_ff) {
    return;
  }
  let to = at.y * sizes.d_ff + at.x;
  if (sizes.is_gated != 0u) {
    let row = 2u * at.y * sizes.d_ff;
    let gate = x[row + at.x];
    output[to] = gate / (1.0 + exp(min(-gate, FAR))) * x[row + sizes.d_ff + at.x];
    return;
  }
  let value = x[to];
  let inner = ROOT_OF_TWO_OVER_PI * (value + 0.044715 * value * value * value);
  output[to] = 0.5 * value * (1.0 + tanh(clamp(inner, -FLAT, FLAT)));
}
