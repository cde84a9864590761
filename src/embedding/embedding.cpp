#include "embedding/embedding.hpp"

#include <string_view>
#include <utility>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "core/text.hpp"

namespace attn {

Expected<Matrix<double>> embed(const Matrix<double>& E, std::span<const std::int32_t> ids,
                               const Matrix<double>& P) {
  const std::size_t width = E.shape(1);
  if (P.shape(1) != width) {
    return fail(ErrorCode::shape_mismatch, "P",
                {"P must have as many columns as E, ", width, "; it has ", P.shape(1), "."});
  }
  if (P.shape(0) < ids.size()) {
    return fail(ErrorCode::shape_mismatch, "P",
                {"P must have a row for each of the ", ids.size(), " ids; it has ", P.shape(0),
                 "."});
  }
  ATTN_CHECK(check_finite("E", E));
  ATTN_CHECK(check_finite("P", P));
  Matrix<double> X = make_matrix<double>(ids.size(), width);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= E.shape(0)) {
      return fail(ErrorCode::out_of_range, text({"ids[", i, "]"}),
                  {"ids[", i, "] must be the row of a token, 0 to ", E.shape(0) - 1, "; it is ",
                   ids[i], "."});
    }
    const auto row = static_cast<std::size_t>(ids[i]);
    for (std::size_t j = 0; j < width; ++j) X(i, j) = E(row, j) + P(i, j);
  }
  return X;
}

Expected<EmbeddingSizes> gpt2_embedding_sizes(std::uint64_t vocab_size, std::uint64_t n_positions,
                                              std::uint64_t d_model, std::uint64_t n_layers) {
  const std::pair<std::string_view, std::uint64_t> sizes[] = {{"vocab_size", vocab_size},
                                                              {"n_positions", n_positions},
                                                              {"d_model", d_model},
                                                              {"n_layers", n_layers}};
  for (const auto& [field, size] : sizes) {
    ATTN_CHECK(check_count(field, size, 1, max_exact_count));
  }
  const auto token_table = checked_product("vocab_size", {vocab_size, d_model});
  ATTN_CHECK(token_table);
  const auto position_table = checked_product("n_positions", {n_positions, d_model});
  ATTN_CHECK(position_table);
  // 12 d^2 + 13 d = d (12 d + 13); d is at most 2^53, so the bracket does not wrap.
  const auto blocks = checked_product("n_layers", {n_layers, d_model, 12 * d_model + 13});
  ATTN_CHECK(blocks);
  const std::uint64_t model = *token_table + *position_table + *blocks + 2 * d_model;
  ATTN_CHECK(check_count("d_model", model, 1, max_exact_count));
  const auto tokens = static_cast<double>(*token_table);
  const auto all = static_cast<double>(model);
  return EmbeddingSizes{.token_table = *token_table,
                        .position_table = *position_table,
                        .model = model,
                        .token_table_millions = tokens / 1e6,
                        .model_millions = all / 1e6,
                        .token_percent = 100 * tokens / all};
}

}  // namespace attn
