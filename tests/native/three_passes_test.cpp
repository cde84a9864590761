#include "attention/three_passes.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr float nan_float = std::numeric_limits<float>::quiet_NaN();

std::vector<float> random_floats(Normals& normals, std::size_t count) {
  std::vector<float> made(count);
  for (float& value : made) value = static_cast<float>(normals.next());
  return made;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t at = 0; at < a.size(); ++at) {
    const double difference = std::fabs(static_cast<double>(a[at]) - static_cast<double>(b[at]));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace

TEST_CASE("three passes give what the kernel without S gives, heads, groups and masks alike") {
  Dice dice(51);
  Normals normals(52);
  for (int round = 0; round < 120; ++round) {
    const Backend backend = backends()[dice.between(0, backends().size() - 1)];
    const std::size_t n_kv_heads = dice.between(1, 3);
    const std::size_t n_heads = n_kv_heads * dice.between(1, 3);
    const std::size_t n_q = dice.between(1, 12), n_k = dice.between(1, 20);
    const std::size_t d_k = dice.between(1, 9), d_v = dice.between(1, 9);
    const std::size_t capacity = n_k + dice.between(0, 3);
    const auto Q = random_floats(normals, n_heads * n_q * d_k);
    const auto K = random_floats(normals, n_kv_heads * capacity * d_k);
    const auto V = random_floats(normals, n_kv_heads * capacity * d_v);
    HeadsInput input{.shape = {n_heads, n_kv_heads, n_q, n_k, d_k, d_v, capacity},
                     .mask = random_mask(dice, n_q, n_k),
                     .Q = Q,
                     .K = K,
                     .V = V};
    if (dice.coin()) input.scale = 0.3;
    std::vector<float> fused(n_heads * n_q * d_v, nan_float), naive = fused, again = fused;
    std::vector<float> weights(n_heads * n_q * n_k, nan_float);
    REQUIRE(attention_heads(input, Backend::scalar, fused, {}).has_value());
    REQUIRE(attention_three_passes(input, backend, naive, {}).has_value());
    REQUIRE(attention_three_passes(input, backend, again, weights).has_value());
    INFO("round " << round);
    CHECK(largest_difference(naive, fused) < 4e-6);
    CHECK(naive == again);
    for (std::size_t row = 0; row < n_heads * n_q; ++row) {
      double sum = 0;
      bool sees = false;
      for (std::size_t j = 0; j < n_k; ++j) {
        const bool allowed = is_allowed(input.mask, row % n_q, j, n_q, n_k);
        sees = sees || allowed;
        sum += static_cast<double>(weights[row * n_k + j]);
        if (!allowed) CHECK(weights[row * n_k + j] == 0);
      }
      CHECK(std::fabs(sum - (sees ? 1 : 0)) < 1e-5);
    }
  }
}

TEST_CASE("three passes: what is masked reaches nothing, and NaN that is seen reaches its rows") {
  for (const Backend backend : backends()) {
    const std::vector<float> Q{1, 2}, K{nan_float, 1, 2}, V{nan_float, 3, 4};
    HeadsInput input{.shape = {1, 1, 2, 3, 1, 1, 3}, .Q = Q, .K = K, .V = V};
    std::vector<float> output(2);
    input.mask.key_valid = {0, 1, 1};
    REQUIRE(attention_three_passes(input, backend, output, {}).has_value());
    CHECK(std::isfinite(output[0]));
    CHECK(std::isfinite(output[1]));
    input.mask.key_valid = {0, 0, 0};
    REQUIRE(attention_three_passes(input, backend, output, {}).has_value());
    CHECK(output == std::vector<float>{0, 0});
    input.mask = {};
    REQUIRE(attention_three_passes(input, backend, output, {}).has_value());
    CHECK(std::isnan(output[0]));
  }
}

TEST_CASE("three passes refuse what does not fit") {
  const std::vector<float> one{1};
  HeadsInput input{.shape = {1, 1, 1, 1, 1, 1, 1}, .Q = one, .K = one, .V = one};
  std::vector<float> output(1), two(2);
  CHECK(error_of(attention_three_passes(input, Backend::scalar, two, {})).field == "output");
  CHECK(error_of(attention_three_passes(input, Backend::scalar, output, two)).field == "weights");
  // 2^16 queries and keys: their arrays are small, S would take 16 GiB.
  const std::size_t n = std::size_t{1} << 16;
  const std::vector<float> many(n, 1);
  std::vector<float> outputs(n);
  HeadsInput large{.shape = {1, 1, n, n, 1, 1, n}, .Q = many, .K = many, .V = many};
  const Error error = error_of(attention_three_passes(large, Backend::scalar, outputs, {}));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.field == "n_k");
}
