#pragma once

// The trained numbers of the recall models, as they travel in the module: one letter a number.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "efficient/recall_model.hpp"

namespace attn {

/// A model rounded to 19 levels a number: part by part in the order of RecallModel::parts(), each number a letter from
/// "A" (-9) to "S" (9) that counts steps of the part's scale.
struct PackedRecall {
  std::span<const RecallKind> kinds;
  std::size_t state;
  std::span<const double> scales;  ///< [parts] a level is so much
  std::string_view letters;
};

/// Those that were trained; recall_numbers.cpp, which `npm run recall` writes.
std::span<const PackedRecall> packed_recall_models();

/// Rounds. Returns the letters, and in `scales` the scale of each part.
std::string pack_recall(const RecallModel& model, std::vector<double>& scales);

/// The model of those letters.
RecallModel unpack_recall(const PackedRecall& packed);

}  // namespace attn
