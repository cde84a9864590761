#include "kv_cache/parameter_count.hpp"

#include <initializer_list>

#include "core/limits.hpp"

namespace attn {
namespace {

/// A sum of products that notices when it leaves what is counted exactly.
class Sum {
 public:
  void add(std::initializer_list<std::uint64_t> factors) {
    const auto product = checked_product("parameters", factors);
    if (!product || *product > max_exact_count - total_) {
      overflowed_ = true;
    } else {
      total_ += *product;
    }
  }

  std::uint64_t total() const { return total_; }
  bool overflowed() const { return overflowed_; }

 private:
  std::uint64_t total_ = 0;
  bool overflowed_ = false;
};

void add_attention(Sum& sum, const DecoderShape& shape, const AttentionWidths& widths) {
  const std::uint64_t d = shape.d_model;
  sum.add({widths.layers, d, shape.n_heads, widths.d_k});
  sum.add({widths.layers, d, shape.n_heads, widths.d_v});
  sum.add({widths.layers, d, widths.n_kv_heads, widths.d_k});
  sum.add({widths.layers, d, widths.n_kv_heads, widths.d_v});
  if (shape.qkv_bias) {
    sum.add({widths.layers, shape.n_heads, widths.d_k});
    sum.add({widths.layers, widths.n_kv_heads, widths.d_k});
    sum.add({widths.layers, widths.n_kv_heads, widths.d_v});
  }
  if (shape.out_bias) sum.add({widths.layers, d});
  if (shape.qk_norm) sum.add({widths.layers, 2, widths.d_k});
  if (shape.sinks) sum.add({widths.layers, shape.n_heads});
}

void add_latent_attention(Sum& sum, const DecoderShape& shape) {
  const std::uint64_t d = shape.d_model, layers = shape.full.layers;
  const std::uint64_t d_k = shape.nope_width + shape.rope_width;
  if (shape.q_rank == 0) {
    sum.add({layers, d, shape.n_heads, d_k});
  } else {
    sum.add({layers, d, shape.q_rank});
    sum.add({layers, shape.q_rank});
    sum.add({layers, shape.q_rank, shape.n_heads, d_k});
  }
  sum.add({layers, d, shape.latent_rank + shape.rope_width});
  sum.add({layers, shape.latent_rank});
  sum.add({layers, shape.latent_rank, shape.n_heads, shape.nope_width + shape.full.d_v});
  sum.add({layers, d, shape.n_heads, shape.full.d_v});
}

void add_mlp(Sum& sum, const DecoderShape& shape, std::uint64_t times, std::uint64_t width) {
  if (width == 0) return;
  sum.add({times, shape.gated ? 3U : 2U, shape.d_model, width});
  if (!shape.mlp_bias) return;
  sum.add({times, shape.gated ? 2U : 1U, width});
  sum.add({times, shape.d_model});
}

}  // namespace

Expected<ParameterCount> count_parameters(const DecoderShape& shape) {
  Sum sum;
  const std::uint64_t d = shape.d_model;
  const std::uint64_t layers = shape.full.layers + shape.local.layers;
  sum.add({shape.vocabulary, d});
  if (!shape.tied) sum.add({shape.vocabulary, d});
  sum.add({shape.learnt_positions, d});
  if (shape.latent_rank != 0) {
    add_latent_attention(sum, shape);
  } else {
    add_attention(sum, shape, shape.full);
  }
  add_attention(sum, shape, shape.local);
  sum.add({layers * shape.norms_per_layer + 1, shape.norm_bias ? 2U : 1U, d});
  add_mlp(sum, shape, shape.dense_layers, shape.dense_width);
  add_mlp(sum, shape, shape.expert_layers, shape.shared_width);
  if (shape.shared_gate) sum.add({shape.expert_layers, d});
  sum.add({shape.expert_layers, d, shape.experts});
  if (shape.router_bias) sum.add({shape.expert_layers, shape.experts});
  Sum active = sum;
  const auto times = checked_product("parameters", {shape.expert_layers, shape.experts});
  ATTN_CHECK(times);
  add_mlp(sum, shape, *times, shape.expert_width);
  add_mlp(active, shape, shape.expert_layers * shape.experts_used, shape.expert_width);
  if (sum.overflowed()) {
    return fail(ErrorCode::too_large, "parameters",
                {"The widths of this model make more than 2^53 parameters, which is more than can "
                 "be counted exactly; one of them must be wrong."});
  }
  return ParameterCount{sum.total(), active.total()};
}

}  // namespace attn
