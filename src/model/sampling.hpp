#pragma once

// Which token comes next: the largest, or one drawn from what is left of the probabilities.

#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"

namespace attn {

struct SamplingOptions {
  /// Logits are divided by it before the softmax. 0: the largest logit, without drawing.
  double temperature = 0;
  /// Of the tokens, the k most probable are kept; 0 keeps all.
  std::uint64_t top_k = 0;
  /// Of those, the fewest whose probabilities together reach p of theirs (Holtzman et al. 2020, arXiv:1904.09751).
  double top_p = 1;
};

struct Candidate {
  std::uint32_t token = 0;
  double probability = 0;
};

/// -log of the softmax of `logits` at `token`, which must be one of them; natural logarithm.
double loss_of(std::span<const float> logits, std::uint32_t token);

/// The `count` most probable tokens, the most probable first, equals by number; probabilities are those of the softmax
/// of all logits divided by `temperature` (1 for the model's own).
/// Errors: not_finite ("logits"); out_of_range ("count", "temperature").
Expected<std::vector<Candidate>> most_probable(std::span<const float> logits, std::uint64_t count,
                                               double temperature = 1);

/// One token. `bits` is drawn from once, unless the temperature is 0.
/// Errors: not_finite ("logits"); out_of_range ("temperature" below 0 or above 100, "top_p" outside 0 to 1, 0 excluded).
/// Promise: the same logits, options and state of `bits` give the same token on every machine, but where two cumulated
/// probabilities differ by less than rounding.
Expected<std::uint32_t> next_token(std::span<const float> logits, const SamplingOptions& options,
                                   SplitMix64& bits);

}  // namespace attn
