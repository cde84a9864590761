#include "model/head_patterns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"

namespace attn {
namespace {

struct Target {
  std::size_t row = 0, key = 0;
};

struct Targets {
  std::vector<Target> all;
  std::size_t rows = 0;
};

Targets targets_of(HeadPattern pattern, std::span<const std::int32_t> ids) {
  Targets targets;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const std::size_t before = targets.all.size();
    if (pattern == HeadPattern::previous) targets.all.push_back({i, i - 1});
    if (pattern == HeadPattern::first) targets.all.push_back({i, 0});
    if (pattern == HeadPattern::induction) {
      for (std::size_t j = 0; j + 1 < i; ++j) {
        if (ids[j] == ids[i]) targets.all.push_back({i, j + 1});
      }
    }
    if (targets.all.size() > before) ++targets.rows;
  }
  return targets;
}

/// Which key stands where in a shuffled text, row by row.
class ShuffledKeys {
 public:
  explicit ShuffledKeys(std::size_t n) : begins_(n), keys_(n * (n + 1) / 2) {
    for (std::size_t i = 1; i < n; ++i) begins_[i] = begins_[i - 1] + i;
  }

  void shuffle(SplitMix64& bits) {
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const auto row = std::span(keys_).subspan(begins_[i], i + 1);
      std::iota(row.begin(), row.end(), std::uint16_t{0});
      // The remainder favours no key by more than 2^-56.
      for (std::size_t k = i; k > 0; --k) {
        std::swap(row[k], row[static_cast<std::size_t>(bits.next() % (k + 1))]);
      }
    }
  }

  std::size_t key(const Target& target) const { return keys_[begins_[target.row] + target.key]; }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint16_t> keys_;
};

double score_of(std::span<const float> map, std::size_t n, std::span<const Target> targets,
                std::size_t rows) {
  double sum = 0;
  for (const Target& target : targets) {
    sum += static_cast<double>(map[target.row * n + target.key]);
  }
  return rows == 0 ? 0 : sum / static_cast<double>(rows);
}

/// The scores of all heads for the keys of each pattern, and what luck gives.
PatternSearch search(const HeadMaps& maps, std::span<const Targets> targets,
                     const ShuffleOptions& options) {
  const auto n = as_size(maps.n), n_heads = as_size(maps.n_heads),
             n_layers = as_size(maps.n_layers);
  const std::size_t patterns = targets.size();
  const std::size_t heads = n_layers * n_heads;
  PatternSearch found{.scores = make_tensor3<double>(patterns, n_layers, n_heads),
                      .rows = make_vector<std::int32_t>(patterns),
                      .shuffled_best = make_vector<double>(patterns),
                      .shuffled_mean = make_vector<double>(patterns),
                      .above = make_tensor3<std::uint8_t>(patterns, n_layers, n_heads),
                      .above_count = make_vector<std::int32_t>(patterns),
                      .ranked = make_matrix<std::int32_t>(patterns, heads)};
  std::vector<std::vector<Target>> moved(patterns);
  for (std::size_t p = 0; p < patterns; ++p) {
    moved[p] = targets[p].all;
    found.rows(p) = static_cast<std::int32_t>(targets[p].rows);
    found.shuffled_best(p) = found.shuffled_mean(p) = 0;
    for (std::size_t head = 0; head < heads; ++head) {
      found.scores.data()[p * heads + head] =
          score_of(maps.map(head), n, targets[p].all, targets[p].rows);
    }
  }
  SplitMix64 bits(options.seed);
  ShuffledKeys keys(n);
  for (std::uint64_t shuffle = 0; shuffle < options.shuffles; ++shuffle) {
    keys.shuffle(bits);
    for (std::size_t p = 0; p < patterns; ++p) {
      for (std::size_t t = 0; t < moved[p].size(); ++t) {
        moved[p][t].key = keys.key(targets[p].all[t]);
      }
      double best = 0;
      for (std::size_t head = 0; head < heads; ++head) {
        best = std::max(best, score_of(maps.map(head), n, moved[p], targets[p].rows));
      }
      found.shuffled_best(p) = std::max(found.shuffled_best(p), best);
      found.shuffled_mean(p) += best / static_cast<double>(options.shuffles);
    }
  }
  for (std::size_t p = 0; p < patterns; ++p) {
    const std::span<const double> scores(found.scores.data() + p * heads, heads);
    const std::span<std::int32_t> order(&found.ranked(p, 0), heads);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
      return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
    });
    found.above_count(p) = 0;
    for (std::size_t head = 0; head < heads; ++head) {
      const bool above = scores[head] > found.shuffled_best(p);
      found.above.data()[p * heads + head] = above ? 1 : 0;
      found.above_count(p) += above ? 1 : 0;
    }
  }
  return found;
}

}  // namespace

Expected<void> check_maps(const HeadMaps& maps) {
  ATTN_CHECK(check_count("n_layers", maps.n_layers, 1, max_reading_heads));
  ATTN_CHECK(check_count("n_heads", maps.n_heads, 1, max_reading_heads));
  ATTN_CHECK(check_count("n", maps.n, 1, max_reading_tokens));
  const auto length = checked_product("weights", {maps.n_layers, maps.n_heads, maps.n, maps.n});
  ATTN_CHECK(length);
  if (maps.weights.size() != *length) {
    return fail(ErrorCode::shape_mismatch, "weights",
                {"weights must hold ", *length, " numbers, [n_layers, n_heads, n, n]; it holds ",
                 maps.weights.size(), "."});
  }
  const auto n = as_size(maps.n);
  for (std::size_t at = 0; at < maps.weights.size(); ++at) {
    const auto weight = static_cast<double>(maps.weights[at]);
    if (!std::isfinite(weight)) return not_finite("weights", text({"[", at, "]"}), weight);
    // Rounding may carry a weight of a float32 softmax a little above 1.
    if (weight < 0 || weight > 1.001) {
      return fail(ErrorCode::out_of_range, "weights",
                  {"weights[", at, "] must be from 0 to 1, as a softmax gives them."});
    }
    if (weight > 0 && at % n > at / n % n) {
      return fail(ErrorCode::out_of_range, "weights",
                  {"weights[", at, "] is above 0 for a key after its query; give the maps of a ",
                   "causal model."});
    }
  }
  return {};
}

Expected<PatternSearch> find_patterns(const HeadMaps& maps, std::span<const std::int32_t> ids,
                                      const ShuffleOptions& options) {
  ATTN_CHECK(check_maps(maps));
  ATTN_CHECK(check_count("shuffles", options.shuffles, 1, max_shuffles));
  if (ids.size() != maps.n) {
    return fail(ErrorCode::shape_mismatch, "ids",
                {"ids must hold one number for each of the ", maps.n, " tokens; it holds ",
                 ids.size(), "."});
  }
  std::array<Targets, head_pattern_names.size()> targets;
  for (std::size_t p = 0; p < targets.size(); ++p) {
    targets[p] = targets_of(static_cast<HeadPattern>(p), ids);
  }
  return search(maps, targets, options);
}

Expected<PatternSearch> find_pairs(const HeadMaps& maps, std::span<const std::int32_t> pairs,
                                   const ShuffleOptions& options) {
  ATTN_CHECK(check_maps(maps));
  ATTN_CHECK(check_count("shuffles", options.shuffles, 1, max_shuffles));
  if (pairs.empty() || pairs.size() % 2 != 0) {
    return fail(ErrorCode::shape_mismatch, "pairs",
                {"pairs must hold a query and a key for each pair, one pair at least; it holds ",
                 pairs.size(), " numbers."});
  }
  Targets targets;
  for (std::size_t at = 0; at < pairs.size(); at += 2) {
    const std::int32_t row = pairs[at], key = pairs[at + 1];
    if (row < 0 || static_cast<std::uint64_t>(row) >= maps.n) {
      return fail(ErrorCode::out_of_range, "pairs",
                  {"pairs[", at, "] must be a token of the text, from 0 to ", maps.n - 1, "."});
    }
    if (key < 0 || key > row) {
      return fail(
          ErrorCode::out_of_range, "pairs",
          {"pairs[", at + 1, "] must be a token that its query sees, from 0 to ", row, "."});
    }
    const Target target{.row = static_cast<std::size_t>(row), .key = static_cast<std::size_t>(key)};
    const bool is_new_row = targets.all.empty() || target.row != targets.all.back().row;
    if (!targets.all.empty() &&
        (is_new_row ? target.row < targets.all.back().row : target.key <= targets.all.back().key)) {
      return fail(
          ErrorCode::out_of_range, "pairs",
          {"pairs[", at, "] is out of order: give pairs by query and then by key, each ", "once."});
    }
    if (is_new_row) ++targets.rows;
    targets.all.push_back(target);
  }
  return search(maps, std::span(&targets, 1), options);
}

Expected<FirstTokenShare> first_token_share(const HeadMaps& maps, std::uint64_t first_row) {
  ATTN_CHECK(check_maps(maps));
  ATTN_CHECK(check_count("first_row", first_row, 0, maps.n - 1));
  const auto n = as_size(maps.n), n_heads = as_size(maps.n_heads),
             n_layers = as_size(maps.n_layers);
  const auto first = as_size(first_row);
  const auto rows = static_cast<double>(n - first);
  FirstTokenShare share{.by_layer = make_vector<double>(n_layers)};
  for (std::size_t i = first; i < n; ++i) share.equal_share += 1 / static_cast<double>(i + 1);
  share.equal_share /= rows;
  for (std::size_t layer = 0; layer < n_layers; ++layer) {
    double sum = 0;
    for (std::size_t head = layer * n_heads; head < (layer + 1) * n_heads; ++head) {
      const std::span<const float> map = maps.map(head);
      for (std::size_t i = first; i < n; ++i) sum += static_cast<double>(map[i * n]);
    }
    share.by_layer(layer) = sum / (rows * static_cast<double>(n_heads));
    share.mean += share.by_layer(layer) / static_cast<double>(n_layers);
  }
  return share;
}

}  // namespace attn
