#include "kv_cache/latent_attention.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "attention/heads.hpp"
#include "core/limits.hpp"
#include "embedding/rotary.hpp"
#include "kernels/scalar/matmul.hpp"

namespace attn {
namespace {

/// The sizes in the machine's width, once they have been checked.
struct Sizes {
  explicit Sizes(const LatentShape& shape)
      : model(static_cast<std::size_t>(shape.d_model)),
        heads(static_cast<std::size_t>(shape.n_heads)),
        rank(static_cast<std::size_t>(shape.latent_rank)),
        rope(static_cast<std::size_t>(shape.rope_width)),
        plain(static_cast<std::size_t>(shape.d_k - shape.rope_width)),
        value(static_cast<std::size_t>(shape.d_v)),
        kept(rank + rope) {}
  std::size_t model, heads, rank, rope, plain, value, kept;
};

Expected<void> check(std::string_view field, std::size_t given,
                     std::initializer_list<std::uint64_t> sizes) {
  const auto wanted = checked_product(field, sizes);
  ATTN_CHECK(wanted);
  return check_length(field, given, *wanted);
}

}  // namespace

Expected<void> check_latent(const LatentShape& shape, const LatentWeights& weights) {
  ATTN_CHECK(check_count("d_model", shape.d_model, 1, max_width));
  ATTN_CHECK(check_count("n_heads", shape.n_heads, 1, max_heads));
  ATTN_CHECK(check_count("latent_rank", shape.latent_rank, 1, max_width));
  ATTN_CHECK(check_count("rope_width", shape.rope_width, 0, max_width));
  ATTN_CHECK(check_count("d_k", shape.d_k, shape.rope_width + 1, max_width));
  ATTN_CHECK(check_count("d_v", shape.d_v, 1, max_width));
  if (shape.rope_width % 2 != 0) {
    return fail(
        ErrorCode::shape_mismatch, "rope_width",
        {"rope_width must be even, as numbers are turned in pairs; it is ", shape.rope_width, "."});
  }
  if (!std::isfinite(shape.rope_base) || shape.rope_base <= 1) {
    return fail(ErrorCode::out_of_range, "rope_base", {"rope_base must be a number above 1."});
  }
  ATTN_CHECK(check("W_DKV", weights.W_DKV.size(), {shape.latent_rank, shape.d_model}));
  ATTN_CHECK(check("W_KR", weights.W_KR.size(), {shape.rope_width, shape.d_model}));
  ATTN_CHECK(check("W_UK", weights.W_UK.size(),
                   {shape.n_heads, shape.d_k - shape.rope_width, shape.latent_rank}));
  return check("W_UV", weights.W_UV.size(), {shape.n_heads, shape.d_v, shape.latent_rank});
}

Expected<void> compress(const LatentShape& shape, const LatentWeights& weights,
                        std::span<const float> h, std::uint64_t count, std::uint64_t first,
                        std::span<float> rows) {
  ATTN_CHECK(check_latent(shape, weights));
  ATTN_CHECK(check("h", h.size(), {count, shape.d_model}));
  ATTN_CHECK(check("rows", rows.size(), {count, shape.kept_width()}));
  const Sizes s(shape);
  for (std::size_t t = 0; t < static_cast<std::size_t>(count); ++t) {
    const float* token = h.data() + t * s.model;
    float* row = rows.data() + t * s.kept;
    kernels::matmul_transposed_scalar(token, weights.W_DKV.data(), row, 1, s.model, s.rank);
    kernels::matmul_transposed_scalar(token, weights.W_KR.data(), row + s.rank, 1, s.model, s.rope);
    ATTN_CHECK(rotate_half_split("rope_width", rows.subspan(t * s.kept + s.rank, s.rope), first + t,
                                 shape.rope_base));
  }
  return {};
}

Expected<void> absorb(const LatentShape& shape, const LatentWeights& weights,
                      std::span<const float> q, std::span<float> queries) {
  ATTN_CHECK(check_latent(shape, weights));
  ATTN_CHECK(check("q", q.size(), {shape.n_heads, shape.d_k}));
  ATTN_CHECK(check("queries", queries.size(), {shape.n_heads, shape.kept_width()}));
  const Sizes s(shape);
  for (std::size_t head = 0; head < s.heads; ++head) {
    const float* query = q.data() + head * (s.plain + s.rope);
    float* absorbed = queries.data() + head * s.kept;
    kernels::matmul_scalar(query, weights.W_UK.data() + head * s.plain * s.rank, absorbed, 1,
                           s.plain, s.rank);
    std::copy_n(query + s.plain, s.rope, absorbed + s.rank);
  }
  return {};
}

Expected<void> expand(const LatentShape& shape, const LatentWeights& weights,
                      std::span<const float> latents, std::span<float> output) {
  ATTN_CHECK(check_latent(shape, weights));
  ATTN_CHECK(check("latents", latents.size(), {shape.n_heads, shape.latent_rank}));
  ATTN_CHECK(check("output", output.size(), {shape.n_heads, shape.d_v}));
  const Sizes s(shape);
  for (std::size_t head = 0; head < s.heads; ++head) {
    kernels::matmul_transposed_scalar(latents.data() + head * s.rank,
                                      weights.W_UV.data() + head * s.value * s.rank,
                                      output.data() + head * s.value, 1, s.rank, s.value);
  }
  return {};
}

Expected<void> reconstruct(const LatentShape& shape, const LatentWeights& weights,
                           std::span<const float> rows, std::uint64_t count, std::span<float> K,
                           std::span<float> V) {
  ATTN_CHECK(check_latent(shape, weights));
  ATTN_CHECK(check("rows", rows.size(), {count, shape.kept_width()}));
  ATTN_CHECK(check("K", K.size(), {count, shape.n_heads, shape.d_k}));
  ATTN_CHECK(check("V", V.size(), {count, shape.n_heads, shape.d_v}));
  const Sizes s(shape);
  for (std::size_t t = 0; t < static_cast<std::size_t>(count); ++t) {
    const float* latent = rows.data() + t * s.kept;
    for (std::size_t head = 0; head < s.heads; ++head) {
      float* key = K.data() + (t * s.heads + head) * (s.plain + s.rope);
      kernels::matmul_transposed_scalar(latent, weights.W_UK.data() + head * s.plain * s.rank, key,
                                        1, s.rank, s.plain);
      std::copy_n(latent + s.rank, s.rope, key + s.plain);
      kernels::matmul_transposed_scalar(latent, weights.W_UV.data() + head * s.value * s.rank,
                                        V.data() + (t * s.heads + head) * s.value, 1, s.rank,
                                        s.value);
    }
  }
  return {};
}

}  // namespace attn
