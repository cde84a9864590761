#include "embedding/embedding.hpp"

#include "core/limits.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("a token's row plus its position's row, and nothing else") {
  const auto E = matrix({{1, 2}, {10, 20}, {100, 200}});
  const auto P = matrix({{0, 0}, {0.5, -0.5}, {0.25, 0.25}, {9, 9}});
  const std::int32_t ids[] = {2, 0, 2};
  CHECK(value_of(embed(E, ids, P)) == matrix({{100, 200}, {1.5, 1.5}, {100.25, 200.25}}));
  CHECK(value_of(embed(E, {}, P)).shape(0) == 0);
}

TEST_CASE("ids without a row and tables that do not fit are refused by name") {
  const auto E = matrix({{1, 2}, {3, 4}});
  const std::int32_t beyond[] = {0, 2};
  const std::int32_t below[] = {-1};
  CHECK(error_of(embed(E, beyond, E)).field == "ids[1]");
  CHECK(error_of(embed(E, below, E)).code == ErrorCode::out_of_range);
  const std::int32_t three[] = {0, 1, 0};
  CHECK(error_of(embed(E, three, E)).field == "P");
  CHECK(error_of(embed(E, below, matrix({{1, 2, 3}}))).code == ErrorCode::shape_mismatch);
  CHECK(error_of(embed(matrix({{1, quiet_nan}}), {}, E)).code == ErrorCode::not_finite);
  CHECK(error_of(embed(E, {}, matrix({{infinity, 0}}))).field == "P");
}

TEST_CASE("GPT-2 small has 124,439,808 parameters, 31 % of them in its token table") {
  const EmbeddingSizes sizes = value_of(gpt2_embedding_sizes(50257, 1024, 768, 12));
  CHECK(sizes.token_table == 38'597'376);
  CHECK(sizes.position_table == 786'432);
  CHECK(sizes.model == 124'439'808);
  CHECK(sizes.token_table_millions == 38.597376);
  CHECK(sizes.model_millions == 124.439808);
  CHECK(std::abs(sizes.token_percent - 31.016904172658318) < 1e-12);
  CHECK(value_of(gpt2_embedding_sizes(50257, 1024, 1600, 48)).model == 1'557'611'200);
}

TEST_CASE("sizes that no count can hold are refused by name") {
  CHECK(error_of(gpt2_embedding_sizes(0, 1, 1, 1)).field == "vocab_size");
  CHECK(error_of(gpt2_embedding_sizes(1, 1, 0, 1)).field == "d_model");
  CHECK(error_of(gpt2_embedding_sizes(max_exact_count, 1, 2, 1)).code == ErrorCode::too_large);
  CHECK(error_of(gpt2_embedding_sizes(1, 1, max_exact_count, 1)).code == ErrorCode::too_large);
  CHECK(error_of(gpt2_embedding_sizes(1, 1, 1, UINT64_MAX)).field == "n_layers");
}
