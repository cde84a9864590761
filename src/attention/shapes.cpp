#include "attention/shapes.hpp"

#include <string_view>
#include <utility>

#include "core/limits.hpp"

namespace attn {

Expected<AttentionShapes> attention_shapes(std::uint64_t n, std::uint64_t d_model,
                                           std::uint64_t d_k, std::uint64_t d_v) {
  const std::pair<std::string_view, std::uint64_t> sizes[] = {
      {"n", n}, {"d_model", d_model}, {"d_k", d_k}, {"d_v", d_v}};
  for (const auto& [field, size] : sizes) {
    ATTN_CHECK(check_count(field, size, 1, max_exact_count));
  }
  AttentionShapes shapes{.X = {n, d_model},
                         .W_Q = {d_model, d_k},
                         .W_K = {d_model, d_k},
                         .W_V = {d_model, d_v},
                         .Q = {n, d_k},
                         .K = {n, d_k},
                         .V = {n, d_v},
                         .S = {n, n},
                         .A = {n, n},
                         .O = {n, d_v},
                         .parameters = 0};
  const std::pair<std::string_view, Shape> activations[] = {
      {"n", shapes.S}, {"d_model", shapes.X}, {"d_k", shapes.Q}, {"d_v", shapes.V}};
  for (const auto& [field, shape] : activations) {
    ATTN_CHECK(checked_product(field, {shape[0], shape[1]}));
  }
  // d_k + d_k + d_v cannot wrap: each is at most 2^53.
  const auto parameters = checked_product("d_model", {d_model, d_k + d_k + d_v});
  ATTN_CHECK(parameters);
  shapes.parameters = *parameters;
  return shapes;
}

}  // namespace attn
