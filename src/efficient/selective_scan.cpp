#include "efficient/selective_scan.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include "core/finite.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

/// The most channels, and the most numbers of a state.
constexpr std::size_t most_channels = 4096, most_state = 1024;

/// What a token, or a run of tokens, does to a number of a state: h -> keep h + add.
struct Step {
  double keep, add;
};

/// What two runs do, one after the other.
Step joined(const Step& first, const Step& second) {
  return {second.keep * first.keep, second.keep * first.add + second.add};
}

Step step_of(const SelectiveScanInput& input, std::size_t t, std::size_t channel, std::size_t k) {
  const double delta = input.delta(t, channel);
  return {std::exp(delta * input.A(channel, k)), delta * input.x(t, channel) * input.B(t, k)};
}

/// One round of a tree: the second of each pair that is 2 `reach` long is joined with its first, or, on the way down,
/// the first of the next pair with the second of this one.
void round_of(std::vector<Step>& steps, std::size_t begin, std::size_t reach, SelectiveScan& made) {
  for (std::size_t at = begin; at < steps.size(); at += 2 * reach) {
    steps[at] = joined(steps[at - reach], steps[at]);
    ++made.updates;
  }
}

/// In place: each step becomes what all tokens up to its own do together. Returns the rounds.
std::uint64_t scan_in_tree(std::vector<Step>& steps, SelectiveScan& made) {
  std::uint64_t rounds = 0;
  std::size_t reach = 1;
  for (; reach < steps.size(); reach *= 2, ++rounds) round_of(steps, 2 * reach - 1, reach, made);
  for (reach /= 2; reach > 0; reach /= 2) {
    if (3 * reach - 1 >= steps.size()) continue;
    round_of(steps, 3 * reach - 1, reach, made);
    ++rounds;
  }
  return rounds;
}

void scan_in_order(std::vector<Step>& steps, SelectiveScan& made) {
  for (std::size_t t = 1; t < steps.size(); ++t) steps[t] = joined(steps[t - 1], steps[t]);
  made.updates += steps.size() - 1;
}

Expected<void> check_shape(std::string_view field, const Matrix<double>& matrix, std::size_t rows,
                           std::size_t columns) {
  if (matrix.shape(0) != rows || matrix.shape(1) != columns) {
    return fail(ErrorCode::shape_mismatch, field,
                {field, " must be [", rows, ", ", columns, "]: it is [", matrix.shape(0), ", ",
                 matrix.shape(1), "]."});
  }
  return check_finite(field, matrix);
}

Expected<void> check(const SelectiveScanInput& input) {
  const std::size_t n = input.x.shape(0), channels = input.x.shape(1);
  const std::size_t numbers = input.A.shape(1);
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("channels", channels, 1, most_channels));
  ATTN_CHECK(check_count("state", numbers, 1, most_state));
  ATTN_CHECK(check_shape("x", input.x, n, channels));
  ATTN_CHECK(check_shape("delta", input.delta, n, channels));
  ATTN_CHECK(check_shape("A", input.A, channels, numbers));
  ATTN_CHECK(check_shape("B", input.B, n, numbers));
  ATTN_CHECK(check_shape("C", input.C, n, numbers));
  if (input.skip.size() != 0 && input.skip.size() != channels) {
    return fail(ErrorCode::shape_mismatch, "skip",
                {"skip must be one number for each of the ", channels,
                 " channels, or none: there are ", input.skip.size(), "."});
  }
  ATTN_CHECK(check_finite("skip", input.skip));
  for (const double delta : input.delta) {
    if (delta < 0) {
      return fail(ErrorCode::out_of_range, "delta",
                  {"A token cannot move the state backwards: delta must be 0 or more."});
    }
  }
  for (const double rate : input.A) {
    if (rate > 0) {
      return fail(ErrorCode::out_of_range, "A",
                  {"With an A above 0 the state grows without end: A must be 0 or less."});
    }
  }
  return {};
}

}  // namespace

Expected<SelectiveScan> selective_scan(const SelectiveScanInput& input, ScanForm form) {
  ATTN_CHECK(check(input));
  const std::size_t n = input.x.shape(0), channels = input.x.shape(1);
  const std::size_t numbers = input.A.shape(1);
  // Within the limits above nothing here exceeds 2^26.
  const std::uint64_t held = std::uint64_t{n} * (channels + 2) + std::uint64_t{channels} * numbers;
  ATTN_CHECK(check_bytes("n", held * sizeof(double)));

  SelectiveScan made{make_matrix<double>(n, channels), make_matrix<double>(channels, numbers), 0,
                     0};
  made.output.fill(0);
  std::vector<Step> steps(n);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    for (std::size_t k = 0; k < numbers; ++k) {
      for (std::size_t t = 0; t < n; ++t) steps[t] = step_of(input, t, channel, k);
      if (form == ScanForm::parallel) {
        made.rounds = scan_in_tree(steps, made);
      } else {
        scan_in_order(steps, made);
        made.rounds = n - 1;
      }
      // From h = 0 the state is what was added.
      for (std::size_t t = 0; t < n; ++t) made.output(t, channel) += input.C(t, k) * steps[t].add;
      made.state(channel, k) = steps[n - 1].add;
    }
    if (input.skip.size() == 0) continue;
    for (std::size_t t = 0; t < n; ++t) {
      made.output(t, channel) += input.skip(channel) * input.x(t, channel);
    }
  }
  return made;
}

}  // namespace attn
