#pragma once

// The topic `embedding` as JavaScript calls it.

#include <cstdint>

#include "convert.hpp"
#include "core/limits.hpp"
#include "embedding/embedding.hpp"

namespace attn::binding {

inline val embed_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto vocab_size = in.count("vocab_size", max_tokens);
  const auto d_model = in.count("d_model", max_width);
  const Matrix<double> E = in.matrix<double>("E", vocab_size, d_model);
  const Matrix<double> P = in.matrix<double>("P", n, d_model);
  const auto ids = in.list_or_empty<std::int32_t>("ids", n);
  if (in.failed()) return failure(in.error());
  const auto X = embed(E, ids, P);
  if (!X) return failure(X.error());
  return Writer(in.out()).array("X", *X).finish();
}

inline val gpt2_embedding_sizes_of(Reader& in) {
  const auto vocab_size = in.count("vocab_size", max_exact_count);
  const auto n_positions = in.count("n_positions", max_exact_count);
  const auto d_model = in.count("d_model", max_exact_count);
  const auto n_layers = in.count("n_layers", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto sizes = gpt2_embedding_sizes(vocab_size, n_positions, d_model, n_layers);
  if (!sizes) return failure(sizes.error());
  return Writer(val::undefined())
      .number("token_table", static_cast<double>(sizes->token_table))
      .number("position_table", static_cast<double>(sizes->position_table))
      .number("model", static_cast<double>(sizes->model))
      .number("token_table_millions", sizes->token_table_millions)
      .number("model_millions", sizes->model_millions)
      .number("token_percent", sizes->token_percent)
      .finish();
}

}  // namespace attn::binding
