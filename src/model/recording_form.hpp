#pragma once

// What the reader and the writer of recordings (model/recording.hpp) both need.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn {

inline constexpr std::string_view recording_magic = "ATTNMAP1";
/// The magic, the length and the check sum, which is of what follows them.
inline constexpr std::size_t recording_head_bytes = 16;
/// A weight of one, and the length of the longest value.
inline constexpr std::uint32_t recording_full = 255;
inline constexpr float recording_longest = 65'535;

/// CRC-32 as of gzip (RFC 1952, section 8).
std::uint32_t recording_sum(std::span<const std::uint8_t> bytes);

}  // namespace attn
