#pragma once

// The selective scan of a state-space layer.
//
// Ladder
//   plain   Channel by channel, number by number, in double: the oracle of the vector kernel.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// Doubles that selective_scan_scalar needs as scratch: the state of one channel.
std::size_t selective_scan_scalar_scratch(const ScanProblem& problem);

/// state [channels, state_size] before the first token, and after the last; null for nothing before, and not kept.
/// output [n, channels].
/// Promise: all in double, rounded once to float; NaN and infinity go where the mathematics sends them, and never back.
void selective_scan_scalar(const ScanProblem& problem, float* state, float* output,
                           double* scratch);

}  // namespace attn::kernels
