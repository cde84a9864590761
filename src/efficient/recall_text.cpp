#include "efficient/recall_text.hpp"

#include <array>
#include <numeric>
#include <utility>

namespace attn {
namespace {

/// From 0 to count - 1, evenly to within count / 2^32.
std::size_t below(SplitMix64& bits, std::size_t count) {
  return static_cast<std::size_t>(((bits.next() >> 32) * std::uint64_t{count}) >> 32);
}

}  // namespace

RecallText draw_recall_text(SplitMix64& bits, std::size_t n, std::size_t pairs) {
  std::array<std::uint8_t, recall_keys> unused{};
  std::iota(unused.begin(), unused.end(), std::uint8_t{0});
  RecallText text;
  text.keys.reserve(n);
  text.values.reserve(n);
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t given = text.places.size();
    // As many of the places that are left as there are pairs left: each set of places is as likely (Fan, Muller and
    // Rezucha 1962).
    if (below(bits, n - place) < pairs - given) {
      std::swap(unused[given], unused[given + below(bits, recall_keys - given)]);
      text.keys.push_back(unused[given]);
      text.values.push_back(static_cast<std::uint8_t>(below(bits, recall_values)));
      text.places.push_back(place);
    } else {
      const std::size_t filler = below(bits, recall_fillers);
      text.keys.push_back(static_cast<std::uint8_t>(recall_keys + filler));
      text.values.push_back(static_cast<std::uint8_t>(recall_values + filler));
    }
  }
  return text;
}

}  // namespace attn
