#pragma once

// A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way.
//
// Layers and heads are counted from 0. The model keeps one sequence, in a cache of its own (kv_cache/cache.hpp): tokens
// that are taken in together (prefill) and one by one (decode) give bit by bit the same, as each row is computed by
// itself and sees its own past alone.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attention/heads.hpp"
#include "core/error.hpp"
#include "embedding/rotary.hpp"
#include "kv_cache/cache.hpp"
#include "model/layer_kernels.hpp"
#include "model/model_weights.hpp"

namespace attn {

/// One head of one layer.
struct HeadPlace {
  std::uint64_t layer = 0, head = 0;
};

struct TransformerOptions {
  /// Tokens that the sequence may have; the model's own context unless told. Learned positions end there.
  std::uint64_t capacity = 0;
  /// How the cache keeps its rows: f32, f16, q8_0 or q4_0.
  /// Must outlive the model.
  std::string_view cache_format = "f32";
  /// First tokens that no eviction drops.
  std::uint64_t pinned = 0;
  /// The fastest that there is, unless told.
  std::optional<Backend> backend = {};
};

/// What is cut out of the model while tokens are taken in.
struct Ablation {
  /// Heads whose output is 0.
  std::span<const HeadPlace> heads = {};
  /// Tokens of the sequence that no other token sees, in any layer; in rising order, each once.
  std::span<const std::uint64_t> positions = {};
};

/// What is asked for besides; what is empty is not computed. `count` is the number of tokens that are taken in, `length`
/// that of the sequence afterwards.
struct Wanted {
  /// [vocab_size] of the last token.
  std::span<float> logits = {};
  /// [count - 1] -log p of each token but the first, given those before it; natural logarithm.
  std::span<double> losses = {};
  /// [count] The token that is most probable after each; the first of equals.
  std::span<std::uint32_t> best = {};
  /// [n_layers, n_heads, count, length] The weights of each row; what a row does not see has 0.
  std::span<float> weights = {};
  /// The same as one byte each, 255 times the weight, rounded: off by at most 1/510.
  std::span<std::uint8_t> weight_bytes = {};
  /// [n_layers, n_kv_heads, length] The Euclidean length of each value; 0 of those that were evicted.
  std::span<float> value_lengths = {};
};

class Transformer {
 public:
  /// Whether a model of these sizes can be made so, before its weights are there.
  /// Errors: out_of_range and too_large ("capacity", "pinned"); bad_argument ("format", "backend").
  static Expected<void> check(const ModelConfig& config, const TransformerOptions& options);

  /// Errors: as check.
  static Expected<Transformer> make(ModelWeights weights, const TransformerOptions& options);

  const ModelConfig& config() const { return weights_.config(); }
  Backend backend() const { return kernels_.backend(); }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t length() const { return length_; }
  std::uint64_t weight_bytes() const { return weights_.bytes(); }
  CacheStats cache() const { return cache_->stats(); }
  /// Tokens of the sequence that a query sees.
  std::uint64_t visible_tokens() const { return cache_->stats().visible_tokens; }

  /// Appends the tokens to the sequence.
  /// Errors: out_of_range ("tokens") without any, and for one that the vocabulary has not; too_large ("tokens") when the
  /// sequence would be longer than the capacity; out_of_range ("heads", "positions") for what is not there, and for
  /// positions out of order; shape_mismatch naming a span of `wanted` of another length; out_of_memory.
  /// Promise: after an error the sequence is as it was.
  Expected<void> take(std::span<const std::uint32_t> tokens, const Wanted& wanted,
                      const Ablation& ablation = {});

  /// What another device needs to take in a prompt: the weights, the radians that each pair of a query or a key turns from
  /// one token to the next (empty without rotary positions), and the rows that enter the first layer.
  const ModelWeights& weights() const { return weights_; }
  std::span<const double> frequencies() const { return frequencies_; }
  /// x [count, d_model], of tokens that begin a sequence. Errors: as take; shape_mismatch ("x").
  Expected<void> embed(std::span<const std::uint32_t> tokens, std::span<float> x) const;
  /// Whether `adopt` may follow: nothing is in the sequence, and the cache keeps numbers as they are. Rows that are
  /// rounded for the cache have to be so before they are attended to, which only take does.
  bool may_adopt() const { return length_ == 0 && cache_format_ == "f32"; }
  /// Begins the sequence with tokens that another device took in. K and V [n_layers, count, n_kv_heads, head_dim], keys
  /// turned to their positions; last [d_model] the last row behind the last norm, of which logits [vocab_size] are made.
  /// Errors: bad_argument ("tokens") where may_adopt says no; shape_mismatch; too_large ("count"); out_of_memory.
  /// Promise: after an error the sequence is as it was.
  Expected<void> adopt(std::uint64_t count, std::span<const float> K, std::span<const float> V,
                       std::span<const float> last, std::span<float> logits);

  /// Forgets the tokens from `length` on. Errors: out_of_range ("length"), also for a length at which evicted tokens
  /// would be visible.
  Expected<void> roll_back(std::uint64_t length);

  /// Drops all tokens but the pinned first ones and the last `kept`. Those that are left keep their positions, and the
  /// next token follows the last: nothing is turned anew. Errors: out_of_range ("kept") for 0.
  Expected<void> evict(std::uint64_t kept);

  /// Forgets the whole sequence; the next one pins that many first tokens. Errors: out_of_range and too_large ("pinned").
  Expected<void> reset(std::uint64_t pinned = 0);

 private:
  /// Rows that go through the layers together: enough to read each weight seldom, few enough to stay small.
  static constexpr std::size_t rows_together = 64;

  Transformer(ModelWeights weights, std::string_view cache_format, std::uint64_t capacity,
              Backend backend);

  struct Call;

  Expected<void> check(std::span<const std::uint32_t> tokens, const Wanted& wanted,
                       const Ablation& ablation) const;
  void embed_row(std::uint32_t token, std::size_t position, float* x, float* scratch) const;
  Expected<void> take_rows(const Call& call, std::size_t first, std::size_t count);
  Expected<void> attend(const Call& call, std::size_t layer, std::size_t first, std::size_t count);
  Expected<void> show_weights(const Call& call, std::size_t layer, std::size_t first,
                              std::size_t count);
  static void show_row(const Call& call, std::size_t row, std::span<const float> weights);
  void project(std::size_t layer, std::size_t first, std::size_t count);
  void feed_forward(std::size_t layer, std::size_t count);
  void add(const std::vector<float>& part, std::size_t count);
  static void note(const Call& call, std::size_t row, std::span<const float> logits);
  void predict(const Call& call, std::size_t first, std::size_t count);

  ModelWeights weights_;
  std::string_view cache_format_;
  /// Made anew for a sequence that pins other tokens.
  std::optional<KvCache> cache_;
  std::uint64_t sequence_ = 0, capacity_ = 0, length_ = 0;
  LayerKernels kernels_;
  std::vector<double> frequencies_;
  /// Of the rows that go through the layers: x [rows, d_model] and its parts.
  std::vector<float> x_, normed_, q_, k_, v_, heads_, log_sums_, part_, gate_, up_, logits_;
  std::vector<float> keys_, values_, row_;
};

}  // namespace attn
