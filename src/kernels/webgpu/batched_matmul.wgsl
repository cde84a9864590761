// A batch of matrix products: C = A B, as the projections of all heads ask for it, with A or B shared by the batch.
//
// The ladder. For Q K^T at (8, 512, 64) on a software adapter, as measured on prototypes, tiles in workgroup memory = 1:
//   1. one number for each invocation: 1.6;
//   2. tiles of A and of B in workgroup memory: 1;
//   3. 4 rows x 4 columns of vec4 in registers, without a barrier: 0.24 for 4 rows x 4 vec4 along the inner index; here
//      the vec4 lie along the columns, so that neighbours read B in a row (this file).

struct Product {
  n_rows: u32,
  // Inner index and columns in vec4: rows are padded with zeros to a multiple of 4.
  n_inner: u32,
  n_columns: u32,
  // Rows of B as they are.
  n_b_rows: u32,
  // Vec4 from one matrix of the batch to the next; 0 where all share one.
  a_stride: u32,
  b_stride: u32,
}

@group(0) @binding(0) var<uniform> product: Product;
// [n_batches or 1, n_rows, n_inner] [n_batches or 1, n_b_rows, n_columns]
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
// [n_batches, n_rows, n_columns]
@group(0) @binding(3) var<storage, read_write> c: array<vec4f>;

const FOUR = vec4u(0u, 1u, 2u, 3u);

// Four columns of four rows: what four rows of B add to them.
fn part(b_rows: vec4u, column: u32, weights: mat4x4f, tail: vec4f) -> mat4x4f {
  let at = b_rows + vec4u(min(column, product.n_columns - 1u));
  // A row past the end is read again, and must not count even where it is NaN.
  let none = vec4f(0);
  return mat4x4f(b[at.x], select(none, b[at.y], tail.y > 0), select(none, b[at.z], tail.z > 0),
    select(none, b[at.w], tail.w > 0)) * weights;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let i = (group.y * 8u + local.y) * 4u;
  let column = group.x * 32u + local.x;
  if (i >= product.n_rows || column >= product.n_columns) {
    return;
  }
  // Rows past the end read the last row again and are not written.
  let rows = min(vec4u(i) + FOUR, vec4u(product.n_rows - 1u));
  let a_at = vec4u(group.z * product.a_stride) + rows * product.n_inner;

  // Column r of each matrix is 4 columns of the row i + r.
  var c0 = mat4x4f();
  var c1 = mat4x4f();
  var c2 = mat4x4f();
  var c3 = mat4x4f();
  for (var inner = 0u; inner < product.n_inner; inner += 1u) {
    let weights = mat4x4f(a[a_at.x + inner], a[a_at.y + inner], a[a_at.z + inner], a[a_at.w + inner]);
    let wanted = vec4u(inner * 4u) + FOUR;
    let tail = vec4f(wanted < vec4u(product.n_b_rows));
    let b_rows = vec4u(group.z * product.b_stride) + min(wanted, vec4u(product.n_b_rows - 1u)) * product.n_columns;
    c0 += part(b_rows, column, weights, tail);
    c1 += part(b_rows, column + 8u, weights, tail);
    c2 += part(b_rows, column + 16u, weights, tail);
    c3 += part(b_rows, column + 24u, weights, tail);
  }
  let found = array<mat4x4f, 4>(c0, c1, c2, c3);
  for (var row = 0u; row < 4u && i + row < product.n_rows; row += 1u) {
    for (var j = 0u; j < 4u && column + j * 8u < product.n_columns; j += 1u) {
      c[(group.z * product.n_rows + rows[row]) * product.n_columns + column + j * 8u] = found[j][row];
    }
  }
}
