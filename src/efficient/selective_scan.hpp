#pragma once

// A state-space layer whose step depends on the token: what stands in the place of attention in Mamba.

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// D channels, each with a state of N numbers of its own.
struct SelectiveScanInput {
  Matrix<double> x;  ///< [n, D] what each token brings to each channel
  Matrix<double>
      delta;  ///< [n, D] from 0 on: how far a token moves a channel; 0 leaves the state as it is
  Matrix<double> A;  ///< [D, N] at most 0: how fast each number of a state fades
  Matrix<double> B;  ///< [n, N] where a token writes
  Matrix<double> C;  ///< [n, N] what a token reads
  Vector<double> skip;  ///< [D] or empty: x times this is added to the output
};

enum class ScanForm : std::uint8_t {
  sequential,  ///< token after token: n rounds
  parallel,  ///< a tree over the tokens: about 2 log2 n rounds, each of which many processors share
};

struct SelectiveScan {
  Matrix<double> output;  ///< [n, D]
  Matrix<double> state;  ///< [D, N] after the last token
  std::uint64_t rounds;  ///< that wait for one another
  std::uint64_t updates;  ///< of a number of a state, all of them together
};

/// h_t = e^(delta_t A) o h_(t-1) + delta_t x_t B_t and y_t = C_t . h_t + skip x_t, from h = 0 (Gu and Dao 2023,
/// equation 2 and algorithm 2; A discretised by zero-order hold, B by Euler's rule, as in their code). The parallel form
/// is the tree of Blelloch (1990) over pairs (a, b) that mean h -> a h + b, joined as (a_2 a_1, a_2 b_1 + b_2).
/// Errors: shape_mismatch naming the field; out_of_range for an empty matrix, a delta below 0 or an A above 0; not_finite
/// naming the field; too_large or out_of_memory, before anything is allocated.
/// Promise: both forms agree to the rounding of double; row t does not depend on what comes after it.
Expected<SelectiveScan> selective_scan(const SelectiveScanInput& input, ScanForm form);

}  // namespace attn
