#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Which keys each query may see: the four masks, any of them together. A pair is allowed when
/// every mask that is set allows it. An empty vector, or an unset option, masks nothing.
///
/// Queries are the last n_q of n_k positions, as when a cache holds the earlier ones: query i
/// stands at position p = i + n_k - n_q, and the last query sees every key under the causal mask
/// (bottom-right alignment, as in FlashAttention 2.1 and later; top-left hides the whole past).
struct Mask {
  /// Key j is allowed when j <= p.
  bool causal = false;

  /// Key j is allowed when p - window < j <= p: the token itself and the window - 1 before it
  /// (FlashAttention's pair (window - 1, 0)). So a window looks back only, with `causal` or
  /// without, and one that reaches the first key is the causal mask.
  std::optional<std::uint64_t> window = {};

  /// [n_k] 0 where the key is padding.
  std::vector<std::uint8_t> key_valid = {};

  /// [n_q] and [n_k] Allowed when both are the same document of a packed sequence. Both or none.
  std::vector<std::int32_t> query_document = {};
  std::vector<std::int32_t> key_document = {};
};

/// Whether the mask fits n_q queries and n_k keys.
/// Errors: shape_mismatch, bad_argument, out_of_range, with fields "mask.key_valid" and so on.
Expected<void> check_mask(const Mask& mask, std::size_t n_q, std::size_t n_k);

/// Whether query i may see key j, of a mask that fits.
bool is_allowed(const Mask& mask, std::size_t i, std::size_t j, std::size_t n_q, std::size_t n_k);

/// All pairs at once: [n_q, n_k], 1 where allowed. The matrix M of softmax(QK^T/sqrt(d_k) + M)
/// holds 0 where this holds 1, and minus infinity where this holds 0.
/// Errors: as check_mask.
Expected<Matrix<std::uint8_t>> allowed_pairs(const Mask& mask, std::size_t n_q, std::size_t n_k);

}  // namespace attn
