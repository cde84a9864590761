#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/error.hpp"

namespace attn {

/// Up to here a double counts without gaps, so that JavaScript shows the same integer.
inline constexpr std::uint64_t max_exact_count = std::uint64_t{1} << 53;

/// Tokens of one attention: a float32 matrix of scores of that size takes 64 MiB.
inline constexpr std::size_t max_tokens = 4096;

/// Columns of one matrix: d_model, d_k, d_v.
inline constexpr std::size_t max_width = 65536;

/// Heads of one layer.
inline constexpr std::size_t max_heads = 1024;

/// What one call may allocate, results and intermediates together: a quarter of the 2 GiB that a
/// WebAssembly module may have, because a copy of the results lives beside them for a moment.
inline constexpr std::uint64_t max_bytes = std::uint64_t{1} << 29;

/// The product of `factors`, exact in 64 bits and in a double. The core multiplies no sizes
/// without it: in WebAssembly size_t has 32 bits, and 65,536 x 65,536 is 0 there.
/// Errors: too_large, naming `field`, when the product exceeds 2^53.
Expected<std::uint64_t> checked_product(std::string_view field,
                                        std::initializer_list<std::uint64_t> factors);

/// A length or a place that has passed a check against a limit which 32 bits hold: in WebAssembly size_t has no more.
inline std::size_t as_size(std::uint64_t value) { return static_cast<std::size_t>(value); }

/// A count as JavaScript and times have it: exact to 2^53.
inline double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// How many steps of `step` cover `count`.
inline std::uint64_t ceil_div(std::uint64_t count, std::uint64_t step) {
  return count / step + (count % step != 0);
}

/// Errors: out_of_range when value < least, too_large when value > most, both naming `field`.
Expected<void> check_count(std::string_view field, std::uint64_t value, std::uint64_t least,
                           std::uint64_t most);

/// To be asked before `bytes` are allocated, in whatever pieces.
/// Errors: too_large above max_bytes, with the bytes asked for; out_of_memory when the machine
/// has not got them. Both name `field`.
Expected<void> check_bytes(std::string_view field, std::uint64_t bytes);

/// Whether the machine has `bytes` now. It tries: allocates them in one piece and frees them.
/// Without exceptions a failed allocation inside a container ends the program, and this does not.
bool memory_is_available(std::uint64_t bytes);

}  // namespace attn
