// Prefill of a model: out = x W^T + bias, with the weights as their file holds them (kernels/weight_blocks.hpp). They are
// unpacked tile by tile into workgroup memory, so that each is read once for 64 rows of activations.
//
// 128 invocations have a tile of 64 rows by 64 weights' rows, 8 x 4 numbers each, and go along the columns by 16.
//
// The ladder. For 64 rows by (1536, 576) in Q4_1 on a software adapter, in time of the processor, step 1 = 1:
//   1. 256 invocations with 4 x 4 sums each, in an array: 1;
//   2. the same with a constant for the format: 0.57;
//   3. 8 x 4 sums each, in variables, those of missing rows passed over: 0.51 (this file);
//   4. 8 x 8 sums along 32 columns at a time, rejected: 0.44, and twice the time to compile, as it goes by workgroup memory.

struct Linear {
  // Rows and columns of x; rows of the weights.
  n: u32,
  columns: u32,
  rows: u32,
  // Numbers from one row of the output to the next, and where the first one begins.
  out_stride: u32,
  out_first: u32,
  has_bias: u32,
  // Whether the result is added to what is there.
  adds: u32,
}

@group(0) @binding(0) var<uniform> linear: Linear;
// [n, columns]
@group(0) @binding(1) var<storage, read> x: array<f32>;
// [rows, columns] in blocks
@group(0) @binding(2) var<storage, read> weights: array<u32>;
// [rows], or one number where there is none
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> output: array<f32>;

// How the weights are stored, by its place in kernels::weight_formats. Written anew for each: asked at run time, it takes a
// tile longer than its products.
const FORMAT = 0u;

const F32 = 0u;
const F16 = 1u;
const BF16 = 2u;
const Q8_0 = 3u;
const Q4_0 = 4u;
const Q4_1 = 5u;
const Q4_K = 6u;

const TILE = 64u;
// Columns of a tile, in vec4.
const INNER = 4u;

var<workgroup> x_tile: array<vec4f, 256>;
var<workgroup> weight_tile: array<vec4f, 256>;

// Where a row of a tile has its columns: neighbouring rows in another order each, so that they do not meet in one bank.
fn place(row: u32, c: u32) -> u32 {
  return row * INNER + (c ^ (row & 3u));
}

// Addresses are in bytes.
fn byte_at(at: u32) -> u32 {
  return (weights[at >> 2u] >> (8u * (at & 3u))) & 255u;
}

fn half_bits(at: u32) -> u32 {
  return (weights[at >> 2u] >> (8u * (at & 2u))) & 0xffffu;
}

// Four bytes from an even address on.
fn word_at(at: u32) -> u32 {
  let i = at >> 2u;
  if ((at & 2u) == 0u) {
    return weights[i];
  }
  return (weights[i] >> 16u) | (weights[i + 1u] << 16u);
}

// By its bits: the built-in function may take the smallest halves, which scales of blocks are, for zero.
fn half_of(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let exponent = (bits >> 10u) & 31u;
  let rest = bits & 1023u;
  if (exponent == 0u) {
    let small = f32(rest) * 5.9604644775390625e-8;
    return select(small, -small, sign != 0u);
  }
  return bitcast<f32>(sign | (select(exponent + 112u, 255u, exponent == 31u) << 23u) | (rest << 13u));
}

fn half_at(at: u32) -> f32 {
  return half_of(half_bits(at));
}

fn bytes_of(word: u32) -> vec4u {
  return (vec4u(word) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(255u);
}

fn signed_bytes_of(word: u32) -> vec4f {
  return vec4f(bitcast<vec4i>(vec4u(word << 24u, word << 16u, word << 8u, word)) >> vec4u(24u));
}

fn halves_of(word: u32, shift: u32) -> vec4f {
  return vec4f((bytes_of(word) >> vec4u(shift)) & vec4u(15u));
}

// A number that stands by itself; 0 past the end of the row.
fn single(row: u32, column: u32) -> f32 {
  if (column >= linear.columns) {
    return 0.0;
  }
  let at = row * linear.columns + column;
  if (FORMAT == F32) {
    return bitcast<f32>(weights[at]);
  }
  if (FORMAT == F16) {
    return half_at(2u * at);
  }
  return bitcast<f32>(half_bits(2u * at) << 16u);
}

fn four_of_q4_k(block: u32, l: u32) -> vec4f {
  let at = 144u * block;
  let j = l / 32u;
  // Six bits each: those of the last four parts are put together of two bytes.
  let pairs = at + 4u;
  var scale = byte_at(pairs + j) & 63u;
  var offset = byte_at(pairs + j + 4u) & 63u;
  if (j >= 4u) {
    scale = (byte_at(pairs + j + 4u) & 15u) | ((byte_at(pairs + j - 4u) >> 6u) << 4u);
    offset = (byte_at(pairs + j + 4u) >> 4u) | ((byte_at(pairs + j) >> 6u) << 4u);
  }
  let q = halves_of(word_at(at + 16u + (j / 2u) * 32u + (l & 31u)), 4u * (j & 1u));
  return half_at(at) * f32(scale) * q - vec4f(half_at(at + 2u) * f32(offset));
}

fn four_of_q6_k(block: u32, l: u32) -> vec4f {
  let at = 210u * block;
  let h = l / 128u;
  let k = (l & 127u) / 32u;
  let at_l = l & 31u;
  let low = (bytes_of(word_at(at + 64u * h + 32u * (k & 1u) + at_l)) >> vec4u(4u * (k / 2u))) & vec4u(15u);
  let high = (bytes_of(word_at(at + 128u + 32u * h + at_l)) >> vec4u(2u * k)) & vec4u(3u);
  let scale = f32(bitcast<i32>(byte_at(at + 192u + 8u * h + 2u * k + at_l / 16u) << 24u) >> 24u);
  return half_at(at + 208u) * scale * (vec4f(low | (high << vec4u(4u))) - vec4f(32.0));
}

// Four columns of a row of weights.
fn four_weights(row: u32, column: u32) -> vec4f {
  if (row >= linear.rows || column >= linear.columns) {
    return vec4f(0);
  }
  if (FORMAT <= BF16) {
    return vec4f(single(row, column), single(row, column + 1u), single(row, column + 2u), single(row, column + 3u));
  }
  if (FORMAT >= Q4_K) {
    let block = row * (linear.columns / 256u) + column / 256u;
    if (FORMAT == Q4_K) {
      return four_of_q4_k(block, column & 255u);
    }
    return four_of_q6_k(block, column & 255u);
  }
  let block = row * (linear.columns / 32u) + column / 32u;
  let l = column & 31u;
  // Of the halves the low ones are the first sixteen numbers.
  let shift = 4u * (l / 16u);
  if (FORMAT == Q8_0) {
    return half_at(34u * block) * signed_bytes_of(word_at(34u * block + 2u + l));
  }
  if (FORMAT == Q4_0) {
    return half_at(18u * block) * (halves_of(word_at(18u * block + 2u + (l & 15u)), shift) - vec4f(8.0));
  }
  return half_at(20u * block) * halves_of(word_at(20u * block + 4u + (l & 15u)), shift) + vec4f(half_at(20u * block + 2u));
}

fn number(row: u32, column: u32) -> f32 {
  if (column >= linear.columns) {
    return 0.0;
  }
  return x[row * linear.columns + column];
}

fn four_numbers(row: u32, column: u32) -> vec4f {
  if (row >= linear.n) {
    return vec4f(0);
  }
  return vec4f(number(row, column), number(row, column + 1u), number(row, column + 2u), number(row, column + 3u));
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let first_row = group.y * TILE;
  let first_weight = group.x * TILE;
  // What this invocation brings of each tile: one vec4 of two rows.
  let quad = index % INNER;
  let brings = index / INNER;
  // And what it computes: every sixteenth of the weights' rows, every eighth of the other ones.
  let across = index % 16u;
  let down = index / 16u;
  // A short prompt does not fill the tile: how many eights of rows there are.
  let eights = min((linear.n - first_row + 7u) / 8u, 8u);
  var s0 = vec4f(0);
  var s1 = vec4f(0);
  var s2 = vec4f(0);
  var s3 = vec4f(0);
  var s4 = vec4f(0);
  var s5 = vec4f(0);
  var s6 = vec4f(0);
  var s7 = vec4f(0);
  for (var column = 0u; column < linear.columns; column += 4u * INNER) {
    workgroupBarrier();
    for (var row = brings; row < TILE; row += 32u) {
      weight_tile[place(row, quad)] = four_weights(first_weight + row, column + 4u * quad);
      if (row < 8u * eights) {
        x_tile[place(row, quad)] = four_numbers(first_row + row, column + 4u * quad);
      }
    }
    workgroupBarrier();
    for (var c = 0u; c < INNER; c += 1u) {
      // Turned, so that their product with four numbers of a row is four numbers of the output.
      let w = transpose(mat4x4f(weight_tile[place(across, c)], weight_tile[place(across + 16u, c)],
        weight_tile[place(across + 32u, c)], weight_tile[place(across + 48u, c)]));
      s0 += w * x_tile[place(down, c)];
      if (eights > 1u) {
        s1 += w * x_tile[place(down + 8u, c)];
      }
      if (eights > 2u) {
        s2 += w * x_tile[place(down + 16u, c)];
        s3 += w * x_tile[place(down + 24u, c)];
      }
      if (eights > 4u) {
        s4 += w * x_tile[place(down + 32u, c)];
        s5 += w * x_tile[place(down + 40u, c)];
        s6 += w * x_tile[place(down + 48u, c)];
        s7 += w * x_tile[place(down + 56u, c)];
      }
    }
  }
  let sums = array<vec4f, 8>(s0, s1, s2, s3, s4, s5, s6, s7);
  for (var i = 0u; i < eights; i += 1u) {
    let row = first_row + down + 8u * i;
    for (var j = 0u; j < 4u; j += 1u) {
      let weight = first_weight + across + 16u * j;
      if (row < linear.n && weight < linear.rows) {
        var value = sums[i][j];
        if (linear.has_bias != 0u) {
          value += bias[weight];
        }
        let at = row * linear.out_stride + linear.out_first + weight;
        if (linear.adds != 0u) {
          value += output[at];
        }
        output[at] = value;
      }
    }
  }
}
