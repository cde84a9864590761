// Latent attention: what is kept is enough for all heads, and at full rank nothing is lost.

#include <string>
#include <vector>

#include "attention/heads.hpp"
#include "embedding/rotary.hpp"
#include "kv_cache/cache.hpp"
#include "kv_cache/latent_attention.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<float> floats(Normals& normals, std::uint64_t count, double scale = 1) {
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& each : made) each = static_cast<float>(scale * normals.next());
  return made;
}

double apart(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double each = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(each <= largest)) largest = each;
  }
  return largest;
}

struct Layer {
  LatentShape shape;
  std::vector<float> W_DKV, W_KR, W_UK, W_UV;

  LatentWeights weights() const { return {W_DKV, W_KR, W_UK, W_UV}; }
};

Layer layer_of(Normals& normals, const LatentShape& shape) {
  const double by_model = 1 / std::sqrt(static_cast<double>(shape.d_model));
  const double by_rank = 1 / std::sqrt(static_cast<double>(shape.latent_rank));
  return {
      shape, floats(normals, shape.latent_rank * shape.d_model, by_model),
      floats(normals, shape.rope_width * shape.d_model, by_model),
      floats(normals, shape.n_heads * (shape.d_k - shape.rope_width) * shape.latent_rank, by_rank),
      floats(normals, shape.n_heads * shape.d_v * shape.latent_rank, by_rank)};
}

KvCache cache_of(const LatentShape& shape, CacheLayout layout = CacheLayout::paged,
                 std::string_view format = "f32") {
  CacheConfig config;
  config.n_heads = shape.n_heads;
  config.d_k = shape.d_k;
  config.latent_rank = shape.latent_rank;
  config.rope_width = shape.rope_width;
  config.layout = layout;
  if (layout == CacheLayout::contiguous) config.capacity = 300;
  config.format = format;
  return value_of(KvCache::make(config));
}

/// A query with its rotary end turned to its position.
std::vector<float> query(Normals& normals, const LatentShape& shape, std::uint64_t position) {
  std::vector<float> q = floats(normals, shape.n_heads * shape.d_k);
  for (std::size_t head = 0; head < shape.n_heads; ++head) {
    const std::size_t end = (head + 1) * static_cast<std::size_t>(shape.d_k);
    const auto width = static_cast<std::size_t>(shape.rope_width);
    REQUIRE(
        rotate_half_split("q", std::span(q).subspan(end - width, width), position, shape.rope_base)
            .has_value());
  }
  return q;
}

std::vector<float> from_latents(KvCache& cache, std::uint64_t sequence, const Layer& layer,
                                const std::vector<float>& q) {
  const LatentShape& shape = layer.shape;
  std::vector<float> queries(static_cast<std::size_t>(shape.n_heads * shape.kept_width()));
  REQUIRE(absorb(shape, layer.weights(), q, queries).has_value());
  std::vector<float> latents(static_cast<std::size_t>(shape.n_heads * shape.latent_rank));
  REQUIRE(cache.attend(sequence, 0, backends().back(), queries, latents, {}).has_value());
  std::vector<float> output(static_cast<std::size_t>(shape.n_heads * shape.d_v));
  REQUIRE(expand(shape, layer.weights(), latents, output).has_value());
  return output;
}

/// Attention over keys and values of every head, K [n, n_heads, d_k].
std::vector<float> from_heads(const LatentShape& shape, const std::vector<float>& q,
                              const std::vector<float>& K, const std::vector<float>& V,
                              std::size_t n) {
  const auto heads = static_cast<std::size_t>(shape.n_heads);
  const auto by_head = [heads, n](const std::vector<float>& from, std::size_t width) {
    std::vector<float> to(from.size());
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t h = 0; h < heads; ++h) {
        std::copy_n(from.data() + (t * heads + h) * width, width, to.data() + (h * n + t) * width);
      }
    }
    return to;
  };
  const std::vector<float> k = by_head(K, static_cast<std::size_t>(shape.d_k));
  const std::vector<float> v = by_head(V, static_cast<std::size_t>(shape.d_v));
  HeadsInput input{.shape = {shape.n_heads, shape.n_heads, 1, n, shape.d_k, shape.d_v, n}};
  input.Q = q;
  input.K = k;
  input.V = v;
  std::vector<float> output(static_cast<std::size_t>(shape.n_heads * shape.d_v));
  REQUIRE(attention_heads(input, Backend::scalar, output, {}).has_value());
  return output;
}

}  // namespace

TEST_CASE("attending to latents is attending to the keys and values that they stand for") {
  Normals normals(1);
  Dice dice(1);
  for (int turn = 0; turn < 20; ++turn) {
    LatentShape shape{.d_model = dice.between(1, 40), .n_heads = dice.between(1, 9)};
    shape.latent_rank = dice.between(1, 40);
    shape.rope_width = 2 * dice.between(0, 8);
    shape.d_k = shape.rope_width + dice.between(1, 20);
    shape.d_v = dice.between(1, 20);
    const Layer layer = layer_of(normals, shape);
    KvCache cache = cache_of(shape, dice.coin() ? CacheLayout::paged : CacheLayout::contiguous);
    const std::uint64_t sequence = value_of(cache.open());
    std::vector<float> all;
    for (std::size_t n = 1; n <= 40; ++n) {
      const std::vector<float> h = floats(normals, shape.d_model);
      std::vector<float> row(static_cast<std::size_t>(shape.kept_width()));
      REQUIRE(compress(shape, layer.weights(), h, 1, n - 1, row).has_value());
      REQUIRE(cache.append(sequence, 1, row, {}).has_value());
      all.insert(all.end(), row.begin(), row.end());
      if (n % 7 != 0 && n != 1) continue;
      const std::vector<float> q = query(normals, shape, n - 1);
      std::vector<float> kept(all.size());
      REQUIRE(cache.read(sequence, 0, kept, {}).has_value());
      CHECK(kept == all);
      std::vector<float> K(n * static_cast<std::size_t>(shape.n_heads * shape.d_k));
      std::vector<float> V(n * static_cast<std::size_t>(shape.n_heads * shape.d_v));
      REQUIRE(reconstruct(shape, layer.weights(), kept, n, K, V).has_value());
      CAPTURE(turn, n, shape.latent_rank, shape.rope_width, shape.d_k);
      CHECK(apart(from_latents(cache, sequence, layer, q), from_heads(shape, q, K, V, n)) < 1e-5);
    }
    const std::uint64_t bytes = (shape.latent_rank + shape.rope_width) * 4;
    CHECK(cache.stats().token_bytes == bytes);
    CHECK(cache.stats().needed_bytes == 40 * bytes);
    CHECK(value_of(cache.table(sequence)).size() == cache.stats().blocks);
  }
}

TEST_CASE("at full rank latent attention is multi-head attention") {
  Normals normals(2);
  // c = h, so that W_UK and W_UV are the projections of any multi-head attention to its keys and
  // values.
  LatentShape shape{
      .d_model = 24, .n_heads = 4, .latent_rank = 24, .rope_width = 0, .d_k = 6, .d_v = 5};
  Layer layer = layer_of(normals, shape);
  std::fill(layer.W_DKV.begin(), layer.W_DKV.end(), 0.0F);
  for (std::size_t i = 0; i < 24; ++i) layer.W_DKV[i * 24 + i] = 1;
  KvCache cache = cache_of(shape);
  const std::uint64_t sequence = value_of(cache.open());
  constexpr std::size_t n = 33;
  const std::vector<float> h = floats(normals, n * 24);
  std::vector<float> rows(n * 24);
  REQUIRE(compress(shape, layer.weights(), h, n, 0, rows).has_value());
  REQUIRE(cache.append(sequence, n, rows, {}).has_value());
  const std::vector<float> q = floats(normals, 4 * 6);
  // Written out: score_j = (W_UK_i h_j) . q_i / sqrt(6), in double.
  std::vector<float> expected;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto project = [&](const std::vector<float>& W, std::size_t width, std::size_t c,
                             std::size_t j) {
      double sum = 0;
      for (std::size_t m = 0; m < 24; ++m) {
        sum +=
            static_cast<double>(W[(i * width + c) * 24 + m]) * static_cast<double>(h[j * 24 + m]);
      }
      return sum;
    };
    std::vector<double> weights(n);
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double score = 0;
      for (std::size_t c = 0; c < 6; ++c) {
        score += static_cast<double>(q[i * 6 + c]) * project(layer.W_UK, 6, c, j);
      }
      weights[j] = std::exp(score / std::sqrt(6.0));
      total += weights[j];
    }
    for (std::size_t c = 0; c < 5; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += weights[j] * project(layer.W_UV, 5, c, j);
      expected.push_back(static_cast<float>(sum / total));
    }
  }
  CHECK(apart(from_latents(cache, sequence, layer, q), expected) < 5e-6);
}

TEST_CASE("a latent cache of fewer bits has the bytes of its two rows, and stays near") {
  Normals normals(3);
  const LatentShape shape{
      .d_model = 64, .n_heads = 8, .latent_rank = 40, .rope_width = 10, .d_k = 26, .d_v = 16};
  const Layer layer = layer_of(normals, shape);
  // 40 numbers: a block of 32 and one of 8; 10 numbers: one block.
  const std::pair<const char*, std::uint64_t> formats[] = {
      {"f32", 200}, {"f16", 100}, {"q8_0", 40 + 4 + 10 + 2}, {"q4_0", 20 + 4 + 5 + 2}};
  std::vector<float> exact;
  const std::vector<float> h = floats(normals, 50 * 64);
  std::vector<float> rows(50 * 50);
  REQUIRE(compress(shape, layer.weights(), h, 50, 0, rows).has_value());
  const std::vector<float> q = query(normals, shape, 49);
  const double tolerance[] = {0, 2e-3, 2e-2, 0.3};
  std::size_t i = 0;
  for (const auto& [format, bytes] : formats) {
    KvCache cache = cache_of(shape, CacheLayout::paged, format);
    CHECK(cache.stats().token_bytes == bytes);
    const std::uint64_t sequence = value_of(cache.open());
    REQUIRE(cache.append(sequence, 50, rows, {}).has_value());
    const std::vector<float> output = from_latents(cache, sequence, layer, q);
    if (exact.empty()) exact = output;
    CAPTURE(format);
    CHECK(apart(output, exact) <= tolerance[i++]);
  }
}

TEST_CASE("a rotary product depends on the distance alone") {
  Normals normals(4);
  const std::vector<float> a = floats(normals, 16);
  const std::vector<float> b = floats(normals, 16);
  const auto product = [&](std::uint64_t m, std::uint64_t n) {
    std::vector<float> x = a;
    std::vector<float> y = b;
    REQUIRE(rotate_half_split("a", x, m, 10000).has_value());
    REQUIRE(rotate_half_split("b", y, n, 10000).has_value());
    double sum = 0;
    for (std::size_t c = 0; c < 16; ++c)
      sum += static_cast<double>(x[c]) * static_cast<double>(y[c]);
    return sum;
  };
  CHECK(std::fabs(product(5, 2) - product(1005, 1002)) < 1e-5);
  CHECK(std::fabs(product(5, 2) - product(5, 3)) > 1e-3);
  std::vector<float> odd(3);
  CHECK(error_of(rotate_half_split("rope_width", odd, 1, 10000)).field == "rope_width");
}

TEST_CASE("what latent attention refuses names the field") {
  Normals normals(5);
  const LatentShape shape{
      .d_model = 8, .n_heads = 2, .latent_rank = 4, .rope_width = 2, .d_k = 6, .d_v = 3};
  const Layer layer = layer_of(normals, shape);
  const auto refused = [&](auto&& change) {
    LatentShape changed = shape;
    change(changed);
    return error_of(check_latent(changed, layer.weights())).field;
  };
  CHECK(refused([](LatentShape& s) { s.d_model = 0; }) == "d_model");
  CHECK(refused([](LatentShape& s) { s.latent_rank = 0; }) == "latent_rank");
  CHECK(refused([](LatentShape& s) { s.latent_rank = 5; }) == "W_DKV");
  CHECK(refused([](LatentShape& s) { s.rope_width = 3; }) == "rope_width");
  CHECK(refused([](LatentShape& s) { s.rope_width = 6; }) == "d_k");
  CHECK(refused([](LatentShape& s) { s.d_v = 4; }) == "W_UV");
  CHECK(refused([](LatentShape& s) { s.rope_base = quiet_nan; }) == "rope_base");
  std::vector<float> h(8);
  std::vector<float> rows(5);
  CHECK(error_of(compress(shape, layer.weights(), h, 1, 0, rows)).field == "rows");
  CHECK(error_of(compress(shape, layer.weights(), h, 2, 0, rows)).field == "h");
  CHECK(error_of(absorb(shape, layer.weights(), h, rows)).field == "q");
  CHECK(error_of(expand(shape, layer.weights(), h, rows)).field == "output");
}
