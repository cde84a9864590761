#include "efficient/layer_reach.hpp"

#include <utility>

#include "core/limits.hpp"

namespace attn {
namespace {

constexpr std::uint64_t most_layers = 1024;

bool sees(const LayerReach& layer, std::size_t i, std::size_t j) {
  if (j > i) return false;
  return layer.window == 0 || i - j < layer.window || j < layer.sinks;
}

Expected<void> check(std::uint64_t n) {
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  return check_bytes("n", 2 * n * n);
}

}  // namespace

Expected<Matrix<std::uint8_t>> layer_pairs(const LayerReach& layer, std::uint64_t n) {
  ATTN_CHECK(check(n));
  Matrix<std::uint8_t> allowed = make_matrix<std::uint8_t>(as_size(n), as_size(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) allowed(i, j) = sees(layer, i, j) ? 1 : 0;
  }
  return allowed;
}

Expected<Matrix<std::uint8_t>> stack_reach(std::span<const LayerReach> layers, std::uint64_t n) {
  ATTN_CHECK(check(n));
  ATTN_CHECK(check_count("layers", layers.size(), 1, most_layers));
  const std::size_t tokens = as_size(n);
  Matrix<std::uint8_t> reached = make_matrix<std::uint8_t>(tokens, tokens);
  reached.fill(0);
  for (std::size_t i = 0; i < tokens; ++i) reached(i, i) = 1;
  for (const LayerReach& layer : layers) {
    Matrix<std::uint8_t> further = reached;
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t middle = 0; middle < i; ++middle) {
        if (!sees(layer, i, middle)) continue;
        for (std::size_t j = 0; j <= middle; ++j) further(i, j) |= reached(middle, j);
      }
    }
    reached = std::move(further);
  }
  return reached;
}

}  // namespace attn
