#pragma once

// What a cache saves, on a model small enough to run in a page: the same tokens with and without it.
//
// The model has the parts of LLaMA (Touvron et al. 2023, arXiv:2302.13971) and random weights:
//   x = E[token]
//   each layer  x += W_O attention(rotate(W_Q a), rotate(W_K a), W_V a)   with a = norm(x), causal, scale 1 / sqrt(d_k)
//               x += W_down (silu(W_gate b) o (W_up b))                   with b = norm(x)
//   logits = W_out norm(x), and the next token is the first with the largest logit
// norm is the root-mean-square normalisation without gains, epsilon 1e-5; rotate turns half-split pairs, base 10,000;
// silu(y) = y / (1 + e^-y). Weights are the numbers of Normals(seed) in the order E [vocab_size, d_model], then for each
// layer W_Q [n_heads d_k, d_model], W_K and W_V [n_kv_heads d_k, d_model], W_O [d_model, n_heads d_k], W_gate and W_up
// [d_ff, d_model], W_down [d_model, d_ff], then W_out [vocab_size, d_model], row by row, each divided by the
// root of its number of columns, E by 1. All is float32. The first token is 0.

#include <cstdint>
#include <span>
#include <vector>

#include "attention/heads.hpp"
#include "core/error.hpp"
#include "kv_cache/cache.hpp"
#include "kv_cache/rotary.hpp"

namespace attn {

/// The sizes of the model. They are fixed.
struct DecodeModel {
  std::uint64_t n_layers = 2, n_heads = 4, n_kv_heads = 2, d_k = 16;
  std::uint64_t d_model = 64, d_ff = 128, vocab_size = 64;

  /// Weights that every token passes: all matrices but E.
  std::uint64_t parameters() const {
    return n_layers *
               (2 * n_heads * d_k * d_model + 2 * n_kv_heads * d_k * d_model + 3 * d_ff * d_model) +
           vocab_size * d_model;
  }
};

inline constexpr std::uint64_t max_decode_tokens = 2048;

struct DecodeRunConfig {
  std::uint64_t seed = 1;
  /// Steps that the run may have.
  std::uint64_t n = 256;
  Backend backend = Backend::scalar;
};

/// What one step did: it chose the token behind `tokens` others.
struct DecodeStep {
  std::uint64_t tokens = 0;
  std::int32_t token = 0;
  /// Tokens that went through the model: 1 with the cache, all of them without.
  std::uint64_t passes = 0;
  /// Multiply-adds as two: 2 x parameters for each pass, of which the logits of the last alone are computed, and 2 (d_k
  /// + d_k) for each pair of a query and a key that it sees, head and layer. Normalisation, rotation and softmax are not
  /// counted.
  double flops = 0;
  /// Weights, each read once; keys and values of all tokens, each read once. Both ways alike, but without the cache the
  /// latter have to be computed before.
  std::uint64_t weight_bytes = 0, kv_bytes = 0;
};

/// A run under way, one step at a time and either way, so that each step can be timed.
class DecodeRun {
 public:
  /// Errors: out_of_range and too_large ("n"); bad_argument ("backend"); out_of_memory ("n").
  static Expected<DecodeRun> make(const DecodeRunConfig& config);

  DecodeRun(DecodeRun&&) = default;
  DecodeRun& operator=(DecodeRun&&) = delete;

  const DecodeModel& model() const { return model_; }

  /// The next token with the cache: one pass, over what is kept. `repeat` computes the step so often, for a clock that
  /// ticks coarsely; the result is that of one.
  /// Errors: out_of_range ("n") behind the last step, ("repeat") for 0.
  Expected<DecodeStep> step_with(std::uint64_t repeat = 1);
  /// The next token without: every token from the first on, anew.
  Expected<DecodeStep> step_without(std::uint64_t repeat = 1);

  /// Tokens chosen so far, after the first one, which is given.
  std::span<const std::int32_t> tokens_with() const { return with_.tokens; }
  std::span<const std::int32_t> tokens_without() const { return without_.tokens; }
  /// Logits of step t (from 0) [vocab_size], either way, which has been made.
  std::span<const float> logits_with(std::uint64_t t) const { return logits(with_, t); }
  std::span<const float> logits_without(std::uint64_t t) const { return logits(without_, t); }
  std::uint64_t passes_with() const { return with_.passes; }
  std::uint64_t passes_without() const { return without_.passes; }

  /// Over the steps that both ways have made.
  double largest_difference() const;
  bool same_tokens() const;

  /// Of the cache alone.
  CacheStats cache_stats() const { return cache_.stats(); }

 private:
  struct Layer {
    std::vector<float> W_Q, W_K, W_V, W_O, W_gate, W_up, W_down;
  };
  struct Way {
    std::vector<std::int32_t> tokens;
    std::vector<float> logits;
    std::uint64_t passes = 0;
  };

  DecodeRun(const DecodeRunConfig& config, KvCache cache, std::uint64_t sequence);
  std::span<const float> logits(const Way& way, std::uint64_t t) const {
    const auto width = static_cast<std::size_t>(model_.vocab_size);
    return std::span(way.logits).subspan(static_cast<std::size_t>(t) * width, width);
  }
  Expected<void> check_step(const Way& way, std::uint64_t repeat) const;
  /// W [m, k], x [rows, k], out [rows, m] with out = x W^T.
  void project(const std::vector<float>& W, const float* x, float* out, std::size_t rows,
               std::size_t k) const;
  void normalise(const float* x, float* out, std::size_t rows) const;
  /// Tokens first to first + rows - 1 through the model; logits of the last. attend(layer) reads q_, k_ and v_, rows of
  /// tokens, and writes o_.
  template <class Attend>
  Expected<void> forward(std::size_t first, std::size_t rows, const Way& way, const Attend& attend,
                         float* logits);
  DecodeStep finish(Way& way, std::uint64_t passes, const std::vector<float>& logits, double pairs);

  DecodeModel model_;
  DecodeRunConfig config_;
  KvCache cache_;
  std::uint64_t sequence_;
  std::vector<float> E_, W_out_;
  std::vector<Layer> layers_;
  std::vector<std::vector<RotaryTurn>> turns_;
  Way with_, without_;
  /// Room for a pass: [n, d_model], and so on.
  std::vector<float> x_, a_, q_, k_, v_, o_, up_, gate_;
  std::vector<float> q_heads_, k_heads_, v_heads_, o_heads_;
};

}  // namespace attn
