// The kernels of the answers to n^2, plain ones and vectors, against the functions in double of src/efficient, at every
// size that has its own path.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "efficient/block_sparse.hpp"
#include "efficient/linear_attention.hpp"
#include "efficient/selective_scan.hpp"
#include "kernels/scalar/block_sparse.hpp"
#include "kernels/scalar/linear_attention.hpp"
#include "kernels/scalar/selective_scan.hpp"
#include "kernels/simd/block_sparse.hpp"
#include "kernels/simd/linear_attention.hpp"
#include "kernels/simd/selective_scan.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using kernels::Features;
using kernels::LinearProblem;
using kernels::LinearTiling;
using kernels::ScanProblem;
using kernels::SparseProblem;

namespace {

using Lengths = std::vector<std::size_t>;

constexpr double unit = 0x1p-24;
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float guard = 12345;

/// Numbers `offset` floats behind what the allocator aligned.
class Array {
 public:
  Array(std::size_t count, std::size_t offset)
      : offset_(offset), numbers_(count + offset, float_nan) {}
  float* data() { return numbers_.data() + offset_; }
  const float* data() const { return numbers_.data() + offset_; }
  std::size_t size() const { return numbers_.size() - offset_; }
  float& operator[](std::size_t i) { return numbers_[offset_ + i]; }
  float operator[](std::size_t i) const { return numbers_[offset_ + i]; }

 private:
  std::size_t offset_;
  std::vector<float> numbers_;
};

Array drawn(Normals& normals, std::size_t count, std::size_t offset = 0, double spread = 1) {
  Array made(count, offset);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<float>(spread * normals.next());
  return made;
}

/// Between 0 and 1, the ends included.
Array drawn_gates(Normals& normals, std::size_t count) {
  Array made(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = normals.next();
    made[i] = x < -1.8 ? 0.0F : x > 1.5 ? 1.0F : static_cast<float>(1 / (1 + std::exp(-3 - x)));
  }
  return made;
}

Matrix<double> as_matrix(const float* from, std::size_t rows, std::size_t columns) {
  Matrix<double> made = make_matrix<double>(rows, columns);
  std::copy_n(from, rows * columns, made.begin());
  return made;
}

/// Scratch that says whether it was overrun.
class Guarded {
 public:
  explicit Guarded(std::size_t size, std::size_t offset = 0)
      : size_(size + offset), offset_(offset), numbers_(size + offset + 8, guard) {}
  ~Guarded() {
    for (std::size_t i = size_; i < numbers_.size(); ++i) CHECK(numbers_[i] == guard);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  float* data() { return numbers_.data() + offset_; }

 private:
  std::size_t size_, offset_;
  std::vector<float> numbers_;
};

/* ---- linear attention ---- */

struct LinearCase {
  std::size_t n, d_k, d_v;
  FeatureMap map = FeatureMap::elu_plus_one;
  bool normalize = true, gated = false;
  std::size_t heads = 1, offset = 0;
};

struct LinearNumbers {
  LinearCase sizes;
  Array q, k, v, gates;

  LinearNumbers(Normals& normals, const LinearCase& from)
      : sizes(from),
        q(drawn(normals, from.heads * from.n * from.d_k, from.offset)),
        k(drawn(normals, from.heads * from.n * from.d_k, from.offset)),
        v(drawn(normals, from.heads * from.n * from.d_v, from.offset)),
        gates(drawn_gates(normals, from.heads * from.n)) {}

  /// Tokens first to last - 1 of a problem of one head.
  LinearProblem problem(std::size_t first, std::size_t last) const {
    return {.n_heads = sizes.heads,
            .n = last - first,
            .d_k = sizes.d_k,
            .d_v = sizes.d_v,
            .features = static_cast<Features>(sizes.map),
            .normalize = sizes.normalize,
            .q = q.data() + first * sizes.d_k,
            .k = k.data() + first * sizes.d_k,
            .v = v.data() + first * sizes.d_v,
            .gates = sizes.gated ? gates.data() + first : nullptr};
  }
  LinearProblem problem() const { return problem(0, sizes.n); }

  LinearAttention exact(std::size_t head) const {
    const auto part = [&](const Array& from, std::size_t width) {
      return as_matrix(from.data() + head * sizes.n * width, sizes.n, width);
    };
    LinearAttentionOptions options{.feature_map = sizes.map, .normalize = sizes.normalize};
    if (sizes.gated) {
      options.gates = make_vector<double>(sizes.n);
      std::copy_n(gates.data() + head * sizes.n, sizes.n, options.gates.begin());
    }
    return value_of(linear_attention(part(q, sizes.d_k), part(k, sizes.d_k), part(v, sizes.d_v),
                                     options, LinearForm::recurrent));
  }

  /// What an entry is compared with: sum_j |w_ij v_jc|, over the sum of the weights.
  LinearAttention spread(std::size_t head) const {
    LinearNumbers copy = *this;
    for (std::size_t i = 0; i < copy.v.size(); ++i) copy.v[i] = std::fabs(copy.v[i]);
    if (sizes.map == FeatureMap::identity) {
      for (std::size_t i = 0; i < copy.q.size(); ++i) copy.q[i] = std::fabs(copy.q[i]);
      for (std::size_t i = 0; i < copy.k.size(); ++i) copy.k[i] = std::fabs(copy.k[i]);
    }
    return copy.exact(head);
  }
};

/// What is right for each head, and what its errors are compared with.
struct LinearRight {
  explicit LinearRight(const LinearNumbers& numbers) {
    for (std::size_t head = 0; head < numbers.sizes.heads; ++head) {
      exact.push_back(numbers.exact(head).output);
      spread.push_back(numbers.spread(head).output);
    }
  }
  std::vector<Matrix<double>> exact, spread;
};

/// The largest error as a share of what the header promises.
double share_of_bound(const LinearNumbers& numbers, const LinearRight& right, const Array& output,
                      std::size_t chunk) {
  const LinearCase& sizes = numbers.sizes;
  const auto n = static_cast<double>(sizes.n);
  const double factor =
      2 * (n / static_cast<double>(chunk) + static_cast<double>(chunk + sizes.d_k)) + 40 +
      (sizes.gated ? 2 * n : 0);
  double worst = 0;
  for (std::size_t head = 0; head < sizes.heads; ++head) {
    for (std::size_t i = 0; i < sizes.n; ++i) {
      for (std::size_t c = 0; c < sizes.d_v; ++c) {
        const auto got = static_cast<double>(output[(head * sizes.n + i) * sizes.d_v + c]);
        const double error = std::fabs(got - right.exact[head](i, c));
        if (std::isnan(error)) return error;
        worst = std::max(worst, error / (factor * unit * right.spread[head](i, c) + 1e-37));
      }
    }
  }
  return worst;
}

Array run(const LinearNumbers& numbers, const LinearTiling& tiling = {}) {
  const LinearProblem problem = numbers.problem();
  Array output(problem.n_heads * problem.n * problem.d_v, numbers.sizes.offset);
  Guarded scratch(kernels::linear_attention_simd_scratch(problem, tiling), numbers.sizes.offset);
  kernels::linear_attention_simd(problem, {}, output.data(), scratch.data(), tiling);
  return output;
}

Array run_plain(const LinearNumbers& numbers) {
  const LinearProblem problem = numbers.problem();
  Array output(problem.n_heads * problem.n * problem.d_v, 0);
  std::vector<double> scratch(kernels::linear_attention_scalar_scratch(problem));
  kernels::linear_attention_scalar(problem, {}, output.data(), scratch.data());
  return output;
}

}  // namespace

TEST_CASE("linear attention in vectors is that of double, for every length, width and chunk") {
  Normals normals(901);
  double worst = 0, worst_plain = 0;
  const auto check = [&](const LinearCase& sizes, const Lengths& chunks) {
    const LinearNumbers numbers(normals, sizes);
    const LinearRight right(numbers);
    worst_plain = std::max(worst_plain, share_of_bound(numbers, right, run_plain(numbers), 128));
    for (const std::size_t rows : Lengths{4, 6}) {
      worst = std::max(worst, share_of_bound(numbers, right, run(numbers, {rows, 0}), 48));
    }
    for (const std::size_t chunk : chunks) {
      worst = std::max(worst, share_of_bound(numbers, right, run(numbers, {0, chunk}), chunk));
    }
  };
  for (const FeatureMap map : {FeatureMap::elu_plus_one, FeatureMap::relu, FeatureMap::identity}) {
    for (const bool gated : {false, true}) {
      const bool divided = map != FeatureMap::identity;
      for (std::size_t n = 1; n <= 20; ++n) {
        check({n, 1 + n % 5, 1 + n % 3, map, divided, gated, 1 + n % 2, n % 3}, {1, 5, 7});
      }
      for (const std::size_t n : Lengths{47, 48, 49, 64, 95, 97, 128, 130}) {
        check({n, 9, 8, map, divided, gated, 1, n % 3}, {24, 64, 128});
      }
      check({60, 65, 3, map, divided, gated}, {64});
    }
    check({130, 64, 64, map, map != FeatureMap::identity, true}, {});
  }
  CHECK(worst <= 1);
  CHECK(worst_plain <= 1);
}

TEST_CASE("two halves with the state between them are the whole of linear attention") {
  Normals normals(902);
  for (const bool gated : {false, true}) {
    for (const std::size_t first : Lengths{1, 17, 48, 100}) {
      const LinearNumbers numbers(normals, {130, 13, 11, FeatureMap::elu_plus_one, true, gated});
      const auto feed = [&](bool plain) {
        Array output(130 * 11, 0);
        std::vector<float> state(13 * 11, 0), sums(13, 0);
        for (const auto& [begin, end] :
             {std::pair<std::size_t, std::size_t>{0, first}, {first, 130}}) {
          const LinearProblem part = numbers.problem(begin, end);
          float* const to = output.data() + begin * 11;
          if (plain) {
            std::vector<double> scratch(kernels::linear_attention_scalar_scratch(part));
            kernels::linear_attention_scalar(part, {state.data(), sums.data()}, to, scratch.data());
          } else {
            Guarded scratch(kernels::linear_attention_simd_scratch(part));
            kernels::linear_attention_simd(part, {state.data(), sums.data()}, to, scratch.data());
          }
        }
        const LinearAttention exact = numbers.exact(0);
        for (std::size_t a = 0; a < 13; ++a) {
          CHECK(std::fabs(static_cast<double>(sums[a]) - exact.sums(a)) <=
                1e-5 * (1 + exact.sums(a)));
          for (std::size_t c = 0; c < 11; ++c) {
            CHECK(std::fabs(static_cast<double>(state[a * 11 + c]) - exact.state(a, c)) <= 1e-4);
          }
        }
        return output;
      };
      CHECK(share_of_bound(numbers, LinearRight(numbers), feed(false), 48) <= 1);
      CHECK(share_of_bound(numbers, LinearRight(numbers), feed(true), 48) <= 1);
    }
  }
}

TEST_CASE("NaN and infinity in linear attention reach nothing before their token") {
  Normals normals(903);
  for (const bool gated : {false, true}) {
    for (const std::size_t at : Lengths{0, 5, 47, 48, 70}) {
      for (const float bad : {float_nan, std::numeric_limits<float>::infinity()}) {
        LinearNumbers numbers(normals, {100, 9, 10, FeatureMap::elu_plus_one, true, gated});
        const Array clean = run(numbers);
        LinearNumbers in_v = numbers, in_k = numbers, in_q = numbers;
        in_v.v[at * 10 + 3] = bad;
        in_k.k[at * 9 + 2] = bad;
        in_q.q[at * 9] = bad;
        const Array v = run(in_v), k = run(in_k), q = run(in_q);
        const Array plain = run_plain(in_v);
        for (std::size_t i = 0; i < 100; ++i) {
          for (std::size_t c = 0; c < 10; ++c) {
            const std::size_t place = i * 10 + c;
            const bool unharmed = std::fabs(v[place] - clean[place]) <= 1e-5F;
            // A gate of 0 does not forget NaN: 0 x NaN.
            CHECK(unharmed == (i < at || c != 3));
            CHECK(std::isfinite(plain[place]) == (i < at || c != 3));
            if (i < at) CHECK(std::fabs(k[place] - clean[place]) <= 1e-5F);
            if (i == at) CHECK_FALSE(std::isfinite(k[place]));
            if (i != at) CHECK(q[place] == clean[place]);
            if (i == at) CHECK_FALSE(std::isfinite(q[place]));
          }
        }
      }
    }
  }
}

TEST_CASE("a row of linear attention whose weights are all 0 gives zeros") {
  Normals normals(904);
  LinearNumbers numbers(normals, {60, 6, 7, FeatureMap::relu, true, false});
  for (std::size_t c = 0; c < 6; ++c) numbers.q[50 * 6 + c] = -1;
  const Array output = run(numbers), plain = run_plain(numbers);
  for (std::size_t c = 0; c < 7; ++c) {
    CHECK(output[50 * 7 + c] == 0);
    CHECK(plain[50 * 7 + c] == 0);
  }
}

/* ---- the selective scan ---- */

namespace {

struct ScanNumbers {
  std::size_t n, channels, numbers;
  Array x, delta, A, B, C, skip;

  ScanNumbers(Normals& normals, std::size_t n_, std::size_t channels_, std::size_t numbers_,
              double step, std::size_t offset = 0)
      : n(n_),
        channels(channels_),
        numbers(numbers_),
        x(drawn(normals, n * channels, offset)),
        delta(drawn(normals, n * channels, offset, step)),
        A(drawn(normals, channels * numbers, offset, 4)),
        B(drawn(normals, n * numbers, offset)),
        C(drawn(normals, n * numbers, offset)),
        skip(drawn(normals, channels, offset)) {
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = std::fabs(delta[i]);
    for (std::size_t i = 0; i < A.size(); ++i) A[i] = -std::fabs(A[i]);
  }

  ScanProblem problem(std::size_t first, std::size_t last) const {
    return {.n = last - first,
            .channels = channels,
            .state_size = numbers,
            .x = x.data() + first * channels,
            .delta = delta.data() + first * channels,
            .A = A.data(),
            .B = B.data() + first * numbers,
            .C = C.data() + first * numbers,
            .skip = channels % 2 == 0 ? skip.data() : nullptr};
  }

  SelectiveScan exact() const {
    SelectiveScanInput input{
        as_matrix(x.data(), n, channels),       as_matrix(delta.data(), n, channels),
        as_matrix(A.data(), channels, numbers), as_matrix(B.data(), n, numbers),
        as_matrix(C.data(), n, numbers),        {}};
    if (channels % 2 == 0) {
      input.skip = make_vector<double>(channels);
      std::copy_n(skip.data(), channels, input.skip.begin());
    }
    return value_of(selective_scan(input, ScanForm::sequential));
  }

  /// The largest error allowed at each entry, as the header counts it.
  std::vector<double> bounds() const {
    std::vector<double> allowed(n * channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t k = 0; k < numbers; ++k) {
        // Of the state: what it may be off by, and how large its parts are.
        double off = 0, parts = 0;
        const auto rate = static_cast<double>(A[channel * numbers + k]);
        for (std::size_t t = 0; t < n; ++t) {
          const auto step = static_cast<double>(delta[t * channels + channel]);
          const double left = std::exp(step * rate);
          off = left * (off + (6 + 3 * std::fabs(step * rate)) * unit * parts);
          const double added = std::fabs(step * static_cast<double>(x[t * channels + channel]) *
                                         static_cast<double>(B[t * numbers + k]));
          parts = left * parts + added;
          off += 0x1p-120;
          const double read = std::fabs(static_cast<double>(C[t * numbers + k]));
          allowed[t * channels + channel] +=
              read * (off + static_cast<double>(numbers + 12) * unit * parts);
        }
      }
      for (std::size_t t = 0; t < n; ++t) {
        allowed[t * channels + channel] +=
            4 * unit *
            std::fabs(static_cast<double>(x[t * channels + channel]) *
                      static_cast<double>(skip[channel]));
      }
    }
    return allowed;
  }

  double share_of_bound(const Array& output) const {
    const SelectiveScan scan = exact();
    const std::vector<double> allowed = bounds();
    double worst = 0;
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        const double error = std::fabs(static_cast<double>(output[t * channels + channel]) -
                                       scan.output(t, channel));
        if (std::isnan(error)) return error;
        worst = std::max(worst, error / allowed[t * channels + channel]);
      }
    }
    return worst;
  }
};

Array run(const ScanNumbers& numbers, const Lengths& ends, bool plain,
          std::vector<float>* kept = nullptr) {
  Array output(numbers.n * numbers.channels, 0);
  std::vector<float> state(numbers.channels * numbers.numbers, 0);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const ScanProblem part = numbers.problem(begin, end);
    float* const held = ends.size() == 1 && kept == nullptr ? nullptr : state.data();
    float* const to = output.data() + begin * numbers.channels;
    if (plain) {
      std::vector<double> scratch(kernels::selective_scan_scalar_scratch(part));
      kernels::selective_scan_scalar(part, held, to, scratch.data());
    } else {
      Guarded scratch(kernels::selective_scan_simd_scratch(part));
      kernels::selective_scan_simd(part, held, to, scratch.data());
    }
    begin = end;
  }
  if (kept != nullptr) *kept = state;
  return output;
}

}  // namespace

TEST_CASE("the scan in vectors is that of double, for every length, width and size of step") {
  Normals normals(911);
  double worst = 0, worst_plain = 0;
  for (const std::size_t n : Lengths{1, 2, 3, 5, 8, 13, 63, 64, 65, 127, 128, 129, 130}) {
    for (const std::size_t channels : Lengths{1, 2, 3, 4, 5, 15, 16, 17, 20, 35}) {
      const std::size_t state_size = 1 + (n + channels) % 18;
      // Small steps keep the exponentials in the floats, large ones leave them.
      const double step = channels % 3 == 0 ? 40 : 0.1;
      const ScanNumbers numbers(normals, n, channels, state_size, step, n % 3);
      worst = std::max(worst, numbers.share_of_bound(run(numbers, {n}, false)));
      worst_plain = std::max(worst_plain, numbers.share_of_bound(run(numbers, {n}, true)));
    }
  }
  CHECK(worst <= 1);
  CHECK(worst_plain <= 1);
}

TEST_CASE(
    "two parts with the state between them are the whole scan, and the state is the last one") {
  Normals normals(912);
  for (const std::size_t first : Lengths{1, 30, 64, 101}) {
    const ScanNumbers numbers(normals, 130, 6, 16, 0.1);
    for (const bool plain : {false, true}) {
      std::vector<float> state;
      CHECK(numbers.share_of_bound(run(numbers, {first, 130}, plain, &state)) <= 1);
      const SelectiveScan exact = numbers.exact();
      for (std::size_t at = 0; at < state.size(); ++at) {
        CHECK(std::fabs(static_cast<double>(state[at]) - exact.state(at / 16, at % 16)) <= 1e-5);
      }
    }
  }
}

TEST_CASE("a step of 0 leaves the state as it is, and NaN goes forward alone") {
  Normals normals(913);
  ScanNumbers numbers(normals, 90, 5, 7, 0.1);
  const Array clean = run(numbers, {90}, false);
  ScanNumbers bad = numbers;
  bad.x[40 * 5 + 2] = float_nan;
  const Array harmed = run(bad, {90}, false);
  for (std::size_t t = 0; t < 90; ++t) {
    for (std::size_t channel = 0; channel < 5; ++channel) {
      const std::size_t place = t * 5 + channel;
      if (t < 40 || channel != 2) {
        CHECK(harmed[place] == clean[place]);
      } else {
        CHECK(std::isnan(harmed[place]));
      }
    }
  }
  for (std::size_t at = 20 * 5; at < numbers.delta.size(); ++at) numbers.delta[at] = 0;
  std::vector<float> whole, half;
  run(numbers, {90}, false, &whole);
  const ScanProblem part = numbers.problem(0, 20);
  half.assign(5 * 7, 0);
  Array output(20 * 5, 0);
  Guarded scratch(kernels::selective_scan_simd_scratch(part));
  kernels::selective_scan_simd(part, half.data(), output.data(), scratch.data());
  CHECK(whole == half);
}

/* ---- blocks that the data choose ---- */

namespace {

struct SparseNumbers {
  SparseProblem problem;
  Array q, k, v;

  SparseNumbers(Normals& normals, const SparseProblem& sizes, std::size_t offset = 0)
      : problem(sizes),
        q(drawn(normals, sizes.n_heads * sizes.n * sizes.d_k, offset)),
        k(drawn(normals, sizes.n_kv_heads * sizes.n * sizes.d_k, offset)),
        v(drawn(normals, sizes.n_kv_heads * sizes.n * sizes.d_v, offset)) {
    problem.scale = 1 / std::sqrt(static_cast<float>(sizes.d_k));
    point();
  }
  SparseNumbers(const SparseNumbers&) = delete;
  SparseNumbers& operator=(const SparseNumbers&) = delete;

  void point() {
    problem.q = q.data();
    problem.k = k.data();
    problem.v = v.data();
  }

  BlockSparse exact(std::size_t head) const {
    const SparseProblem& p = problem;
    const std::size_t kv_head = head / p.heads_per_kv_head();
    return value_of(block_sparse_attention(
        as_matrix(q.data() + head * p.n * p.d_k, p.n, p.d_k),
        as_matrix(k.data() + kv_head * p.n * p.d_k, p.n, p.d_k),
        as_matrix(v.data() + kv_head * p.n * p.d_v, p.n, p.d_v),
        {.block = p.block, .top_k = p.top_k, .first_blocks = p.first_blocks, .window = p.window}));
  }

  Array run(std::uint64_t& pairs, bool plain = false) const {
    Array output(problem.n_heads * problem.n * problem.d_v, 0);
    if (plain) {
      std::vector<double> scratch(kernels::block_sparse_scalar_scratch(problem));
      pairs = kernels::block_sparse_scalar(problem, output.data(), scratch.data());
      return output;
    }
    const kernels::SparseScratch needed = kernels::block_sparse_simd_scratch(problem);
    Guarded scratch(needed.floats);
    std::vector<std::uint32_t> places(needed.places);
    pairs = kernels::block_sparse_simd(problem, output.data(), scratch.data(), places.data());
    return output;
  }

  double share_of_bound(const Array& output, std::uint64_t pairs) const {
    const SparseProblem& p = problem;
    std::uint64_t expected_pairs = 0;
    double worst = 0;
    for (std::size_t head = 0; head < p.n_heads; ++head) {
      const BlockSparse exact_one = exact(head);
      expected_pairs += exact_one.pairs;
      const std::size_t kv_head = head / p.heads_per_kv_head();
      for (std::size_t i = 0; i < p.n; ++i) {
        double largest = 0;
        for (std::size_t j = 0; j <= i; ++j) {
          double sum = 0;
          for (std::size_t c = 0; c < p.d_k; ++c) {
            sum += std::fabs(static_cast<double>(q[(head * p.n + i) * p.d_k + c]) *
                             static_cast<double>(k[(kv_head * p.n + j) * p.d_k + c]));
          }
          largest = std::max(largest, sum * static_cast<double>(p.scale));
        }
        const auto n = static_cast<double>(p.n);
        const double e = static_cast<double>(p.d_k + 4) * unit * largest;
        const double factor = 4 * e + 16 * unit * (largest + std::log(n) + 1) + 4 * (n + 12) * unit;
        for (std::size_t c = 0; c < p.d_v; ++c) {
          double spread = 0;
          for (std::size_t j = 0; j <= i; ++j) {
            spread += exact_one.weights(i, j) *
                      std::fabs(static_cast<double>(v[(kv_head * p.n + j) * p.d_v + c]));
          }
          const auto got = static_cast<double>(output[(head * p.n + i) * p.d_v + c]);
          const double error = std::fabs(got - exact_one.output(i, c));
          if (std::isnan(error)) return error;
          worst = std::max(worst, error / (factor * spread + 1e-30));
        }
      }
    }
    CHECK(pairs == expected_pairs);
    return worst;
  }
};

}  // namespace

TEST_CASE("blocks that the data choose, in vectors, are those of double") {
  Normals normals(921);
  double worst = 0, worst_plain = 0;
  for (const std::size_t n : Lengths{1, 2, 7, 8, 9, 16, 17, 33, 64, 65, 100, 129, 130}) {
    for (const std::size_t block : Lengths{1, 3, 8, 16, 64, 200}) {
      for (const std::size_t window : Lengths{0, 1, 5, 16, 40}) {
        const SparseProblem sizes{.n_heads = n % 2 == 0 ? std::size_t{2} : std::size_t{1},
                                  .n = n,
                                  .d_k = 1 + (n + window) % 18,
                                  .d_v = 1 + (n + block) % 11,
                                  .block = block,
                                  .top_k = 1 + (n + window) % 4,
                                  .first_blocks = block % 3};
        SparseProblem with_window = sizes;
        with_window.window = window;
        const SparseNumbers numbers(normals, with_window, n % 3);
        std::uint64_t pairs = 0;
        const Array output = numbers.run(pairs);
        worst = std::max(worst, numbers.share_of_bound(output, pairs));
        const Array plain = numbers.run(pairs, true);
        worst_plain = std::max(worst_plain, numbers.share_of_bound(plain, pairs));
      }
    }
  }
  CHECK(worst <= 1);
  CHECK(worst_plain <= 1);
}

TEST_CASE("with every block, or a window of everything, sparse attention sees all pairs") {
  Normals normals(922);
  for (const bool by_window : {false, true}) {
    SparseProblem sizes{.n_heads = 4, .n_kv_heads = 2, .n = 1100, .d_k = 5, .d_v = 3, .block = 16};
    sizes.top_k = by_window ? 1 : sizes.blocks();
    sizes.window = by_window ? 1100 : 0;
    const SparseNumbers numbers(normals, sizes);
    std::uint64_t pairs = 0, plain_pairs = 0;
    const Array output = numbers.run(pairs), plain = numbers.run(plain_pairs, true);
    CHECK(pairs == 4 * 1100 * 1101 / 2);
    CHECK(plain_pairs == pairs);
    for (std::size_t at = 0; at < output.size(); ++at) {
      CHECK(std::fabs(output[at] - plain[at]) <= 2e-5F);
    }
  }
}

TEST_CASE("of blocks with equal scores the earlier are chosen, across chunks of queries") {
  Normals normals(923);
  SparseProblem sizes{.n = 1300, .d_k = 4, .d_v = 4, .block = 32, .top_k = 3};
  SparseNumbers numbers(normals, sizes);
  for (std::size_t at = 0; at < numbers.k.size(); ++at) numbers.k[at] = 0;
  std::uint64_t pairs = 0, plain_pairs = 0;
  const Array output = numbers.run(pairs), plain = numbers.run(plain_pairs, true);
  CHECK(pairs == plain_pairs);
  for (std::size_t at = 0; at < output.size(); ++at) {
    CHECK(std::fabs(output[at] - plain[at]) <= 1e-5F);
  }
}

TEST_CASE("NaN reaches no row of sparse attention before its token") {
  Normals normals(924);
  for (const std::size_t at : Lengths{3, 40, 77}) {
    SparseNumbers numbers(normals,
                          {.n = 90, .d_k = 6, .d_v = 5, .block = 8, .top_k = 3, .window = 11});
    std::uint64_t pairs = 0;
    const Array clean = numbers.run(pairs);
    numbers.k[at * 6 + 1] = float_nan;
    numbers.v[at * 5 + 1] = float_nan;
    const Array harmed = numbers.run(pairs);
    for (std::size_t place = 0; place < at * 5; ++place) {
      CHECK(std::fabs(harmed[place] - clean[place]) <= 1e-5F);
    }
    for (std::size_t c = 0; c < 5; ++c) CHECK(std::isnan(harmed[at * 5 + c]));
  }
}
