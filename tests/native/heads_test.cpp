#include "attention/heads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Batch {
  HeadsShape shape;
  Mask mask;
  std::vector<float> q, k, v, output, sums;

  HeadsInput input() const { return {.shape = shape, .mask = mask, .Q = q, .K = k, .V = v}; }
  Expected<void> run(Backend backend) { return attention_heads(input(), backend, output, sums); }
};

std::vector<float> normals(std::size_t count, std::uint64_t seed) {
  std::vector<float> numbers(count);
  Normals random(seed);
  for (float& number : numbers) number = static_cast<float>(random.next());
  return numbers;
}

Batch batch_of(const HeadsShape& shape, const Mask& mask = {}) {
  const HeadsLengths lengths = value_of(check_heads(shape));
  const auto size = [](std::uint64_t length) { return static_cast<std::size_t>(length); };
  return {.shape = shape,
          .mask = mask,
          .q = normals(size(lengths.q), 1),
          .k = normals(size(lengths.k), 2),
          .v = normals(size(lengths.v), 3),
          .output = std::vector<float>(size(lengths.output), -7),
          .sums = std::vector<float>(size(lengths.log_sum_exp), -7)};
}

/// One head at a time through the attention that shows its steps, in double.
double largest_difference(const Batch& batch) {
  const auto size = [](std::uint64_t length) { return static_cast<std::size_t>(length); };
  const HeadsShape& shape = batch.shape;
  const std::size_t n_q = size(shape.n_q), n_k = size(shape.n_k), d_k = size(shape.d_k),
                    d_v = size(shape.d_v), capacity = size(shape.capacity);
  double largest = 0;
  for (std::size_t head = 0; head < shape.n_heads; ++head) {
    const std::size_t kv = head / size(shape.n_heads / shape.n_kv_heads);
    const auto rows = [](const std::vector<float>& from, std::size_t begin, std::size_t n,
                         std::size_t d) {
      Matrix<double> matrix = make_matrix<double>(n, d);
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(begin), n * d, matrix.begin());
      return matrix;
    };
    AttentionOptions options;
    options.mask = batch.mask;
    options.require_finite = false;
    const auto trace = value_of(scaled_dot_product(
        rows(batch.q, head * n_q * d_k, n_q, d_k), rows(batch.k, kv * capacity * d_k, n_k, d_k),
        rows(batch.v, kv * capacity * d_v, n_k, d_v), options));
    for (std::size_t at = 0; at < n_q * d_v; ++at) {
      const double got = static_cast<double>(batch.output[head * n_q * d_v + at]);
      const double difference = std::abs(got - trace.output.data()[at]);
      // NaN is larger than any difference.
      if (!(difference <= largest)) largest = difference;
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("each back end gives the attention of each head, for groups, masks and caches alike") {
  for (const Backend backend : backends()) {
    CAPTURE(name(backend));
    const std::vector<HeadsShape> shapes = {
        {1, 1, 1, 1, 1, 1, 1},      {2, 2, 5, 5, 8, 8, 5},     {6, 2, 7, 7, 3, 5, 7},
        {4, 1, 3, 11, 16, 16, 11},  {9, 3, 1, 33, 64, 64, 40}, {2, 1, 20, 40, 12, 7, 64},
        {3, 3, 50, 50, 64, 64, 50},
    };
    for (const HeadsShape& shape : shapes) {
      const auto n_q = static_cast<std::size_t>(shape.n_q);
      const auto n_k = static_cast<std::size_t>(shape.n_k);
      std::vector<Mask> masks = {{}, {.causal = true}, {.window = 3}};
      Mask padded;
      padded.key_valid.assign(n_k, 1);
      padded.key_valid[n_k / 2] = 0;
      masks.push_back(padded);
      Mask packed{.causal = true};
      for (std::size_t i = 0; i < n_q; ++i) {
        packed.query_document.push_back(static_cast<std::int32_t>(i % 2));
      }
      for (std::size_t j = 0; j < n_k; ++j) {
        packed.key_document.push_back(static_cast<std::int32_t>(j % 2));
      }
      masks.push_back(packed);
      for (const Mask& mask : masks) {
        Batch batch = batch_of(shape, mask);
        REQUIRE(batch.run(backend).has_value());
        CHECK(largest_difference(batch) < 4e-6);
      }
    }
  }
}

TEST_CASE("the plain back end rounds once: the one that was asked for is the one that ran") {
  Batch batch = batch_of({1, 1, 9, 40, 64, 64, 40});
  REQUIRE(batch.run(Backend::scalar).has_value());
  CHECK(largest_difference(batch) < 2e-7);
  const std::vector<float> exact = batch.output;
  if (backends().size() > 1) {
    REQUIRE(batch.run(Backend::simd).has_value());
    CHECK(batch.output != exact);
    CHECK(largest_difference(batch) < 4e-6);
  } else {
    const auto refused = batch.run(Backend::simd);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().field == "backend");
  }
}

TEST_CASE("the logarithms of the sums are those of the scores") {
  for (const Backend backend : backends()) {
    Batch batch = batch_of({1, 1, 2, 3, 1, 1, 3});
    batch.q = {1, 0};
    batch.k = {std::log(1.0F), std::log(2.0F), std::log(5.0F)};
    REQUIRE(batch.run(backend).has_value());
    CHECK(std::abs(batch.sums[0] - std::log(8.0F)) < 1e-6F);
    CHECK(std::abs(batch.sums[1] - std::log(3.0F)) < 1e-6F);
  }
}

TEST_CASE("what is masked reaches nothing, and a row with nothing left is zero") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Backend backend : backends()) {
    CAPTURE(name(backend));
    Batch batch = batch_of({2, 1, 6, 6, 8, 8, 6}, {.causal = true});
    for (std::size_t c = 0; c < 8; ++c) {
      batch.k[5 * 8 + c] = nan;
      batch.v[5 * 8 + c] = std::numeric_limits<float>::infinity();
    }
    REQUIRE(batch.run(backend).has_value());
    for (std::size_t head = 0; head < 2; ++head) {
      for (std::size_t at = 0; at < 5 * 8; ++at) {
        CHECK(std::isfinite(batch.output[head * 48 + at]));
      }
      // The last query may see the broken key, and nothing hides that.
      CHECK(std::isnan(batch.output[head * 48 + 5 * 8]));
    }
    batch.mask.key_valid.assign(6, 0);
    REQUIRE(batch.run(backend).has_value());
    CHECK(std::ranges::all_of(batch.output, [](float number) { return number == 0; }));
    CHECK(std::ranges::all_of(batch.sums, [](float sum) { return std::isinf(sum) && sum < 0; }));
  }
}

TEST_CASE("scores of a thousand give the weights of the mathematics") {  // hard case N4
  for (const Backend backend : backends()) {
    Batch batch = batch_of({1, 1, 1, 2, 1, 1, 2});
    batch.q = {1};
    batch.v = {1, 3};
    batch.k = {1000, 1000};
    REQUIRE(batch.run(backend).has_value());
    CHECK(batch.output[0] == 2);
    batch.k = {378.1F, -249.9F};
    REQUIRE(batch.run(backend).has_value());
    CHECK(batch.output[0] == 1);
  }
}

TEST_CASE("sizes that do not fit are refused by name, before anything is allocated") {
  const auto field = [](const HeadsShape& shape) { return check_heads(shape).error().field; };
  CHECK(field({0, 1, 1, 1, 1, 1, 1}) == "n_heads");
  CHECK(field({1, 0, 1, 1, 1, 1, 1}) == "n_kv_heads");
  CHECK(field({4, 3, 1, 1, 1, 1, 1}) == "n_kv_heads");
  CHECK(field({1, 1, 0, 1, 1, 1, 1}) == "n_q");
  CHECK(field({1, 1, 1, 9, 1, 1, 8}) == "capacity");
  CHECK(field({1024, 1024, 1 << 20, 1, 65536, 1, 1}) == "Q");
  CHECK(check_heads({1024, 1, 1 << 20, 1, 65536, 1, 1}).error().code == ErrorCode::too_large);
  CHECK(check_heads({1024, 1, 1 << 20, 1, 65536, 1, 1})
            .error()
            .message.find("281474976710656 bytes") != std::string::npos);
  Batch batch = batch_of({1, 1, 2, 2, 2, 2, 2});
  batch.k.pop_back();
  CHECK(batch.run(Backend::scalar).error().field == "K");
}

TEST_CASE("the gradients are those of each head, summed where heads share keys") {
  const HeadsShape shape{4, 2, 5, 7, 3, 4, 9};
  for (const Mask& mask : {Mask{}, Mask{.causal = true}}) {
    Batch batch = batch_of(shape, mask);
    const std::vector<float> dO = normals(batch.output.size(), 4);
    // Head by head in double; two heads share a KV head.
    const auto rows = [](const std::vector<float>& from, std::size_t begin, std::size_t n,
                         std::size_t d) {
      Matrix<double> matrix = make_matrix<double>(n, d);
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(begin), n * d, matrix.begin());
      return matrix;
    };
    std::vector<double> dQ, dK(2 * 7 * 3), dV(2 * 7 * 4);
    for (std::size_t head = 0; head < 4; ++head) {
      const std::size_t kv = head / 2;
      AttentionOptions options;
      options.mask = mask;
      const auto back = value_of(scaled_dot_product_backward(
          rows(batch.q, head * 15, 5, 3), rows(batch.k, kv * 27, 7, 3),
          rows(batch.v, kv * 36, 7, 4), rows(dO, head * 20, 5, 4), options));
      dQ.insert(dQ.end(), back.dQ.begin(), back.dQ.end());
      for (std::size_t at = 0; at < 21; ++at) dK[kv * 21 + at] += back.dK.data()[at];
      for (std::size_t at = 0; at < 28; ++at) dV[kv * 28 + at] += back.dV.data()[at];
    }
    for (const Backend backend : backends()) {
      std::vector<float> gQ(dQ.size()), gK(dK.size()), gV(dV.size());
      REQUIRE(attention_heads_backward(batch.input(), backend, dO, {gQ, gK, gV}).has_value());
      const auto close = [](const std::vector<float>& got, const std::vector<double>& right) {
        for (std::size_t at = 0; at < got.size(); ++at) {
          CHECK(std::abs(static_cast<double>(got[at]) - right[at]) < 1e-5);
        }
      };
      close(gQ, dQ);
      close(gK, dK);
      close(gV, dV);
      gK.pop_back();
      CHECK(attention_heads_backward(batch.input(), backend, dO, {gQ, gK, gV}).error().field ==
            "dK");
    }
  }
}

TEST_CASE("operations are counted over the pairs that a mask leaves") {
  const HeadsShape square{2, 1, 4, 4, 8, 16, 4};
  CHECK(attention_flops(square, {}) == 2.0 * 24 * 16 * 2);
  CHECK(attention_flops(square, {.causal = true}) == 2.0 * 24 * 10 * 2);
  CHECK(attention_flops(square, {.window = 2}) == 2.0 * 24 * 7 * 2);
  CHECK(attention_flops({1, 1, 2, 5, 1, 1, 5}, {.causal = true}) == 4.0 * 9);
  CHECK(attention_flops({1, 1, 4, 2, 1, 1, 2}, {.causal = true}) == 4.0 * 3);
}
