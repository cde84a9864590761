#include "attention/multi_head_shapes.hpp"

#include "attention/multi_head.hpp"
#include "core/limits.hpp"

namespace attn {

Expected<MultiHeadShapes> multi_head_shapes(std::uint64_t n, std::uint64_t d_model,
                                            std::uint64_t n_heads, std::uint64_t n_kv_heads,
                                            bool biases) {
  ATTN_CHECK(check_count("n", n, 1, max_exact_count));
  const auto parameters = multi_head_parameters(d_model, n_heads, n_kv_heads, biases);
  ATTN_CHECK(parameters);
  ATTN_CHECK(checked_product("n", {n, d_model}));
  ATTN_CHECK(checked_product("n", {n_heads, n, n}));
  const std::uint64_t head_dim = d_model / n_heads;
  const std::uint64_t kv_width = n_kv_heads * head_dim;
  MultiHeadShapes shapes{.steps = {}, .head_dim = head_dim, .parameters = *parameters};
  shapes.steps = {
      {"X", {n, d_model}},
      {"Q", {n, d_model}},
      {"K", {n, kv_width}},
      {"V", {n, kv_width}},
      {"Q_heads", {n_heads, n, head_dim}},
      {"K_heads", {n_kv_heads, n, head_dim}},
      {"V_heads", {n_kv_heads, n, head_dim}},
      {"scores", {n_heads, n, n}},
      {"weights", {n_heads, n, n}},
      {"head_outputs", {n_heads, n, head_dim}},
      {"concat", {n, d_model}},
      {"output", {n, d_model}},
  };
  return shapes;
}

}  // namespace attn
