#include "recurrence/reach.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/scaled_dot_product.hpp"
#include "core/limits.hpp"
#include "core/quantile.hpp"
#include "core/text.hpp"
#include "recurrence/lstm.hpp"
#include "recurrence/path.hpp"
#include "recurrence/plain_rnn.hpp"

namespace attn {
namespace {

constexpr std::size_t H = RecurrenceSizes::hidden;

/// Rows are what is told, columns seeds; each row is left sorted.
void add_quartiles(Matrix<double>& told, Spread& spread) {
  const std::size_t seeds = told.shape(1);
  for (std::size_t k = 0; k < told.shape(0); ++k) {
    const std::span<double> values(&told(k, 0), seeds);
    std::ranges::sort(values);
    spread.lower.push_back(quantile(values, 0.25));
    spread.median.push_back(quantile(values, 0.5));
    spread.upper.push_back(quantile(values, 0.75));
  }
}

Expected<void> check(const ReachOptions& options, std::span<const std::int32_t> lengths) {
  ATTN_CHECK(check_count("n", options.n, 1, max_tokens));
  ATTN_CHECK(check_count("lengths", lengths.size(), 0, max_reach_lengths));
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const auto length = static_cast<std::uint64_t>(std::max(lengths[k], 0));
    ATTN_CHECK(check_count(text({"lengths[", k, "]"}), length, 1, max_tokens));
  }
  ATTN_CHECK(check_between("scale", options.scale, 0, 4));
  ATTN_CHECK(check_between("forget_gate", options.forget_gate, 0, 1));
  ATTN_CHECK(check_between("forget_bias", options.forget_bias, -20, 20));
  return check_count("seeds", options.seeds, 0, max_reach_seeds);
}

}  // namespace

Expected<std::vector<double>> attention_norms(std::size_t n) {
  Matrix<double> Q = make_matrix<double>(1, 1);
  Matrix<double> K = make_matrix<double>(n, 1);
  Matrix<double> V = make_matrix<double>(n, H);
  Matrix<double> dO = make_matrix<double>(1, H);
  Q.fill(0);
  K.fill(0);
  V.fill(0);
  dO.fill(equal_parts()[0]);
  const auto gradients = scaled_dot_product_backward(Q, K, V, dO);
  ATTN_CHECK(gradients);
  std::vector<double> norms;
  norms.reserve(n);
  for (std::size_t token = n; token > 0; --token) {
    norms.push_back(norm_of(std::span<const double>(&gradients->dV(token - 1, 0), H)));
  }
  return norms;
}

Expected<Reach> gradient_reach(const ReachOptions& options, std::span<const std::int32_t> lengths) {
  ATTN_CHECK(check(options, lengths));
  const std::size_t n = options.n;
  std::size_t longest = n;
  for (const std::int32_t length : lengths) {
    longest = std::max(longest, static_cast<std::size_t>(length));
  }
  std::uint64_t steps = n;
  for (const std::int32_t length : lengths) steps += static_cast<std::uint64_t>(length);
  ATTN_CHECK(check_count("lengths", (options.seeds + 1) * steps, 1, max_reach_steps));
  const auto spread =
      checked_product("seeds", {sizeof(double), n + lengths.size(), options.seeds + 8});
  ATTN_CHECK(spread);
  const auto run = checked_product("lengths", {sizeof(double), longest, H, 8});
  ATTN_CHECK(run);
  ATTN_CHECK(check_bytes("seeds", *spread + *run));

  Reach reach;
  const auto gates_for = [&options](std::size_t tokens) {
    return lstm_forget_gates(options.seed, options.scale, options.forget_bias, tokens);
  };
  const PlainRnn plain(options.seed, options.scale, longest);
  reach.curves.plain = plain.gradient_norms(n);
  reach.curves.cell_path = cell_path_norms(constant_gates(options.forget_gate, n));
  reach.curves.lstm = cell_path_norms(gates_for(n));
  auto attention = attention_norms(n);
  ATTN_CHECK(attention);
  reach.curves.attention = std::move(*attention);
  for (const std::int32_t length : lengths) {
    const auto last = static_cast<std::size_t>(length);
    reach.ends.plain.push_back(plain.gradient_norms(last).back());
    reach.ends.cell_path.push_back(
        cell_path_norms(constant_gates(options.forget_gate, last)).back());
    reach.ends.lstm.push_back(cell_path_norms(gates_for(last)).back());
    const auto mean = attention_norms(last);
    ATTN_CHECK(mean);
    reach.ends.attention.push_back(mean->back());
  }

  if (options.seeds > 0) {
    Matrix<double> along = make_matrix<double>(n, options.seeds);
    Matrix<double> at_end = make_matrix<double>(lengths.size(), options.seeds);
    for (std::size_t s = 0; s < options.seeds; ++s) {
      const PlainRnn other(s + 1, options.scale, longest);
      const std::vector<double> norms = other.gradient_norms(n);
      for (std::size_t d = 0; d < n; ++d) along(d, s) = norms[d];
      for (std::size_t k = 0; k < lengths.size(); ++k) {
        at_end(k, s) = other.gradient_norms(static_cast<std::size_t>(lengths[k])).back();
      }
    }
    add_quartiles(along, reach.curves.spread);
    add_quartiles(at_end, reach.ends.spread);
  }
  for (const auto* norms : {&reach.curves.plain, &reach.curves.spread.upper, &reach.ends.plain,
                            &reach.ends.spread.upper}) {
    for (const double norm : *norms) {
      if (std::isfinite(norm)) continue;
      return fail(ErrorCode::not_finite, "scale",
                  {"With this scale a gradient grows beyond every number: choose a smaller one."});
    }
  }
  return reach;
}

}  // namespace attn
