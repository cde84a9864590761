#include "embedding/position_schemes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "attention/softmax.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "embedding/alibi.hpp"
#include "embedding/rotary.hpp"
#include "embedding/sinusoidal.hpp"

namespace attn {
namespace {

using Sizes = SchemeSizes;

/// What sums of so few numbers may differ by when only their order changes.
constexpr double rounding = 1e-9;

// ---------- orders ----------

std::uint64_t factorial(std::size_t n) {
  std::uint64_t product = 1;
  for (std::size_t i = 2; i <= n; ++i) product *= i;
  return product;
}

/// The order of that number among all of n.
std::vector<std::int32_t> order_of(std::uint64_t number, std::size_t n) {
  std::vector<std::int32_t> left(n);
  std::iota(left.begin(), left.end(), 0);
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t block = factorial(n - 1 - i);
    const auto at = static_cast<std::ptrdiff_t>(number / block);
    number %= block;
    order.push_back(left[static_cast<std::size_t>(at)]);
    left.erase(left.begin() + at);
  }
  return order;
}

std::uint64_t number_of(std::span<const std::int32_t> order) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto smaller_after =
        std::count_if(order.begin() + static_cast<std::ptrdiff_t>(i), order.end(),
                      [&](std::int32_t other) { return other < order[i]; });
    number += static_cast<std::uint64_t>(smaller_after) * factorial(order.size() - 1 - i);
  }
  return number;
}

// ---------- the layer ----------

Matrix<double> drawn(Normals& normals, std::size_t rows, std::size_t columns, double divisor = 1) {
  Matrix<double> made = make_matrix<double>(rows, columns);
  for (double& entry : made) entry = normals.next() / divisor;
  return made;
}

/// Row x times W: [columns of W].
std::vector<double> projected(std::span<const double> x, const Matrix<double>& W) {
  std::vector<double> sums(W.shape(1), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += x[i] * W(i, j);
  }
  return sums;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class Layer {
 public:
  Layer(std::size_t n, std::uint64_t seed, std::size_t positions, double slope,
        Matrix<double> sines)
      : normals_(seed),
        words_(drawn(normals_, n, Sizes::d_model)),
        W_Q_(drawn(normals_, Sizes::d_model, Sizes::d_k, 4)),
        W_K_(drawn(normals_, Sizes::d_model, Sizes::d_k, 4)),
        W_V_(drawn(normals_, Sizes::d_model, Sizes::d_v, 4)),
        table_(drawn(normals_, positions, Sizes::d_model)),
        sines_(std::move(sines)),
        frequencies_(rotary_frequencies(Sizes::d_k, 10000)),
        slope_(slope) {}

  std::vector<double> query(PositionScheme scheme, std::size_t word, std::size_t at) const {
    return turned(scheme, projected(placed(scheme, word, at), W_Q_), at);
  }
  std::vector<double> key(PositionScheme scheme, std::size_t word, std::size_t at) const {
    return turned(scheme, projected(placed(scheme, word, at), W_K_), at);
  }
  std::vector<double> value(PositionScheme scheme, std::size_t word, std::size_t at) const {
    return projected(placed(scheme, word, at), W_V_);
  }

  /// Of a query and a key so many places apart.
  double score(PositionScheme scheme, std::span<const double> q, std::span<const double> k,
               double distance) const {
    const double scaled = dot(q, k) / std::sqrt(static_cast<double>(Sizes::d_k));
    return scheme == PositionScheme::alibi ? scaled - slope_ * distance : scaled;
  }

 private:
  std::vector<double> placed(PositionScheme scheme, std::size_t word, std::size_t at) const {
    std::vector<double> x(&words_(word, 0), &words_(word, 0) + Sizes::d_model);
    const bool adds = scheme == PositionScheme::sinusoidal || scheme == PositionScheme::learned;
    if (!adds) return x;
    const Matrix<double>& P = scheme == PositionScheme::sinusoidal ? sines_ : table_;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += P(at, j);
    return x;
  }

  std::vector<double> turned(PositionScheme scheme, std::vector<double> row, std::size_t at) const {
    if (scheme == PositionScheme::rope) {
      turn(row, rotary_turns(frequencies_, static_cast<double>(at)), RotaryPairs::interleaved);
    }
    return row;
  }

  Normals normals_;
  Matrix<double> words_, W_Q_, W_K_, W_V_, table_, sines_;
  std::vector<double> frequencies_;
  double slope_;
};

/// The output of each place, [n, d_v].
Expected<Matrix<double>> attend(const Layer& layer, PositionScheme scheme,
                                std::span<const std::int32_t> ids, bool causal) {
  const std::size_t n = ids.size();
  std::vector<std::vector<double>> q, k, v;
  for (std::size_t i = 0; i < n; ++i) {
    const auto word = static_cast<std::size_t>(ids[i]);
    q.push_back(layer.query(scheme, word, i));
    k.push_back(layer.key(scheme, word, i));
    v.push_back(layer.value(scheme, word, i));
  }
  Matrix<double> scores = make_matrix<double>(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double apart = std::fabs(static_cast<double>(i) - static_cast<double>(j));
      scores(i, j) = layer.score(scheme, q[i], k[j], apart);
    }
  }
  Mask mask;
  mask.causal = causal;
  const auto trace = softmax(scores, mask);
  ATTN_CHECK(trace);
  Matrix<double> output = make_matrix<double>(n, Sizes::d_v);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < Sizes::d_v; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += trace->weights(i, j) * v[j][c];
      output(i, c) = sum;
    }
  }
  return output;
}

/// [reach + 1] The first word everywhere, its query at `at`.
std::vector<double> scores_back(const Layer& layer, PositionScheme scheme, std::size_t word,
                                std::size_t at, std::size_t reach) {
  const auto q = layer.query(scheme, word, at);
  std::vector<double> scores(reach + 1);
  for (std::size_t back = 0; back <= reach; ++back) {
    scores[back] =
        layer.score(scheme, q, layer.key(scheme, word, at - back), static_cast<double>(back));
  }
  return scores;
}

Expected<void> check(std::span<const std::int32_t> ids, const OrderOptions& o) {
  const std::size_t n = ids.size();
  if (n < 2 || n > Sizes::most_words) {
    return fail(n < 2 ? ErrorCode::out_of_range : ErrorCode::too_large, "ids",
                {"A sentence must have 2 to ", Sizes::most_words, " words; it has ", n, "."});
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= n) {
      return fail(ErrorCode::out_of_range, text({"ids[", i, "]"}),
                  {"ids[", i, "] must be 0 to ", n - 1, "; it is ", ids[i], "."});
    }
  }
  ATTN_CHECK(check_count("alibi_head", o.alibi_head, 1, Sizes::alibi_heads));
  ATTN_CHECK(check_count("query_at", o.query_at, 0, Sizes::n_positions - 1));
  ATTN_CHECK(check_count("reach", o.reach, 0, o.query_at));
  return {};
}

}  // namespace

Expected<OrderSeen> order_seen(std::span<const std::int32_t> ids, const OrderOptions& options) {
  ATTN_CHECK(check(ids, options));
  const std::size_t n = ids.size();
  const std::size_t positions = std::max(n, options.query_at + 1);
  const auto sines = sinusoidal_positions(positions, Sizes::d_model);
  ATTN_CHECK(sines);
  const auto slopes = alibi_slopes(Sizes::alibi_heads);
  ATTN_CHECK(slopes);
  const double slope = (*slopes)[options.alibi_head - 1];
  const Layer layer(n, options.seed, positions, slope, *sines);

  const std::uint64_t last = factorial(n) - 1;
  const std::size_t schemes = position_schemes.size();
  OrderSeen seen{.arrangement = options.arrangement % (last + 1),
                 .last_arrangement = last,
                 .order = {},
                 .swaps = {},
                 .change_of_word = make_matrix<double>(schemes, n),
                 .change = {},
                 .notices = {},
                 .slope = slope,
                 .scores = make_matrix<double>(schemes, options.reach + 1),
                 .start_scores = make_matrix<double>(schemes, options.reach + 1),
                 .moved = {},
                 .moves = {}};
  seen.order = order_of(seen.arrangement, n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    std::vector<std::int32_t> exchanged = seen.order;
    std::swap(exchanged[i], exchanged[i + 1]);
    seen.swaps.push_back(static_cast<std::int32_t>(number_of(exchanged)));
  }
  std::vector<std::int32_t> shuffled;
  for (const std::int32_t from : seen.order)
    shuffled.push_back(ids[static_cast<std::size_t>(from)]);

  for (std::size_t s = 0; s < schemes; ++s) {
    const PositionScheme scheme = position_schemes[s];
    const auto before = attend(layer, scheme, ids, options.causal);
    ATTN_CHECK(before);
    const auto after = attend(layer, scheme, shuffled, options.causal);
    ATTN_CHECK(after);
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double largest = 0;
      for (std::size_t c = 0; c < Sizes::d_v; ++c) {
        const auto from = static_cast<std::size_t>(seen.order[i]);
        largest = std::max(largest, std::fabs((*after)(i, c) - (*before)(from, c)));
      }
      seen.change_of_word(s, i) = largest;
      change = std::max(change, largest);
    }
    seen.change.push_back(change);
    seen.notices.push_back(change > rounding ? 1 : 0);

    const auto word = static_cast<std::size_t>(ids[0]);
    const auto scores = scores_back(layer, scheme, word, options.query_at, options.reach);
    const auto start = scores_back(layer, scheme, word, options.reach, options.reach);
    double moved = 0;
    for (std::size_t back = 0; back <= options.reach; ++back) {
      seen.scores(s, back) = scores[back];
      seen.start_scores(s, back) = start[back];
      moved = std::max(moved, std::fabs(scores[back] - start[back]));
    }
    seen.moved.push_back(moved);
    seen.moves.push_back(moved > rounding ? 1 : 0);
  }
  return seen;
}

}  // namespace attn
