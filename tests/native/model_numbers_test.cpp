// What tiny models of both architectures compute, against Hugging Face's implementation: see
// tests/golden/tiny_models/make.py.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "model/transformer.hpp"
#include "tiny_model.hpp"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

/// In float64 but for one rounding in each sum, ours differ from those in float32 by at most this share of the largest.
constexpr double scalar_error = 2e-5;
/// Activations rounded to 8 bits, seven products deep.
constexpr double bytes_error = 5e-2;

const json& expected() {
  static const json read = json::parse(
      std::ifstream(std::string(ATTN_GOLDEN_DIR) + "/tiny_models/expected.json"), nullptr, false);
  REQUIRE(read.is_object());
  return read;
}

TinyModel model_of(const json& row) {
  TinyModel model;
  const json& sizes = row["config"];
  ModelConfig& config = model.config;
  config.architecture = row["architecture"] == "llama" ? Architecture::llama : Architecture::gpt2;
  model.form = row["file"] == "gguf" ? FileForm::gguf : FileForm::safetensors;
  for (const kernels::WeightFormat format : kernels::weight_formats) {
    if (row["weights"] == name(format)) model.format = format;
  }
  config.n_layers = sizes["n_layers"];
  config.d_model = sizes["d_model"];
  config.n_heads = sizes["n_heads"];
  config.n_kv_heads = sizes["n_kv_heads"];
  config.head_dim = sizes["head_dim"];
  config.d_ff = sizes["d_ff"];
  config.context = sizes["context"];
  config.vocab_size = sizes["vocab_size"];
  config.rope_base = sizes["rope_base"];
  model.tied = sizes["tied"];
  return model;
}

/// The largest difference as a share of the largest number.
double error_of(std::span<const float> made, const json& wanted) {
  REQUIRE(made.size() == wanted.size());
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double number = wanted[i];
    largest = std::max(largest, std::fabs(number));
    worst = std::max(worst, std::fabs(static_cast<double>(made[i]) - number));
  }
  return worst / largest;
}

}  // namespace

TEST_CASE("logits and weights of tiny models are those of an independent implementation") {
  const std::vector<std::uint32_t> tokens = expected()["tokens"];
  std::size_t cases = 0;
  for (const json& row : expected()["cases"]) {
    const TinyModel model = model_of(row);
    for (const Backend backend : backends()) {
      CAPTURE(row["architecture"], row["file"], row["weights"], name(backend));
      Transformer run = value_of(Transformer::make(value_of(load(model)), {.backend = backend}));
      const std::size_t vocab = static_cast<std::size_t>(model.config.vocab_size);
      const std::size_t heads = static_cast<std::size_t>(model.config.n_heads);
      const bool rounds =
          backend == Backend::simd && kernels::weight_block(model.format).numbers > 1;
      const double allowed = rounds ? bytes_error : scalar_error;
      std::vector<float> logits(vocab);
      // All but the last token at once, and then that one.
      const std::size_t before = tokens.size() - 1;
      REQUIRE(run.take(std::span(tokens).first(before), {.logits = logits}).has_value());
      CHECK(error_of(logits, row["logits"][0]) <= allowed);
      std::vector<float> weights(2 * heads * tokens.size());
      REQUIRE(
          run.take(std::span(tokens).last(1), {.logits = logits, .weights = weights}).has_value());
      CHECK(error_of(logits, row["logits"][1]) <= allowed);
      CHECK(error_of(
                std::span<const float>(weights).subspan((heads + 1) * tokens.size(), tokens.size()),
                row["layer_1_head_1_last_row"]) <= allowed);
      ++cases;
    }
  }
  CHECK(cases == 22 * backends().size());
}
