#pragma once

#include <cstdint>
#include <span>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// What enters the first layer: X[i] = E[ids[i]] + P[i] (GPT-2's learned positions; Radford et al. 2019).
/// E [vocab_size, d_model], P [at least ids.size(), d_model]; returns X [ids.size(), d_model].
/// Errors: shape_mismatch when E and P differ in width or P has too few rows; out_of_range, naming
/// ids[i], for an id without a row; not_finite for NaN or infinity in E or P.
Expected<Matrix<double>> embed(const Matrix<double>& E, std::span<const std::int32_t> ids,
                               const Matrix<double>& P);

/// Parameters of a GPT-2 and of its two tables.
struct EmbeddingSizes {
  std::uint64_t token_table;     ///< vocab_size * d_model
  std::uint64_t position_table;  ///< n_positions * d_model
  std::uint64_t model;           ///< all parameters, both tables included
  double token_table_millions;   ///< token_table / 10^6
  double model_millions;         ///< model / 10^6
  double token_percent;          ///< 100 token_table / model
};

/// Counts of the GPT-2 architecture (Radford et al. 2019), whose output layer is the token table again:
/// n_layers blocks of 12 d^2 + 13 d (four attention and two feed-forward matrices with their biases, two
/// norms), and a last norm of 2 d.
/// Errors: out_of_range for a size of 0; too_large when a count exceeds 2^53.
/// Promise: every count is exact, in a double too.
Expected<EmbeddingSizes> gpt2_embedding_sizes(std::uint64_t vocab_size, std::uint64_t n_positions,
                                              std::uint64_t d_model, std::uint64_t n_layers);

}  // namespace attn
