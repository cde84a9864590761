#include "attention/influence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/mask.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

std::span<const double> numbers_of(const MultiHeadTrace<double>& trace, std::string_view name) {
  for (const Step<double>& step : trace.steps) {
    if (step.name == name) return step.data;
  }
  return {};
}

/// The Euclidean norm, of numbers whose squares a double does not hold too.
double length_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) return value * value;
    largest = std::max(largest, std::fabs(value));
  }
  if (largest == 0) return 0;
  double squares = 0;
  for (const double value : values) squares += (value / largest) * (value / largest);
  return largest * std::sqrt(squares);
}

/// sum += part W_O^h: what numbers of head h come to in the output. part [head_dim], W_O [d_model, d_model],
/// sum [d_model].
void add_projected(std::span<const double> part, const Matrix<double>& W_O, std::size_t h,
                   std::span<double> sum) {
  for (std::size_t c = 0; c < part.size(); ++c) {
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += part[c] * W_O(h * part.size() + c, m);
  }
}

/// What the outputs of the heads would be if no query saw one of the keys.
class WithoutKey {
 public:
  WithoutKey(std::size_t n, std::size_t head_dim)
      : n_(n), head_dim_(head_dim), shift_(n), sums_(n), weights_(n * n) {}

  /// scaled [n, n] and v [n, head_dim] of one head, allowed [n, n] without the key; outputs [n, head_dim].
  void attend(const double* scaled, const double* v, const Matrix<std::uint8_t>& allowed,
              double* outputs) {
    kernels::softmax_rows_scalar(scaled, allowed.data(), n_, n_, shift_.data(), weights_.data(),
                                 sums_.data(), weights_.data());
    kernels::weigh_rows_scalar(weights_.data(), allowed.data(), v, outputs, n_, n_, head_dim_);
  }

 private:
  std::size_t n_, head_dim_;
  std::vector<double> shift_, sums_, weights_;
};

/// Everything kept, and the scratch: sizes have passed their limits, so this cannot wrap.
std::uint64_t bytes_of(std::uint64_t n, std::uint64_t d_model, std::uint64_t n_heads) {
  return (3 * n_heads * n * n + 4 * n * n + 3 * n * d_model + 2 * n_heads * n) * sizeof(double);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

Expected<Influence> influence(const Matrix<double>& X, const MultiHeadWeights<double>& weights,
                              const MultiHeadOptions& options) {
  const std::size_t n = X.shape(0);
  const std::size_t d_model = X.shape(1);
  ATTN_CHECK(check_count("n", n, 1, max_influence_tokens));
  ATTN_CHECK(check_count("d_model", d_model, 1, max_influence_width));
  MultiHeadOptions finite = options;
  finite.require_finite = true;
  auto trace = multi_head(X, weights, finite);
  ATTN_CHECK(trace);
  const std::size_t n_heads = options.n_heads;
  const std::size_t head_dim = d_model / n_heads;
  ATTN_CHECK(check_bytes("n", bytes_of(n, d_model, n_heads)));

  const std::span<const double> scaled = numbers_of(*trace, "scaled");
  const std::span<const double> values = numbers_of(*trace, "V_heads");
  const std::span<const double> head_outputs = numbers_of(*trace, "head_outputs");
  const auto values_of = [&](std::size_t h) {
    return values.subspan(h / (n_heads / options.n_kv_heads) * n * head_dim, n * head_dim);
  };

  Influence result{.weights = {},
                   .output = {},
                   .value_norms = make_matrix<double>(n_heads, n),
                   .weighted = make_tensor3<double>(n_heads, n, n),
                   .head_changes = make_matrix<double>(n_heads, n),
                   .hidden_in_head = make_tensor3<double>(n_heads, n, n),
                   .hidden = make_matrix<double>(n, n)};
  std::vector<double> moved(d_model);
  const auto length_in_output = [&](std::span<const double> part, std::size_t h) {
    std::fill(moved.begin(), moved.end(), 0.0);
    add_projected(part, weights.W_O, h, moved);
    return length_of(moved);
  };

  const auto allowed = allowed_pairs(options.mask, n, n);
  ATTN_CHECK(allowed);
  const auto is_seen = [&](std::size_t j) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((*allowed)(i, j) != 0) return true;
    }
    return false;
  };
  for (std::size_t h = 0; h < n_heads; ++h) {
    for (std::size_t i = 0; i < n; ++i) {
      // What nobody may see has no length: it may hold anything.
      result.value_norms(h, i) =
          is_seen(i) ? length_in_output(values_of(h).subspan(i * head_dim, head_dim), h) : 0;
      result.head_changes(h, i) =
          length_in_output(head_outputs.subspan((h * n + i) * head_dim, head_dim), h);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        result.weighted(h, i, j) = trace->weights(h, i, j) * result.value_norms(h, j);
      }
    }
  }

  WithoutKey without(n, head_dim);
  std::vector<double> outputs(n * head_dim);
  std::vector<double> difference(head_dim);
  Matrix<double> all_heads = make_matrix<double>(n, d_model);
  for (std::size_t j = 0; j < n; ++j) {
    Matrix<std::uint8_t> rest = *allowed;
    for (std::size_t i = 0; i < n; ++i) rest(i, j) = 0;
    all_heads.fill(0);
    for (std::size_t h = 0; h < n_heads; ++h) {
      without.attend(scaled.data() + h * n * n, values_of(h).data(), rest, outputs.data());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < head_dim; ++c) {
          difference[c] = outputs[i * head_dim + c] - head_outputs[(h * n + i) * head_dim + c];
        }
        result.hidden_in_head(h, i, j) = length_in_output(difference, h);
        add_projected(difference, weights.W_O, h, {&all_heads(i, 0), d_model});
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      result.hidden(i, j) = length_of({&all_heads(i, 0), d_model});
  }
  result.weights = std::move(trace->weights);
  result.output = std::move(trace->output);

  // The distances are made of all else, and NaN or infinity stays in them.
  if (!all_finite(flat(result.value_norms)) || !all_finite(flat(result.head_changes)) ||
      !all_finite(flat(result.hidden_in_head)) || !all_finite(flat(result.hidden)) ||
      !all_finite(flat(result.weighted)) || !all_finite(flat(result.output))) {
    return fail(ErrorCode::not_finite, "output",
                {"The output overflows: values and W_O are too large to be multiplied."});
  }
  return result;
}

}  // namespace attn
