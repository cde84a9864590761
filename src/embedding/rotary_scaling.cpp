#include "embedding/rotary_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/limits.hpp"
#include "embedding/rotary.hpp"

namespace attn {
namespace {

constexpr std::uint64_t longest = std::uint64_t{1} << 24;
/// Turns within the trained length: YaRN's alpha and beta for LLaMA.
constexpr double yarn_few_turns = 1;
constexpr double yarn_many_turns = 32;

Expected<void> check(std::size_t width, const RotaryOptions& o) {
  if (width % 2 != 0 || width == 0) {
    return fail(
        ErrorCode::shape_mismatch, "width",
        {"width must be even, as numbers are turned in pairs; it is ", std::uint64_t{width}, "."});
  }
  ATTN_CHECK(check_between("base", o.base, 1, 1'000'000'000));
  if (o.base <= 1) {
    return fail(ErrorCode::out_of_range, "base", {"base must be a number above 1."});
  }
  ATTN_CHECK(check_between("factor", o.factor, 1, 1024));
  ATTN_CHECK(check_between("few_turns", o.few_turns, 0, 1000));
  ATTN_CHECK(check_between("many_turns", o.many_turns, 0, 1000));
  if (o.many_turns <= o.few_turns) {
    return fail(ErrorCode::out_of_range, "many_turns", {"many_turns must be above few_turns."});
  }
  ATTN_CHECK(check_between("mscale", o.mscale, 0, 10));
  ATTN_CHECK(check_between("mscale_all_dim", o.mscale_all_dim, 0, 10));
  ATTN_CHECK(check_count("original_length", o.original_length, 1, longest));
  ATTN_CHECK(check_count("length", o.length, 1, longest));
  const bool changes_base =
      o.scaling == RotaryScaling::ntk || o.scaling == RotaryScaling::dynamic_ntk;
  if (changes_base && width < 4) {
    return fail(
        ErrorCode::out_of_range, "width",
        {"width must be at least 4 where the base is scaled; it is ", std::uint64_t{width}, "."});
  }
  return {};
}

/// By what the slowest pair is to turn slower.
double ntk_scale(const RotaryOptions& o) {
  if (o.scaling == RotaryScaling::ntk) return o.factor;
  if (o.length <= o.original_length) return 1;
  const double longer = static_cast<double>(o.length) / static_cast<double>(o.original_length);
  return o.factor * longer - (o.factor - 1);
}

/// YaRN's gamma: 1 for a pair that turns often enough while L tokens pass to keep its speed.
double share_kept(double frequency, const RotaryOptions& o) {
  const bool is_yarn = o.scaling == RotaryScaling::yarn;
  const double few = is_yarn ? yarn_few_turns : o.few_turns;
  const double many = is_yarn ? yarn_many_turns : o.many_turns;
  const double turns = static_cast<double>(o.original_length) * frequency / (2 * std::numbers::pi);
  return std::clamp((turns - few) / (many - few), 0.0, 1.0);
}

double yarn_factor(double factor, double mscale) { return 0.1 * mscale * std::log(factor) + 1; }

}  // namespace

Expected<RotarySchedule> rotary_schedule(std::size_t width, const RotaryOptions& options) {
  ATTN_CHECK(check(width, options));
  RotarySchedule schedule{.base = options.base,
                          .frequencies = {},
                          .kept = std::vector<double>(width / 2, 1.0),
                          .rotary_factor = 1,
                          .softmax_factor = 1,
                          .score_factor = 1};
  const RotaryScaling scaling = options.scaling;
  if (scaling == RotaryScaling::ntk || scaling == RotaryScaling::dynamic_ntk) {
    const auto d = static_cast<double>(width);
    schedule.base *= std::pow(ntk_scale(options), d / (d - 2));
  }
  schedule.frequencies = rotary_frequencies(width, schedule.base);
  if (scaling == RotaryScaling::linear) {
    for (double& frequency : schedule.frequencies) frequency /= options.factor;
  }
  if (scaling == RotaryScaling::yarn || scaling == RotaryScaling::llama3) {
    for (std::size_t i = 0; i < width / 2; ++i) {
      double& frequency = schedule.frequencies[i];
      const double kept = share_kept(frequency, options);
      schedule.kept[i] = kept;
      frequency = (1 - kept) * frequency / options.factor + kept * frequency;
    }
  }
  if (scaling == RotaryScaling::yarn) {
    const double all = yarn_factor(options.factor, options.mscale_all_dim);
    schedule.rotary_factor = yarn_factor(options.factor, options.mscale) / all;
    schedule.softmax_factor = all * all;
    schedule.score_factor =
        schedule.rotary_factor * schedule.rotary_factor * schedule.softmax_factor;
  }
  return schedule;
}

}  // namespace attn
