#include "model/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "core/finite.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

Expected<void> check_logits(std::span<const float> logits) {
  if (logits.empty()) return fail(ErrorCode::out_of_range, "logits", {"There are no logits."});
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (std::isfinite(logits[i])) continue;
    return not_finite("logits", text({"[", i, "]"}), static_cast<double>(logits[i]));
  }
  return {};
}

}  // namespace

double loss_of(std::span<const float> logits, std::uint32_t token) {
  const auto largest = static_cast<double>(*std::ranges::max_element(logits));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return largest + std::log(sum) - static_cast<double>(logits[token]);
}

Expected<std::vector<Candidate>> most_probable(std::span<const float> logits, std::uint64_t count,
                                               double temperature) {
  ATTN_CHECK(check_logits(logits));
  ATTN_CHECK(check_count("count", count, 1, max_exact_count));
  if (!(temperature > 0 && temperature <= 100)) {
    return fail(ErrorCode::out_of_range, "temperature",
                {"temperature must be a number above 0 and at most 100."});
  }
  const auto largest = static_cast<double>(*std::ranges::max_element(logits));
  std::vector<Candidate> all(logits.size());
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].token = static_cast<std::uint32_t>(i);
    all[i].probability = std::exp((static_cast<double>(logits[i]) - largest) / temperature);
    sum += all[i].probability;
  }
  // By the logits, which are still told apart where both exponentials are 0.
  const auto before = [&](const Candidate& a, const Candidate& b) {
    const float left = logits[a.token], right = logits[b.token];
    return left != right ? left > right : a.token < b.token;
  };
  const auto kept = as_size(std::min<std::uint64_t>(count, all.size()));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    before);
  all.resize(kept);
  for (Candidate& candidate : all) candidate.probability /= sum;
  return all;
}

Expected<std::uint32_t> next_token(std::span<const float> logits, const SamplingOptions& options,
                                   SplitMix64& bits) {
  ATTN_CHECK(check_logits(logits));
  if (options.temperature == 0) {
    return static_cast<std::uint32_t>(std::ranges::max_element(logits) - logits.begin());
  }
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    return fail(ErrorCode::out_of_range, "top_p",
                {"top_p must be a number above 0 and at most 1."});
  }
  const auto ranked = most_probable(logits, options.top_k == 0 ? logits.size() : options.top_k,
                                    options.temperature);
  ATTN_CHECK(ranked);
  double total = 0;
  for (const Candidate& candidate : *ranked) total += candidate.probability;
  std::size_t kept = 0;
  double mass = 0;
  while (kept < ranked->size() && (kept == 0 || mass < options.top_p * total)) {
    mass += (*ranked)[kept++].probability;
  }
  // 53 bits: a number from 0 to 1, 1 excluded.
  double left = static_cast<double>(bits.next() >> 11) * 0x1p-53 * mass;
  for (std::size_t i = 0; i < kept; ++i) {
    left -= (*ranked)[i].probability;
    if (left < 0) return (*ranked)[i].token;
  }
  return (*ranked)[kept - 1].token;
}

}  // namespace attn
