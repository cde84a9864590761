#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

struct ModelSizes {
  std::size_t vocab_size = 0;
  std::size_t n = 8;  ///< most tokens of a sequence: rows of the table of positions
  std::size_t d_model = 16;
  std::size_t d_k = 16;
};

/// The smallest model that can learn where to look: one head of attention between a table of tokens and a projection to
/// the vocabulary, with the sum around it that every transformer has, and nothing else.
///
///   X = E[ids] + P            O = softmax(X W_Q (X W_K)^T / sqrt(d_k) + M) X W_V
///   logits = (X + O) U        L = the mean over targets of -ln softmax(logits)[target]
///
/// The same shape holds the parameters, their gradients and what an optimiser remembers of them.
struct AttentionModel {
  Matrix<double> E;  ///< [vocab_size, d_model]
  Matrix<double> P;  ///< [n, d_model]
  Matrix<double> W_Q;  ///< [d_model, d_k]
  Matrix<double> W_K;  ///< [d_model, d_k]
  Matrix<double> W_V;  ///< [d_model, d_model]
  Matrix<double> U;  ///< [d_model, vocab_size]

  std::array<Matrix<double>*, 6> parts() { return {&E, &P, &W_Q, &W_K, &W_V, &U}; }
  std::array<const Matrix<double>*, 6> parts() const { return {&E, &P, &W_Q, &W_K, &W_V, &U}; }
};

/// All parts drawn in the order above from Normals(seed): E and P times 1/2, the projections times 1/sqrt(d_model).
AttentionModel random_model(const ModelSizes& sizes, std::uint64_t seed);

/// All parts 0.
AttentionModel zero_model(const ModelSizes& sizes);

/// A sequence and what should be said at each of its places: ids [m], targets [m], m <= sizes.n; a target of -1 asks
/// for nothing. Both within the vocabulary: whoever brings them from outside checks them.
struct Example {
  std::span<const std::int32_t> ids;
  std::span<const std::int32_t> targets;
};

/// What the model makes of a sequence of m tokens.
struct ModelReading {
  Matrix<double> weights;  ///< [m, m] where it looks
  Matrix<double> probabilities;  ///< [m, vocab_size] what it would say
};

/// Errors: those of scaled_dot_product, where training has run away from finite numbers.
Expected<ModelReading> read(const AttentionModel& model, std::span<const std::int32_t> ids,
                            const Mask& mask);

/// The loss of an example, L above; 0 when nothing is asked for. In nats.
/// Errors: as read.
Expected<double> loss(const AttentionModel& model, const Example& example, const Mask& mask);

/// The true way back, by hand: adds `share` * dL/d(part) to every part of `gradients`. Returns L.
/// Errors: as read.
Expected<double> add_gradients(const AttentionModel& model, const Example& example,
                               const Mask& mask, double share, AttentionModel& gradients);

}  // namespace attn
