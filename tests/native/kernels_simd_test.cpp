// The vector kernels of attention against the oracle that is all in double, at every size and mask
// that has its own path.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/scalar/attention.hpp"
#include "kernels/simd/attention.hpp"
#include "kernels/simd/decode.hpp"
#include "kernels/visible_keys.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using kernels::AttentionProblem;
using kernels::AttentionTiling;

namespace {

constexpr double unit = 0x1p-24;
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float float_infinity = std::numeric_limits<float>::infinity();

using Lengths = std::vector<std::size_t>;

struct Sizes {
  std::size_t n_heads = 1, n_kv_heads = 1;
  std::size_t n_q = 1, n_k = 1, d_k = 8, d_v = 8;
};

/// A problem with the numbers that it points to, `offset` floats behind what the allocator aligned.
class Case {
 public:
  Case(Normals& normals, const Sizes& sizes, const Mask& mask = {}, std::size_t offset = 0,
       double spread = 1)
      : mask_(mask), offset_(offset) {
    fill(normals, q_, sizes.n_heads * sizes.n_q * sizes.d_k, spread);
    fill(normals, k_, sizes.n_kv_heads * sizes.n_k * sizes.d_k, spread);
    fill(normals, v_, sizes.n_kv_heads * sizes.n_k * sizes.d_v, 1);
    problem_.n_heads = sizes.n_heads;
    problem_.n_kv_heads = sizes.n_kv_heads;
    problem_.n_q = sizes.n_q;
    problem_.n_k = sizes.n_k;
    problem_.d_k = sizes.d_k;
    problem_.d_v = sizes.d_v;
    problem_.scale = 1 / std::sqrt(static_cast<float>(sizes.d_k));
    problem_.mask.causal = mask_.causal;
    problem_.mask.window = static_cast<std::size_t>(mask_.window.value_or(0));
    if (!mask_.key_valid.empty()) problem_.mask.key_valid = mask_.key_valid.data();
    if (!mask_.query_document.empty()) {
      problem_.mask.query_document = mask_.query_document.data();
      problem_.mask.key_document = mask_.key_document.data();
    }
    problem_.q = q();
    problem_.k = k();
    problem_.v = v();
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  float* q() { return q_.data() + offset_; }
  float* k() { return k_.data() + offset_; }
  float* v() { return v_.data() + offset_; }
  AttentionProblem& problem() { return problem_; }

 private:
  void fill(Normals& normals, std::vector<float>& to, std::size_t count, double spread) {
    to.assign(count + offset_, float_nan);
    for (std::size_t i = 0; i < count; ++i) {
      to[i + offset_] = static_cast<float>(spread * normals.next());
    }
  }

  Mask mask_;
  std::size_t offset_;
  std::vector<float> q_, k_, v_;
  AttentionProblem problem_;
};

struct Result {
  std::vector<float> output, lse;
};

/// NaN where the kernel has not written; a guard behind the scratch that it must not touch.
enum class Kernel { attention, decode };

Result run(const AttentionProblem& problem, Kernel kernel = Kernel::attention,
           const AttentionTiling& tiling = {}, std::size_t offset = 0) {
  constexpr float guard = 12345;
  const std::size_t rows = problem.n_heads * problem.n_q;
  Result result{std::vector<float>(rows * problem.d_v + offset, float_nan),
                std::vector<float>(rows, float_nan)};
  const std::size_t needed = kernel == Kernel::attention ? kernels::attention_simd_scratch(problem)
                                                         : kernels::decode_simd_scratch(problem);
  std::vector<float> scratch(offset + needed + 8, guard);
  float* const output = result.output.data() + offset;
  if (kernel == Kernel::attention) {
    kernels::attention_simd(problem, output, scratch.data() + offset, result.lse.data(), tiling);
  } else {
    kernels::decode_simd(problem, output, scratch.data() + offset, result.lse.data());
  }
  const auto behind = scratch.begin() + static_cast<std::ptrdiff_t>(offset + needed);
  CHECK(std::all_of(behind, scratch.end(), [](float x) { return x == guard; }));
  result.output.erase(result.output.begin(),
                      result.output.begin() + static_cast<std::ptrdiff_t>(offset));
  return result;
}

Result oracle(const AttentionProblem& problem) {
  const std::size_t rows = problem.n_heads * problem.n_q;
  Result result{std::vector<float>(rows * problem.d_v, float_nan),
                std::vector<float>(rows, float_nan)};
  std::vector<double> row(kernels::attention_heads_scalar_row(problem));
  kernels::attention_heads_scalar(problem, result.output.data(), row.data(), result.lse.data());
  return result;
}

/// The largest error of `result` as a share of what the header promises; above 1 the promise is
/// broken.
double share_of_bound(const AttentionProblem& problem, const Result& result,
                      const Result& expected) {
  double worst = 0;
  std::vector<double> weights(problem.n_k);
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    const std::size_t kv_head = head / problem.heads_per_kv_head();
    const float* k = problem.k + kv_head * problem.k_stride();
    const float* v = problem.v + kv_head * problem.v_stride();
    for (std::size_t i = 0; i < problem.n_q; ++i) {
      const std::size_t place = head * problem.n_q + i;
      const float* q = problem.q + place * problem.d_k;
      const kernels::KeyRange range = kernels::visible_range(problem, i);
      double spread = 0;
      const auto log_sum = static_cast<double>(expected.lse[place]);
      for (std::size_t j = 0; j < problem.n_k; ++j) {
        weights[j] = 0;
        if (j < range.first || j >= range.last) continue;
        if (!kernels::allows_inside(problem.mask, i, j)) continue;
        double score = 0;
        double absolute = 0;
        for (std::size_t c = 0; c < problem.d_k; ++c) {
          const double product =
              static_cast<double>(q[c]) * static_cast<double>(k[j * problem.d_k + c]);
          score += product;
          absolute += std::fabs(product);
        }
        weights[j] = std::exp(score * static_cast<double>(problem.scale) - log_sum);
        spread = std::max(spread, absolute * static_cast<double>(problem.scale));
      }
      const auto n_k = static_cast<double>(problem.n_k);
      const double e = (static_cast<double>(problem.d_k) + 4) * unit * spread;
      const double lse_error = std::fabs(static_cast<double>(result.lse[place]) - log_sum);
      if (std::isinf(log_sum)) {
        if (result.lse[place] != expected.lse[place]) return infinity;
      } else {
        const double allowed = e + 4 * unit * (std::fabs(log_sum) + 1) + n_k * unit;
        // Not max, which would let a NaN pass.
        if (!(lse_error <= worst * allowed)) worst = lse_error / allowed;
      }
      for (std::size_t c = 0; c < problem.d_v; ++c) {
        double magnitude = 0;
        for (std::size_t j = 0; j < problem.n_k; ++j) {
          if (weights[j] == 0) continue;
          magnitude += weights[j] * std::fabs(static_cast<double>(v[j * problem.d_v + c]));
        }
        const double allowed = (2 * e + (n_k + 12) * unit) * magnitude + 1e-32;
        const std::size_t entry = place * problem.d_v + c;
        const double error = std::fabs(static_cast<double>(result.output[entry]) -
                                       static_cast<double>(expected.output[entry]));
        if (!(error <= worst * allowed)) worst = error / allowed;
        if (std::isnan(worst)) return worst;
      }
    }
  }
  return worst;
}

constexpr AttentionTiling tilings[] = {
    {},
    {.rows = 4, .always_running_maximum = false, .always_tiles = true},
    {.rows = 4, .always_running_maximum = true, .always_tiles = true},
    {.rows = 6, .always_running_maximum = false, .always_tiles = true},
    {.rows = 6, .always_running_maximum = true, .always_tiles = true},
};

/// Every path gives what the oracle gives, to the bound.
void check_all_paths(const AttentionProblem& problem, std::size_t offset = 0) {
  const Result expected = oracle(problem);
  for (const AttentionTiling& tiling : tilings) {
    CAPTURE(tiling.rows, tiling.always_running_maximum);
    const double share =
        share_of_bound(problem, run(problem, Kernel::attention, tiling, offset), expected);
    CHECK(share <= 1);
  }
  CHECK(share_of_bound(problem, run(problem, Kernel::decode, {}, offset), expected) <= 1);
}

std::string words(const Sizes& s) {
  return std::to_string(s.n_heads) + "/" + std::to_string(s.n_kv_heads) + " heads, " +
         std::to_string(s.n_q) + " x " + std::to_string(s.n_k) + ", d " + std::to_string(s.d_k) +
         " " + std::to_string(s.d_v);
}

}  // namespace

TEST_CASE("vector attention at every length from 1 to 200") {
  Normals normals(1);
  for (std::size_t n = 1; n <= 200; ++n) {
    CAPTURE(n);
    Mask mask;
    mask.causal = n % 2 == 1;
    Case made(normals, {1, 1, n, n, 8, 8}, mask);
    check_all_paths(made.problem());
  }
}

TEST_CASE("vector attention of few queries over many keys, and of many over few") {
  Normals normals(2);
  Dice dice(2);
  for (const std::size_t n_q : Lengths{1, 2, 3, 7, 8, 9, 23, 24, 25, 49, 150}) {
    for (const std::size_t n_k : Lengths{1, 2, 7, 8, 9, 15, 16, 127, 128, 129, 190}) {
      Mask mask;
      mask.causal = dice.coin();
      if (dice.coin()) mask.window = dice.between(1, n_k + 1);
      const Sizes sizes{2, 1, n_q, n_k, 16, 8};
      CAPTURE(words(sizes), mask.causal, mask.window.value_or(0));
      Case made(normals, sizes, mask);
      check_all_paths(made.problem());
    }
  }
}

TEST_CASE("vector attention of every head size") {
  Normals normals(3);
  Lengths some;
  for (std::size_t d = 1; d <= 34; ++d) some.push_back(d);
  for (const std::size_t d : Lengths{47, 48, 63, 64, 65, 80, 95, 96, 97, 127, 128, 129, 130}) {
    some.push_back(d);
  }
  for (const std::size_t d : some) {
    const std::size_t other = some[(d * 7 + 3) % some.size()];
    for (const Sizes& sizes : {Sizes{1, 1, 31, 37, d, d}, Sizes{1, 1, 13, 30, d, other}}) {
      CAPTURE(words(sizes));
      Case made(normals, sizes);
      check_all_paths(made.problem());
    }
  }
}

TEST_CASE("vector attention under any mask, and any together") {
  Normals normals(4);
  Dice dice(4);
  for (int turn = 0; turn < 120; ++turn) {
    const Sizes sizes{2, 1, dice.between(1, 60), dice.between(1, 300), 8, 12};
    Mask mask = random_mask(dice, sizes.n_q, sizes.n_k);
    if (turn % 3 == 0 && !mask.key_document.empty()) {
      // As documents come: one behind the other, so that whole tiles are one document.
      std::sort(mask.query_document.begin(), mask.query_document.end());
      std::sort(mask.key_document.begin(), mask.key_document.end());
    }
    if (turn % 3 == 1 && !mask.key_valid.empty()) {
      std::sort(mask.key_valid.begin(), mask.key_valid.end());
    }
    CAPTURE(turn, words(sizes), mask.causal, mask.window.value_or(0), mask.key_valid.size(),
            mask.key_document.size());
    Case made(normals, sizes, mask);
    check_all_paths(made.problem());
  }
}

TEST_CASE("the mask of the kernels is the mask of the library") {
  Dice dice(5);
  Normals normals(5);
  for (int turn = 0; turn < 60; ++turn) {
    const Sizes sizes{1, 1, dice.between(1, 12), dice.between(1, 12), 1, 1};
    const Mask mask = random_mask(dice, sizes.n_q, sizes.n_k);
    Case made(normals, sizes, mask);
    for (std::size_t i = 0; i < sizes.n_q; ++i) {
      const kernels::KeyRange range = kernels::visible_range(made.problem(), i);
      for (std::size_t j = 0; j < sizes.n_k; ++j) {
        const bool allowed =
            j >= range.first && j < range.last && kernels::allows_inside(made.problem().mask, i, j);
        CHECK(allowed == is_allowed(mask, i, j, sizes.n_q, sizes.n_k));
      }
    }
  }
}

TEST_CASE("query heads that share a KV head, in every group size of twelve heads") {
  Normals normals(6);
  for (const std::size_t n_kv_heads : Lengths{1, 2, 3, 4, 6, 12}) {
    for (const std::size_t n_q : Lengths{1, 2, 29}) {
      const Sizes sizes{12, n_kv_heads, n_q, 45, 20, 11};
      CAPTURE(words(sizes));
      Mask mask;
      mask.causal = true;
      Case made(normals, sizes, mask);
      check_all_paths(made.problem());
    }
  }
  // And the groups that decoding takes apart differently.
  for (const std::size_t group : Lengths{5, 7, 8}) {
    const Sizes sizes{group, 1, 1, 200, 64, 64};
    CAPTURE(words(sizes));
    Case made(normals, sizes);
    check_all_paths(made.problem());
  }
}

TEST_CASE("a cache with room to grow: heads further apart than they are long") {
  Normals normals(7);
  const Sizes sizes{4, 2, 3, 40, 16, 16};
  Case dense(normals, sizes);
  std::vector<float> k(2 * 100 * 16, float_nan);
  std::vector<float> v(2 * 90 * 16, float_nan);
  for (std::size_t head = 0; head < 2; ++head) {
    std::copy_n(dense.k() + head * 40 * 16, 40 * 16, k.data() + head * 100 * 16);
    std::copy_n(dense.v() + head * 40 * 16, 40 * 16, v.data() + head * 90 * 16);
  }
  AttentionProblem apart = dense.problem();
  apart.k = k.data();
  apart.v = v.data();
  apart.k_head_stride = 100 * 16;
  apart.v_head_stride = 90 * 16;
  for (const AttentionTiling& tiling : tilings) {
    CHECK(run(apart, Kernel::attention, tiling).output ==
          run(dense.problem(), Kernel::attention, tiling).output);
  }
  CHECK(oracle(apart).output == oracle(dense.problem()).output);
}

TEST_CASE("addresses that no vector is aligned to") {
  Normals normals(8);
  for (const std::size_t offset : Lengths{1, 2, 3}) {
    for (const Sizes& sizes : {Sizes{2, 1, 33, 50, 17, 9}, Sizes{3, 1, 1, 150, 64, 64}}) {
      CAPTURE(offset, words(sizes));
      Case made(normals, sizes, {}, offset);
      check_all_paths(made.problem(), offset);
    }
  }
}

TEST_CASE("what is masked weighs nothing, also when it is NaN or infinite") {
  Normals normals(9);
  Dice dice(9);
  for (int turn = 0; turn < 40; ++turn) {
    const Sizes sizes{2, 1, dice.between(1, 40), dice.between(20, 150), 8, 12};
    Mask mask;
    mask.causal = dice.coin();
    if (dice.coin()) mask.window = dice.between(1, sizes.n_k);
    for (std::size_t j = 0; j < sizes.n_k; ++j) {
      mask.key_valid.push_back(dice.between(0, 3) != 0 ? 1 : 0);
    }
    Case made(normals, sizes, mask);
    std::vector<Result> clean;
    for (const AttentionTiling& tiling : tilings) {
      clean.push_back(run(made.problem(), Kernel::attention, tiling));
    }
    const Result expected = oracle(made.problem());
    const float bad[] = {float_nan, float_infinity, -float_infinity, 3e38F};
    for (std::size_t j = 0; j < sizes.n_k; ++j) {
      if (mask.key_valid[j] != 0) continue;
      std::fill_n(made.k() + j * sizes.d_k, sizes.d_k, bad[j % 4]);
      std::fill_n(made.v() + j * sizes.d_v, sizes.d_v, bad[(j + 1) % 4]);
    }
    CAPTURE(turn, words(sizes));
    for (const AttentionTiling& tiling : tilings) {
      const Result poisoned = run(made.problem(), Kernel::attention, tiling);
      CHECK(all_finite(poisoned.output));
      CHECK(share_of_bound(made.problem(), poisoned, expected) <= 1);
    }
    const Result poisoned = run(made.problem(), Kernel::decode);
    CHECK(share_of_bound(made.problem(), poisoned, expected) <= 1);
    CHECK(same(oracle(made.problem()).output, expected.output));
  }
}

TEST_CASE("a NaN in the future of the causal mask reaches only the rows that see it") {
  Normals normals(10);
  const Sizes sizes{1, 1, 60, 60, 16, 16};
  Mask mask;
  mask.causal = true;
  for (const bool in_values : {false, true}) {
    Case made(normals, sizes, mask);
    const Result expected = oracle(made.problem());
    constexpr std::size_t bad = 41;
    (in_values ? made.v() : made.k())[bad * 16 + 5] = float_nan;
    for (const AttentionTiling& tiling : tilings) {
      const Result result = run(made.problem(), Kernel::attention, tiling);
      for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t c = 0; c < 16; ++c) {
          CAPTURE(i, c, in_values);
          const float entry = result.output[i * 16 + c];
          if (i >= bad && (!in_values || c == 5)) {
            CHECK(std::isnan(entry));
          } else {
            CHECK(std::fabs(entry - expected.output[i * 16 + c]) < 1e-5F);
          }
        }
      }
    }
  }
}

TEST_CASE("a row of Q with NaN or a score of plus infinity is NaN, and its neighbours are not") {
  Normals normals(11);
  for (const std::size_t n : Lengths{9, 40}) {
    for (const float bad : {float_nan, float_infinity}) {
      Case made(normals, {1, 1, n, 40, 8, 8});
      for (std::size_t j = 0; j < 40; ++j) made.k()[j * 8] = 1;
      made.q()[3 * 8] = bad;
      for (const AttentionTiling& tiling : tilings) {
        const Result result = run(made.problem(), Kernel::attention, tiling);
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(std::isnan(result.output[i * 8]) == (i == 3));
          CHECK(std::isnan(result.lse[i]) == (i == 3));
        }
      }
    }
  }
}

TEST_CASE("a row with nothing allowed gives exactly 0") {
  Normals normals(12);
  Mask padding;
  padding.key_valid.assign(50, 0);
  Mask causal;
  causal.causal = true;
  for (const AttentionTiling& tiling : tilings) {
    Case none(normals, {2, 1, 20, 50, 8, 8}, padding);
    const Result nothing = run(none.problem(), Kernel::attention, tiling);
    CHECK(all_zero(nothing.output));
    CHECK(std::all_of(nothing.lse.begin(), nothing.lse.end(),
                      [](float x) { return x == -float_infinity; }));
    // More queries than keys: the first stand before the first key.
    Case early(normals, {1, 1, 50, 20, 8, 8}, causal);
    const Result result = run(early.problem(), Kernel::attention, tiling);
    for (std::size_t i = 0; i < 50; ++i) {
      for (std::size_t c = 0; c < 8; ++c) CHECK((result.output[i * 8 + c] == 0) == (i < 30));
    }
  }
  Case one(normals, {3, 1, 1, 50, 8, 8}, padding);
  CHECK(all_zero(run(one.problem(), Kernel::decode).output));
}

TEST_CASE("packed documents do not see each other") {
  Normals normals(13);
  const Sizes sizes{1, 1, 300, 300, 16, 16};
  Mask mask;
  mask.causal = true;
  for (std::size_t j = 0; j < 300; ++j) mask.key_document.push_back(j < 137 ? 1 : 2);
  mask.query_document = mask.key_document;
  Case made(normals, sizes, mask);
  for (const AttentionTiling& tiling : tilings) {
    const Result before = run(made.problem(), Kernel::attention, tiling);
    Case other(normals, sizes, mask);
    std::copy_n(made.q(), 300 * 16, other.q());
    std::copy_n(made.k() + 137 * 16, 163 * 16, other.k() + 137 * 16);
    std::copy_n(made.v() + 137 * 16, 163 * 16, other.v() + 137 * 16);
    const Result after = run(other.problem(), Kernel::attention, tiling);
    CHECK(std::equal(before.output.begin() + 137 * 16, before.output.end(),
                     after.output.begin() + 137 * 16));
  }
}

TEST_CASE("scores of a thousand, and of 1e30") {
  for (const float size : {1000.0F, 1e30F}) {
    // Keys by turns +1 and -1 times the size; the queries 1: each attends to the positive keys
    // alone, all alike.
    Normals normals(14);
    Case made(normals, {1, 1, 30, 50, 8, 8});
    made.problem().scale = 1;
    std::fill_n(made.q(), 30 * 8, 0.0F);
    std::fill_n(made.k(), 50 * 8, 0.0F);
    for (std::size_t i = 0; i < 30; ++i) made.q()[i * 8] = 1;
    for (std::size_t j = 0; j < 50; ++j) made.k()[j * 8] = j % 2 == 0 ? size : -size;
    std::vector<double> mean(8, 0);
    for (std::size_t j = 0; j < 50; j += 2) {
      for (std::size_t c = 0; c < 8; ++c) mean[c] += static_cast<double>(made.v()[j * 8 + c]) / 25;
    }
    const auto check = [&](const Result& result) {
      for (std::size_t entry = 0; entry < 30 * 8; ++entry) {
        CHECK(std::fabs(static_cast<double>(result.output[entry]) - mean[entry % 8]) < 1e-6);
      }
    };
    for (const AttentionTiling& tiling : tilings) {
      check(run(made.problem(), Kernel::attention, tiling));
    }
    check(run(made.problem(), Kernel::decode));
    // Wider spread by chance, also far past what is exponentiated unshifted.
    Case spread(normals, {2, 1, 40, 150, 8, 8}, {}, 0, size == 1000.0F ? 20 : 6);
    check_all_paths(spread.problem());
  }
}

TEST_CASE("large values do not overflow on the way") {
  Normals normals(15);
  Case made(normals, {1, 1, 30, 200, 8, 8});
  for (std::size_t entry = 0; entry < 200 * 8; ++entry) made.v()[entry] *= 5e37F;
  check_all_paths(made.problem());
  for (std::size_t entry = 0; entry < 200 * 8; ++entry) made.v()[entry] = 3e38F;
  for (const AttentionTiling& tiling : tilings) {
    const Result result = run(made.problem(), Kernel::attention, tiling);
    CHECK(std::all_of(result.output.begin(), result.output.end(),
                      [](float x) { return std::fabs(x / 3e38F - 1) < 1e-4F; }));
  }
}

TEST_CASE("vector attention of a length of its own") {
  Normals normals(16);
  Mask mask;
  mask.causal = true;
  mask.window = 100;
  Case windowed(normals, {1, 1, 700, 700, 16, 16}, mask);
  check_all_paths(windowed.problem());
  Case full(normals, {1, 1, 390, 520, 64, 64});
  check_all_paths(full.problem());
}

TEST_CASE("scratch grows with the length, not with its square") {
  AttentionProblem problem;
  problem.d_k = problem.d_v = 64;
  problem.n_q = problem.n_k = 1000;
  const std::size_t thousand = kernels::attention_simd_scratch(problem);
  problem.n_q = problem.n_k = 100000;
  CHECK(kernels::attention_simd_scratch(problem) < 100 * thousand);
}
