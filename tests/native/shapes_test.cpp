#include "attention/shapes.hpp"

#include "core/limits.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("the shape of every matrix of one head") {
  const AttentionShapes shapes = value_of(attention_shapes(6, 16, 8, 4));
  CHECK(shapes.X == Shape{6, 16});
  CHECK(shapes.W_Q == Shape{16, 8});
  CHECK(shapes.W_K == Shape{16, 8});
  CHECK(shapes.W_V == Shape{16, 4});
  CHECK(shapes.Q == Shape{6, 8});
  CHECK(shapes.K == Shape{6, 8});
  CHECK(shapes.V == Shape{6, 4});
  CHECK(shapes.S == Shape{6, 6});
  CHECK(shapes.A == Shape{6, 6});
  CHECK(shapes.O == Shape{6, 4});
  CHECK(shapes.parameters == 320);
  CHECK(value_of(attention_shapes(1'000'000, 16, 8, 4)).parameters == 320);
}

TEST_CASE("counts are exact up to 2^53 and refused above") {
  CHECK(attention_shapes(1 << 26, 65536, 65536, 65536).has_value());
  CHECK(value_of(attention_shapes(1, std::uint64_t{1} << 51, 1, 2)).parameters == max_exact_count);
  const auto refused = [](std::uint64_t n, std::uint64_t d_model, std::uint64_t d_k,
                          std::uint64_t d_v) {
    const Error error = error_of(attention_shapes(n, d_model, d_k, d_v));
    CHECK(error.code == ErrorCode::too_large);
    return error.field;
  };
  CHECK(refused(1 << 27, 1, 1, 1) == "n");
  CHECK(refused(2, max_exact_count, 1, 1) == "d_model");
  CHECK(refused(2, 1, max_exact_count, 1) == "d_k");
  CHECK(refused(2, 1, 1, max_exact_count) == "d_v");
  CHECK(refused(1, std::uint64_t{1} << 51, 1, 3) == "d_model");
  CHECK(refused(1, max_exact_count, max_exact_count, max_exact_count) == "d_model");
  CHECK(refused(UINT64_MAX, 1, 1, 1) == "n");
  CHECK(refused(1, 1, UINT64_MAX, 1) == "d_k");
}

TEST_CASE("a size of 0 is refused by name") {
  CHECK(error_of(attention_shapes(0, 1, 1, 1)).field == "n");
  CHECK(error_of(attention_shapes(1, 0, 1, 1)).field == "d_model");
  CHECK(error_of(attention_shapes(1, 1, 0, 1)).field == "d_k");
  const Error error = error_of(attention_shapes(1, 1, 1, 0));
  CHECK(error.field == "d_v");
  CHECK(error.code == ErrorCode::out_of_range);
}
