// The tiled way back against the plain one in double, and that one against finite differences.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/attention_backward.hpp"
#include "kernels/simd/attention.hpp"
#include "kernels/simd/attention_backward.hpp"
#include "kernels/visible_keys.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using kernels::AttentionGradients;
using kernels::AttentionProblem;

namespace {

constexpr double unit = 0x1p-24;
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();

using Floats = std::vector<float>;

struct Sizes {
  std::size_t n_heads = 1, n_kv_heads = 1;
  std::size_t n_q = 1, n_k = 1, d_k = 8, d_v = 8;
};

struct Gradients {
  Floats d_q, d_k, d_v;
};

struct Case {
  Case(Normals& normals, const Sizes& sizes, const Mask& given = {}) : mask(given) {
    const auto fill = [&](Floats& to, std::size_t count) {
      to.resize(count);
      for (float& entry : to) entry = static_cast<float>(normals.next());
    };
    fill(q, sizes.n_heads * sizes.n_q * sizes.d_k);
    fill(k, sizes.n_kv_heads * sizes.n_k * sizes.d_k);
    fill(v, sizes.n_kv_heads * sizes.n_k * sizes.d_v);
    fill(d_output, sizes.n_heads * sizes.n_q * sizes.d_v);
    problem.n_heads = sizes.n_heads;
    problem.n_kv_heads = sizes.n_kv_heads;
    problem.n_q = sizes.n_q;
    problem.n_k = sizes.n_k;
    problem.d_k = sizes.d_k;
    problem.d_v = sizes.d_v;
    problem.scale = 1 / std::sqrt(static_cast<float>(sizes.d_k));
    problem.mask.causal = mask.causal;
    problem.mask.window = static_cast<std::size_t>(mask.window.value_or(0));
    if (!mask.key_valid.empty()) problem.mask.key_valid = mask.key_valid.data();
    if (!mask.query_document.empty()) {
      problem.mask.query_document = mask.query_document.data();
      problem.mask.key_document = mask.key_document.data();
    }
    problem.q = q.data();
    problem.k = k.data();
    problem.v = v.data();
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  Gradients blank() const {
    return {Floats(q.size(), float_nan), Floats(k.size(), float_nan), Floats(v.size(), float_nan)};
  }

  Gradients plain() const {
    Gradients made = blank();
    std::vector<double> scratch(kernels::attention_backward_scalar_scratch(problem));
    kernels::attention_backward_scalar(problem, d_output.data(),
                                       {made.d_q.data(), made.d_k.data(), made.d_v.data()},
                                       scratch.data());
    return made;
  }

  Gradients tiled() const {
    constexpr float guard = 12345;
    Floats output(d_output.size());
    Floats lse(problem.n_heads * problem.n_q);
    Floats forward(kernels::attention_simd_scratch(problem));
    kernels::attention_simd(problem, output.data(), forward.data(), lse.data());
    Gradients made = blank();
    const std::size_t needed = kernels::attention_backward_simd_scratch(problem);
    Floats scratch(needed + 8, guard);
    kernels::attention_backward_simd(problem, output.data(), d_output.data(), lse.data(),
                                     {made.d_q.data(), made.d_k.data(), made.d_v.data()},
                                     scratch.data());
    CHECK(std::all_of(scratch.begin() + static_cast<std::ptrdiff_t>(needed), scratch.end(),
                      [](float x) { return x == guard; }));
    return made;
  }

  Mask mask;
  Floats q, k, v, d_output;
  AttentionProblem problem;
};

double largest(const Floats& of) {
  double result = 0;
  for (const float entry : of) result = std::max(result, std::fabs(static_cast<double>(entry)));
  return result;
}

/// The largest error of an array relative to `magnitude`; NaN anywhere is the answer.
double error_of(const Floats& got, const Floats& expected, double magnitude) {
  double worst = 0;
  for (std::size_t entry = 0; entry < got.size(); ++entry) {
    const double error =
        std::fabs(static_cast<double>(got[entry]) - static_cast<double>(expected[entry]));
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst / magnitude;
}

void check(const Case& made) {
  const AttentionProblem& p = made.problem;
  const Gradients expected = made.plain();
  const Gradients got = made.tiled();
  const double group = static_cast<double>(p.heads_per_kv_head());
  const auto size = [](std::size_t n) { return static_cast<double>(n); };
  const double largest_score =
      size(p.d_k) * largest(made.q) * largest(made.k) * static_cast<double>(p.scale);
  const double units =
      8 * (size(p.n_q) * group + size(p.n_k) + size(p.d_k) + size(p.d_v) + largest_score) * unit;
  // A weight is at most 1, and a row's weights sum to 1; so the gradient of a score is at most
  // this.
  const double slope =
      2 * size(p.d_v) * largest(made.d_output) * largest(made.v) * static_cast<double>(p.scale);
  CHECK(error_of(got.d_q, expected.d_q, slope * largest(made.k)) <= units);
  CHECK(error_of(got.d_k, expected.d_k, slope * largest(made.q)) <= units * group);
  CHECK(error_of(got.d_v, expected.d_v, largest(made.d_output)) <= units * group);
  // The bound is far from tight; what is met in practice, so that a small mistake shows.
  CHECK(error_of(got.d_q, expected.d_q, 1 + largest(expected.d_q)) <= 2e-5);
  CHECK(error_of(got.d_k, expected.d_k, 1 + largest(expected.d_k)) <= 2e-5);
  CHECK(error_of(got.d_v, expected.d_v, 1 + largest(expected.d_v)) <= 2e-5);
}

}  // namespace

TEST_CASE("the plain way back is the slope that differences show") {
  Normals normals(31);
  Mask mask;
  mask.causal = true;
  mask.key_valid = {1, 1, 0, 1, 1};
  Case made(normals, {2, 1, 4, 5, 3, 2}, mask);
  const Gradients gradients = made.plain();
  const auto loss = [&] {
    Floats output(made.d_output.size());
    std::vector<double> row(kernels::attention_heads_scalar_row(made.problem));
    kernels::attention_heads_scalar(made.problem, output.data(), row.data());
    double sum = 0;
    for (std::size_t entry = 0; entry < output.size(); ++entry) {
      sum += static_cast<double>(output[entry]) * static_cast<double>(made.d_output[entry]);
    }
    return sum;
  };
  const auto compare = [&](Floats& input, const Floats& gradient) {
    for (std::size_t entry = 0; entry < input.size(); ++entry) {
      const float kept = input[entry];
      constexpr float step = 1.0F / 64;
      input[entry] = kept + step;
      const double above = loss();
      input[entry] = kept - step;
      const double below = loss();
      input[entry] = kept;
      CHECK(std::fabs((above - below) / (2 * static_cast<double>(step)) -
                      static_cast<double>(gradient[entry])) < 5e-4);
    }
  };
  compare(made.q, gradients.d_q);
  compare(made.k, gradients.d_k);
  compare(made.v, gradients.d_v);
}

TEST_CASE("the tiled way back at many lengths") {
  Normals normals(32);
  for (std::size_t n = 1; n <= 200; n += n < 20 ? 1 : 13) {
    CAPTURE(n);
    Mask mask;
    mask.causal = n % 2 == 0;
    check(Case(normals, {1, 1, n, n, 8, 8}, mask));
  }
}

TEST_CASE("the tiled way back of every group size, and of uneven head sizes") {
  Normals normals(33);
  for (const std::size_t n_kv_heads : std::vector<std::size_t>{1, 2, 3, 4, 6, 12}) {
    CAPTURE(n_kv_heads);
    check(Case(normals, {12, n_kv_heads, 13, 29, 9, 21}));
  }
  for (const std::size_t d : std::vector<std::size_t>{1, 2, 3, 5, 7, 12, 31, 64, 80, 130}) {
    CAPTURE(d);
    check(Case(normals, {1, 1, 50, 99, d, 1 + d * 5 % 37}));
  }
}

TEST_CASE("the tiled way back under any mask, and any together") {
  Normals normals(34);
  Dice dice(34);
  for (int turn = 0; turn < 60; ++turn) {
    const Sizes sizes{2, 1, dice.between(1, 70), dice.between(1, 220), 8, 12};
    CAPTURE(turn, sizes.n_q, sizes.n_k);
    check(Case(normals, sizes, random_mask(dice, sizes.n_q, sizes.n_k)));
  }
}

TEST_CASE("a row with nothing allowed gets no gradient, and its neighbours get theirs") {
  Normals normals(35);
  Mask mask;
  mask.causal = true;
  const Case made(normals, {1, 1, 60, 40, 8, 8}, mask);
  const Gradients got = made.tiled();
  for (std::size_t entry = 0; entry < 20 * 8; ++entry) CHECK(got.d_q[entry] == 0);
  CHECK(all_finite(got.d_q));
  check(made);
  Mask none;
  none.key_valid.assign(40, 0);
  const Gradients nothing = Case(normals, {1, 1, 20, 40, 8, 8}, none).tiled();
  CHECK(all_zero(nothing.d_q));
  CHECK(all_zero(nothing.d_k));
  CHECK(all_zero(nothing.d_v));
}

TEST_CASE("what is masked spoils no gradient, also when it is NaN") {
  Normals normals(36);
  Mask mask;
  mask.key_valid.assign(50, 1);
  mask.key_valid[17] = 0;
  Case made(normals, {2, 1, 30, 50, 8, 8}, mask);
  const Gradients before = made.plain();
  for (std::size_t c = 0; c < 8; ++c) made.k[17 * 8 + c] = made.v[17 * 8 + c] = float_nan;
  const Gradients after = made.tiled();
  CHECK(error_of(after.d_q, before.d_q, 1) < 1e-5);
  CHECK(error_of(after.d_k, before.d_k, 1) < 1e-5);
  CHECK(error_of(after.d_v, before.d_v, 1) < 1e-5);
  for (std::size_t c = 0; c < 8; ++c)
    CHECK((after.d_k[17 * 8 + c] == 0 && after.d_v[17 * 8 + c] == 0));
}

TEST_CASE("scores that the log-sum-exp holds only roughly give no weight above 1") {
  Normals normals(37);
  Case made(normals, {1, 1, 30, 50, 8, 8});
  made.problem.scale = 1e8F;
  const Gradients got = made.tiled();
  CHECK(all_finite(got.d_q));
  CHECK(all_finite(got.d_k));
  CHECK(largest(got.d_v) <= 30 * largest(made.d_output));
}
