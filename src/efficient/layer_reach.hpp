#pragma once

// Layers that see only the last tokens, and how far a stack of them sees all the same.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// What one layer lets a token see, causally.
struct LayerReach {
  /// The token itself and window - 1 before it; 0 for all of them: a global layer.
  std::uint64_t window = 0;
  /// Tokens at the very start that every token sees besides (Xiao et al. 2024: attention sinks).
  std::uint64_t sinks = 0;
};

/// Which pairs a layer allows: [n, n], 1 where token i sees token j.
/// Errors: out_of_range and too_large naming "n".
/// Promise: a window of n or more is the causal mask, with sinks or without.
Expected<Matrix<std::uint8_t>> layer_pairs(const LayerReach& layer, std::uint64_t n);

/// Which tokens can reach which through a stack, the first layer first: [n, n], 1 where there is a way from the input of
/// token j to the output of token i, residual connections included. That is what lets a stack of windows see further than
/// one (Beltagy et al. 2020, section 3.1: layers x window), and what a global layer among them completes.
/// Errors: as layer_pairs; out_of_range and too_large naming "layers".
/// Promise: nothing is reached that comes later; no layer takes reach away.
Expected<Matrix<std::uint8_t>> stack_reach(std::span<const LayerReach> layers, std::uint64_t n);

}  // namespace attn
