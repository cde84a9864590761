#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace attn {

/// A text some merges into its replay: its tokens and the byte at which each begins. They cover the text.
struct ReplayState {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> begin;
};

/// The state after the first `steps` of a replay (all of them when it has fewer) of a text of `text_bytes`.
/// Time and memory linear in the text and the places of the steps.
ReplayState state_after(const Replay& replay, std::size_t text_bytes, std::size_t steps);

}  // namespace attn
