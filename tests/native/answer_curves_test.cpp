#include "efficient/answer_curves.hpp"

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// Llama 3 8B's heads, in two bytes a number.
CurveOptions llama() {
  CurveOptions options;
  options.sizes = {.n = 1,
                   .n_heads = 32,
                   .n_kv_heads = 8,
                   .d_k = 128,
                   .d_v = 128,
                   .window = 4096,
                   .block = 64,
                   .top_k = 64};
  return options;
}

std::size_t row_of(Answer answer) { return static_cast<std::size_t>(answer); }

}  // namespace

TEST_CASE(
    "full attention keeps what the KV cache's bill says, and a linear state 64 tokens of it") {
  const std::vector<std::int32_t> lengths = {1, 8192, 131072, 1000000};
  const AnswerCurves made = value_of(answer_curves(llama(), lengths));
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    CHECK(made.state_bytes(row_of(Answer::full), k) == 131072.0 * lengths[k]);
    // 32 layers of 8 heads of 128 x 128 numbers, two bytes each: 64 tokens.
    CHECK(made.state_bytes(row_of(Answer::gated_linear), k) == 64 * 131072);
  }
  CHECK(made.state_tokens(row_of(Answer::full)) == 1000000);
  CHECK(made.state_tokens(row_of(Answer::window)) == 4096);
  CHECK(made.state_tokens(row_of(Answer::gated_linear)) == 64);
  // 4,096 channels of 16.
  CHECK(made.state_tokens(row_of(Answer::selective_state)) == 32);
}

TEST_CASE("the hybrid is its layers together") {
  CurveOptions options = llama();
  const std::vector<std::int32_t> lengths = {5, 700};
  const AnswerCurves made = value_of(answer_curves(options, lengths));
  CHECK(made.full_layers == 8);
  for (std::size_t k = 0; k < 2; ++k) {
    for (const auto* rows : {&made.layer_flops, &made.step_flops, &made.state_bytes}) {
      const double mean =
          ((*rows)(row_of(Answer::full), k) + 3 * (*rows)(row_of(Answer::linear), k)) / 4;
      CHECK(std::fabs((*rows)(6, k) - mean) <= 1e-12 * mean);
    }
  }
  options.full_every = 1024;
  CHECK(value_of(answer_curves(options, lengths)).full_layers == 1);
  options.full_every = 1;
  const AnswerCurves full = value_of(answer_curves(options, lengths));
  CHECK(full.state_bytes(6, 1) == full.state_bytes(row_of(Answer::full), 1));
}

TEST_CASE("curves refuse what they cannot count") {
  const auto field = [](const CurveOptions& options, const std::vector<std::int32_t>& lengths) {
    return error_of(answer_curves(options, lengths)).field;
  };
  CHECK(field({}, {}) == "lengths");
  CHECK(field({}, {4, 0}) == "lengths[1]");
  CHECK(field({}, {-7}) == "lengths[0]");
  CHECK(field({.n_layers = 0}, {1}) == "n_layers");
  CHECK(field({.full_every = 0}, {1}) == "full_every");
  CHECK(field({.sizes = {.n = 1, .d_k = 0}}, {1}) == "d_k");
  CHECK(field({}, std::vector<std::int32_t>(257, 1)) == "lengths");
}
