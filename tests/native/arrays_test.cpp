#include "core/arrays.hpp"

#include <limits>
#include <string>
#include <vector>

#include "attention/heads.hpp"
#include "attention/three_passes.hpp"
#include "efficient/fast_answers.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::string field_of(const Expected<void>& refused) {
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::bad_argument);
  return refused.error().field;
}

}  // namespace

TEST_CASE("arrays are apart when they share no number, though one ends where another begins") {
  std::vector<float> numbers(6);
  const std::span<float> all = numbers;
  const auto checked = [](std::span<float> result, std::span<const float> other) {
    return check_arrays({{"V", other, other.size()}}, {{"output", result, result.size()}});
  };
  CHECK(checked(all.first(3), all.subspan(3)).has_value());
  CHECK(checked(all.subspan(3), all.first(3)).has_value());
  CHECK(checked(all.subspan(2, 0), all).has_value());
  CHECK(checked(all, {}).has_value());
  for (const std::span<float> other : {all, all.first(1), all.subspan(5), all.subspan(2, 2)}) {
    CHECK(field_of(checked(all, other)) == "output");
    CHECK(field_of(checked(other, all)) == "output");
  }
  CHECK(checked(all, all).error().message ==
        "output and V share memory: give output an array of its own.");
}

TEST_CASE("memory that no machine has is refused by what asks for it") {
  const auto refused = scratch_of<double>("n_k", std::numeric_limits<std::uint32_t>::max());
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::too_large);
  CHECK(refused.error().field == "n_k");
}

TEST_CASE("no result may lie in what is read, nor in another result") {
  constexpr std::size_t n = 6, d = 4;
  std::vector<float> q(n * d, 0.5F), k(n * d, 0.25F), v(n * d, 1), dO(n * d, 1), output(n * d),
      other(n * d), weights(n * n), sums(d), state(d * d), step(n * d, 0.1F), rates(d * d, -1);
  const std::vector<float> gates(n, 0.5F);
  const HeadsInput heads = {.shape = {1, 1, n, n, d, d, n}, .Q = q, .K = k, .V = v};
  for (const Backend backend : backends()) {
    for (std::vector<float>* const input : {&q, &k, &v}) {
      CHECK(field_of(attention_heads(heads, backend, *input, {})) == "output");
      CHECK(field_of(attention_three_passes(heads, backend, *input, {})) == "output");
      CHECK(field_of(attention_heads_backward(heads, backend, dO, {*input, output, other})) ==
            "dQ");
      const SparseHeads sparse = {.n = n, .d_k = d, .d_v = d, .Q = q, .K = k, .V = v};
      const auto seen = block_sparse_heads(sparse, backend, *input);
      REQUIRE(!seen.has_value());
      CHECK(seen.error().field == "output");
      const LinearHeads linear = {
          .n = n, .d_k = d, .d_v = d, .Q = q, .K = k, .V = v, .gates = gates};
      CHECK(field_of(linear_attention_heads(linear, backend, *input, {})) == "output");
    }
    CHECK(field_of(attention_heads_backward(heads, backend, dO, {output, output, other})) == "dK");
    CHECK(field_of(attention_heads_backward(heads, backend, dO, {output, other, dO})) == "dV");
    const std::span<float> within = std::span(weights).first(n * d);
    CHECK(field_of(attention_three_passes(heads, backend, within, weights)) == "output");

    const LinearHeads narrow = {
        .n = n, .d_k = d, .d_v = 1, .Q = q, .K = k, .V = std::span(v).first(n)};
    const std::span<float> column = std::span(output).first(n);
    CHECK(field_of(linear_attention_heads(narrow, backend, column, {sums, sums})) == "state");
    CHECK(field_of(linear_attention_heads(narrow, backend, column, {sums, {}})) == "sums");
    CHECK(field_of(linear_attention_heads(narrow, backend, column, {{}, sums})) == "state");

    const ScanChannels scan = {
        .n = n, .channels = d, .state_size = d, .x = q, .delta = step, .A = rates, .B = k, .C = v};
    for (std::vector<float>* const input : {&q, &step, &k, &v}) {
      CHECK(field_of(selective_scan_channels(scan, backend, *input, state)) == "output");
    }
    CHECK(field_of(selective_scan_channels(scan, backend, output, rates)) == "state");
    // Each with arrays of its own is computed.
    CHECK(attention_heads(heads, backend, output, {}).has_value());
    CHECK(linear_attention_heads(narrow, backend, column, {std::span(state).first(d), sums})
              .has_value());
    CHECK(selective_scan_channels(scan, backend, output, state).has_value());
  }
}
