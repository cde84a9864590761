#include "tokenizer/replay.hpp"

#include <algorithm>

namespace attn {

ReplayState state_after(const Replay& replay, std::size_t text_bytes, std::size_t steps) {
  constexpr std::uint32_t nothing = 0xFFFFFFFF;
  // By the byte at which a token begins: where it ends, and which it is.
  std::vector<std::uint32_t> end(text_bytes, nothing);
  std::vector<std::uint32_t> id(text_bytes, 0);
  const std::size_t count = replay.start.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t begin = replay.start_offset[i];
    end[begin] =
        i + 1 < count ? replay.start_offset[i + 1] : static_cast<std::uint32_t>(text_bytes);
    id[begin] = replay.start[i];
  }
  for (std::size_t s = 0; s < std::min(steps, replay.steps.size()); ++s) {
    const ReplayStep& step = replay.steps[s];
    for (const std::uint32_t place : step.places) {
      if (step.rank == ReplayStep::whole_word) {
        // The word becomes its token at once, whatever it consists of by then.
        const auto word = std::lower_bound(
            replay.words.begin(), replay.words.end(), place,
            [](const Word& one, std::uint32_t begin) { return one.begin < begin; });
        for (std::size_t at = place + 1; at < word->end; ++at) end[at] = nothing;
        end[place] = static_cast<std::uint32_t>(word->end);
      } else {
        const std::uint32_t right = end[place];
        end[place] = end[right];
        end[right] = nothing;
      }
      id[place] = step.result;
    }
  }
  ReplayState state;
  for (std::uint32_t at = 0; at < text_bytes; at = end[at]) {
    state.ids.push_back(id[at]);
    state.begin.push_back(at);
  }
  return state;
}

}  // namespace attn
