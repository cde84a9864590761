#include "efficient/recall_weights.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr int levels = 9;
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRS";
static_assert(alphabet.size() == 2 * levels + 1);

int level_of(char letter) { return letter - alphabet[levels]; }

}  // namespace

std::string pack_recall(const RecallModel& model, std::vector<double>& scales) {
  std::string letters;
  for (const Matrix<double>* part : model.parts()) {
    double largest = 0;
    for (const double number : *part) largest = std::max(largest, std::fabs(number));
    const double scale = largest / levels;
    scales.push_back(scale);
    for (const double number : *part) {
      const auto level = scale == 0 ? 0 : std::lround(number / scale);
      letters += alphabet[static_cast<std::size_t>(level + levels)];
    }
  }
  return letters;
}

RecallModel unpack_recall(const PackedRecall& packed) {
  RecallModel model = zero_recall_model({packed.kinds.begin(), packed.kinds.end()}, packed.state);
  std::size_t part = 0, at = 0;
  for (Matrix<double>* numbers : model.parts()) {
    for (double& number : *numbers) number = level_of(packed.letters[at++]) * packed.scales[part];
    ++part;
  }
  return model;
}

}  // namespace attn
