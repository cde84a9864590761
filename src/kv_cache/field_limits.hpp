#pragma once

// How large a field of a model may be. Far above every published model, and low enough that a product of a few is
// counted exactly.

#include <cstdint>

namespace attn {

inline constexpr std::uint64_t max_model_layers = 10'000;
/// Query heads, and heads of K and V.
inline constexpr std::uint64_t max_model_heads = 65'536;
/// d_model, d_k, d_v, ranks, and what an indexer keeps.
inline constexpr std::uint64_t max_model_width = std::uint64_t{1} << 24;
/// Positions, windows, pinned tokens.
inline constexpr std::uint64_t max_model_tokens = std::uint64_t{1} << 40;
/// Numbers of one layer's recurrent state.
inline constexpr std::uint64_t max_state_numbers = std::uint64_t{1} << 40;

}  // namespace attn
