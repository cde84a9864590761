#include "attention/mask_effect.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "attention/scaled_dot_product.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "embedding/positions.hpp"

namespace attn {
namespace {

constexpr std::size_t d_model = 16;
constexpr std::size_t d_k = 8;
constexpr std::size_t d_v = 4;
constexpr std::size_t lab_tokens = 6;
constexpr std::size_t most_tokens = 64;

Matrix<double> drawn(Normals& normals, std::size_t rows, std::size_t columns, double scale) {
  Matrix<double> made = make_matrix<double>(rows, columns);
  for (double& value : made) value = scale * normals.next();
  return made;
}

/// Drawn only as far as a scene needs it: a slider asks again at every step.
struct Layer {
  Matrix<double> X, W_Q, W_K, W_V, P;

  explicit Layer(const MaskScene& scene) {
    Normals normals(scene.seed);
    const Matrix<double> first = drawn(normals, lab_tokens, d_model, 1);
    W_Q = drawn(normals, d_model, d_k, 0.25);
    W_K = drawn(normals, d_model, d_k, 0.25);
    W_V = drawn(normals, d_model, d_v, 0.25);
    const std::size_t tokens = std::max(scene.tokens, lab_tokens);
    const Matrix<double> more = drawn(normals, tokens - lab_tokens, d_model, 1);
    X = make_matrix<double>(tokens, d_model);
    std::copy(more.begin(), more.end(), std::copy(first.begin(), first.end(), X.begin()));
    if (scene.positions == PositionSource::none) return;
    Normals places(scene.seed + 1);
    P = drawn(places, scene.tokens + scene.pads, d_model, 1);
  }
};

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c = make_matrix<double>(a.shape(0), b.shape(1));
  for (std::size_t i = 0; i < a.shape(0); ++i) {
    for (std::size_t j = 0; j < b.shape(1); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < b.shape(0); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  }
  return c;
}

std::span<const double> row_of(const Matrix<double>& matrix, std::size_t i) {
  return {&matrix(i, 0), matrix.shape(1)};
}

Matrix<double> last_rows(const Matrix<double>& matrix, std::size_t rows) {
  Matrix<double> last = make_matrix<double>(rows, matrix.shape(1));
  std::copy(matrix.begin() + static_cast<std::ptrdiff_t>(matrix.size() - last.size()), matrix.end(),
            last.begin());
  return last;
}

/// What the scene puts into a row, and which masks then hold.
struct Row {
  std::vector<std::int32_t> token;
  std::vector<std::uint8_t> is_real;

  Row(const MaskScene& scene, std::size_t pads) {
    const std::size_t before = scene.pads_left ? pads : 0;
    for (std::size_t i = 0; i < scene.tokens + pads; ++i) {
      const bool real = i >= before && i < before + scene.tokens;
      is_real.push_back(real ? 1 : 0);
      token.push_back(real ? static_cast<std::int32_t>(i - before) : -1);
    }
  }

  std::size_t size() const { return token.size(); }

  /// Positions of the real tokens start at 0 wherever they stand; `row` counts the padding before them.
  std::vector<std::int32_t> positions(PositionSource source) const {
    if (source != PositionSource::row) return positions_of(is_real);
    std::vector<std::int32_t> places;
    for (std::size_t i = 0; i < size(); ++i) places.push_back(static_cast<std::int32_t>(i));
    return places;
  }

  Mask mask(const MaskScene& scene, std::size_t n_q) const {
    Mask mask{.causal = scene.causal, .window = scene.window};
    if (scene.hides_padding) mask.key_valid = is_real;
    if (scene.parts_documents) {
      const auto first = static_cast<std::int32_t>(scene.first_document);
      for (const std::int32_t which : token) {
        mask.key_document.push_back(which < 0 ? 2 : which < first ? 0 : 1);
      }
      mask.query_document.assign(mask.key_document.end() - static_cast<std::ptrdiff_t>(n_q),
                                 mask.key_document.end());
    }
    return mask;
  }
};

Matrix<double> inputs(const Layer& layer, const MaskScene& scene, const Row& row) {
  const std::vector<std::int32_t> position = row.positions(scene.positions);
  Matrix<double> x = make_matrix<double>(row.size(), d_model);
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t c = 0; c < d_model; ++c) {
      const bool real = row.is_real[i] != 0;
      x(i, c) = real ? layer.X(static_cast<std::size_t>(row.token[i]), c) : 0;
      if (real && scene.positions != PositionSource::none) {
        x(i, c) += layer.P(static_cast<std::size_t>(position[i]), c);
      }
    }
  }
  return x;
}

Expected<Trace<double>> attend(const Layer& layer, const Matrix<double>& x, std::size_t n_q,
                               const Mask& mask) {
  // NaN is asked for where the scene says so, and has to arrive where nothing hides it.
  const AttentionOptions options{.mask = mask, .trace = false, .require_finite = false};
  return scaled_dot_product(last_rows(product(x, layer.W_Q), n_q), product(x, layer.W_K),
                            product(x, layer.W_V), options);
}

/// NaN when either side is; so a row that became NaN has moved, by NaN.
double largest_step(std::span<const double> from, std::span<const double> to) {
  double largest = 0;
  for (std::size_t c = 0; c < from.size(); ++c) {
    const double step = std::fabs(to[c] - from[c]);
    if (std::isnan(step)) return step;
    largest = std::max(largest, step);
  }
  return largest;
}

Expected<MaskedRun> run_under(const Layer& layer, const MaskScene& scene, const Row& row,
                              std::size_t n_q, bool with_masks) {
  const auto mask_of = [&](const Row& which, std::size_t queries) {
    return with_masks ? which.mask(scene, queries) : Mask{};
  };
  Matrix<double> x = inputs(layer, scene, row);
  auto before = attend(layer, x, n_q, mask_of(row, n_q));
  ATTN_CHECK(before);

  // What is not asked for is as it was, and costs nothing.
  Matrix<double> changed = before->output;
  if (scene.changed > 0) {
    for (std::size_t c = 0; c < d_model; ++c) {
      double& number = x(scene.changed - 1, c);
      number = scene.to_nan ? std::nan("") : number + 1;
    }
    auto after = attend(layer, x, n_q, mask_of(row, n_q));
    ATTN_CHECK(after);
    changed = std::move(after->output);
  }
  Matrix<double> alone;
  if (scene.pads > 0) {
    const Row unpadded(scene, 0);
    auto without = attend(layer, inputs(layer, scene, unpadded), unpadded.size(),
                          mask_of(unpadded, unpadded.size()));
    ATTN_CHECK(without);
    alone = std::move(without->output);
  }

  MaskedRun run;
  for (std::size_t i = 0; i < n_q; ++i) {
    const auto from = row_of(before->output, i);
    const auto to = row_of(changed, i);
    const bool same = std::equal(from.begin(), from.end(), to.begin());
    run.moved.push_back(same ? 0 : 1);
    run.moved_by.push_back(same ? 0 : largest_step(from, to));
    if (!same) ++run.moved_rows;
    const std::int32_t token = row.token[row.size() - n_q + i];
    const bool compared = scene.pads > 0 && token >= 0;
    const double by =
        compared ? largest_step(row_of(alone, static_cast<std::size_t>(token)), from) : 0;
    run.padded_by.push_back(by);
    run.padded_most = std::max(run.padded_most, by);
  }
  run.weights = std::move(before->weights);
  run.output = std::move(before->output);
  return run;
}

Expected<void> check(const MaskScene& scene) {
  ATTN_CHECK(check_count("tokens", scene.tokens, 1, most_tokens));
  ATTN_CHECK(check_count("pads", scene.pads, 0, most_tokens));
  ATTN_CHECK(check_count("first_document", scene.first_document, 0, most_tokens));
  const std::size_t rows = scene.tokens + scene.pads;
  if (scene.asks) ATTN_CHECK(check_count("asks", *scene.asks, 1, rows));
  return check_count("changed", scene.changed, 0, rows);
}

}  // namespace

Expected<MaskEffect> mask_effect(const MaskScene& scene) {
  ATTN_CHECK(check(scene));
  const Row row(scene, scene.pads);
  const std::size_t n = row.size();
  const std::size_t n_q = scene.asks.value_or(n);
  auto allowed = allowed_pairs(row.mask(scene, n_q), n_q, n);
  ATTN_CHECK(allowed);

  const Layer layer(scene);
  auto open = run_under(layer, scene, row, n_q, false);
  ATTN_CHECK(open);
  auto masked = run_under(layer, scene, row, n_q, true);
  ATTN_CHECK(masked);

  MaskEffect effect{.n_q = n_q,
                    .n = n,
                    .token = row.token,
                    .position = row.positions(scene.positions),
                    .allowed = std::move(*allowed),
                    .seen = {},
                    .open = std::move(*open),
                    .masked = std::move(*masked)};
  for (std::size_t i = 0; i < n_q; ++i) {
    std::int32_t seen = 0;
    for (std::size_t j = 0; j < n; ++j) seen += effect.allowed(i, j);
    effect.seen.push_back(seen);
  }
  const Matrix<double> values = product(inputs(layer, scene, row), layer.W_V);
  const auto first = row_of(values, n - n_q);
  effect.first_is_its_value =
      effect.seen[0] == 1 && effect.allowed(0, n - n_q) != 0 &&
      std::equal(first.begin(), first.end(), row_of(effect.masked.output, 0).begin());
  return effect;
}

}  // namespace attn
