#pragma once

// The selective scan, four channels at a time.
//
// Ladder (Chromium, relaxed, 64 channels of 16 numbers, as a share of the multiply-add peak of the same run, 22 operations for
// each number: selective_scan_channels_flops in efficient/fast_answers.hpp)
//   numbers     Vectors along the numbers of a state: each output is then a sum across a vector. Not built.
//   channels    Vectors along the channels: nothing is summed across.
//   blocks      64 tokens of 16 channels are laid together; some numbers of a state and their rates stay in registers for all
//               of them. Four at once; with two or eight it is up to a seventh slower in Node 20.
//   product     delta A is never made: see exp2_of_product_within. One operation in fourteen.
//   bounded     No exponential is kept from below where the largest step times the largest rate of the block cannot leave
//               the floats. Another one. 71 %; 13 places of a multiply-add for 22 operations leave 85 % at most. simd128, where
//               a multiply-add is two places: 80 %.
// Lost: 64 channels laid together in place of 16, and row by row, so that memory is read in longer pieces: with 512 channels and
// 16,384 tokens 56 % where this has 58 %. Row by row with 16 channels: 52 %, and 67 % for 73 % in Node, though the same row of 4,096
// tokens by itself was no slower.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// Floats that selective_scan_simd needs as scratch: O(channels x state_size), whatever n is.
std::size_t selective_scan_simd_scratch(const ScanProblem& problem);

/// state [channels, state_size] before the first token, and after the last; null for nothing before, and not kept.
/// output [n, channels], scratch [selective_scan_simd_scratch(problem)].
/// Promise: with u = 2^-24, for A at most 0 and delta at least 0, what token s adds to the output of token t is within
/// (6 (t - s) + 3 S + state_size + 12) u of its absolute value, number by number of the state, S being the sum of |delta A|
/// from s to t; a part smaller than 2^-126 may be lost. NaN and infinity go where the mathematics sends them, and never back.
void selective_scan_simd(const ScanProblem& problem, float* state, float* output, float* scratch);

}  // namespace attn::kernels
