#include "embedding/rotary_clocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "embedding/rotary.hpp"

namespace attn {
namespace {

constexpr std::size_t max_numbers = 256;
constexpr std::uint64_t max_position = std::uint64_t{1} << 22;
constexpr std::size_t max_reach = 1024;

/// See RotaryPairing::mixed. row [2 x turns.size()].
void turn_mixed(std::span<double> row, std::span<const RotaryTurn> turns) {
  const std::size_t half = turns.size();
  for (std::size_t i = 0; i < half; ++i) {
    const double a = row[i];
    const double b = row[i + half];
    const RotaryTurn& first = turns[i / 2];
    const RotaryTurn& second = turns[(i + half) / 2];
    row[i] = a * first.cosine - b * first.sine;
    row[i + half] = a * second.sine + b * second.cosine;
  }
}

/// One way of turning rows.
class Turner {
 public:
  Turner(RotarySchedule schedule, RotaryPairing pairing)
      : schedule_(std::move(schedule)), pairing_(pairing) {}

  std::vector<double> at(const Vector<double>& row, double position) const {
    std::vector<double> turned(row.begin(), row.end());
    const auto turns = rotary_turns(schedule_.frequencies, position, schedule_.rotary_factor);
    switch (pairing_) {
      case RotaryPairing::interleaved:
        turn(turned, turns, RotaryPairs::interleaved);
        break;
      case RotaryPairing::half_split:
        turn(turned, turns, RotaryPairs::half_split);
        break;
      case RotaryPairing::mixed:
        turn_mixed(turned, turns);
        break;
    }
    return turned;
  }

  double score(std::span<const double> q, std::span<const double> k) const {
    double sum = 0;
    for (std::size_t j = 0; j < q.size(); ++j) sum += q[j] * k[j];
    return sum * schedule_.softmax_factor;
  }

  /// By offset, the key at `n`.
  std::vector<double> curve(const Vector<double>& q, const Vector<double>& k, double n,
                            std::size_t reach) const {
    const std::vector<double> key = at(k, n);
    std::vector<double> scores(2 * reach + 1);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double offset = static_cast<double>(i) - static_cast<double>(reach);
      scores[i] = score(at(q, n + offset), key);
    }
    return scores;
  }

  /// The pairs of a row, each as a point.
  Matrix<double> hands(std::span<const double> row) const {
    const std::size_t pairs = row.size() / 2;
    const bool interleaved = pairing_ == RotaryPairing::interleaved;
    Matrix<double> points = make_matrix<double>(pairs, 2);
    for (std::size_t i = 0; i < pairs; ++i) {
      points(i, 0) = row[interleaved ? 2 * i : i];
      points(i, 1) = row[interleaved ? 2 * i + 1 : i + pairs];
    }
    return points;
  }

  const RotarySchedule& schedule() const { return schedule_; }

 private:
  RotarySchedule schedule_;
  RotaryPairing pairing_;
};

double norm(const Vector<double>& row) {
  double sum = 0;
  for (const double entry : row) sum += entry * entry;
  return std::sqrt(sum);
}

Expected<void> check(const Vector<double>& q, const Vector<double>& k, const ClockOptions& o) {
  if (q.size() == 0 || q.size() % 2 != 0) {
    return fail(ErrorCode::shape_mismatch, "q",
                {"q must have an even number of entries, as they are turned in pairs; it has ",
                 q.size(), "."});
  }
  ATTN_CHECK(check_count("q", q.size(), 2, max_numbers));
  if (k.size() != q.size()) {
    return fail(ErrorCode::shape_mismatch, "k",
                {"k must have as many entries as q, ", q.size(), "; it has ", k.size(), "."});
  }
  const bool changes_base =
      o.rotary.scaling == RotaryScaling::ntk || o.rotary.scaling == RotaryScaling::dynamic_ntk;
  if (changes_base && q.size() < 4) {
    return fail(
        ErrorCode::out_of_range, "q",
        {"q must have at least 4 entries where the base is scaled; it has ", q.size(), "."});
  }
  ATTN_CHECK(check_finite("q", q));
  ATTN_CHECK(check_finite("k", k));
  ATTN_CHECK(check_count("m", o.m, 0, max_position));
  ATTN_CHECK(check_count("n", o.n, 0, max_position));
  ATTN_CHECK(check_count("shift", o.shift, 0, max_position));
  ATTN_CHECK(check_count("reach", o.reach, 0, max_reach));
  return {};
}

}  // namespace

Expected<RotaryClocks> rotary_clocks(const Vector<double>& q, const Vector<double>& k,
                                     const ClockOptions& options) {
  ATTN_CHECK(check(q, k, options));
  RotaryOptions rotary = options.rotary;
  rotary.length = std::max(options.m, options.n) + 1;
  const auto start_schedule = rotary_schedule(q.size(), rotary);
  ATTN_CHECK(start_schedule);
  rotary.length += options.shift;
  const auto schedule = rotary_schedule(q.size(), rotary);
  ATTN_CHECK(schedule);
  rotary.scaling = RotaryScaling::none;
  const auto plain_schedule = rotary_schedule(q.size(), rotary);
  ATTN_CHECK(plain_schedule);
  const Turner start(*start_schedule, options.pairing);
  const Turner moved(*schedule, options.pairing);
  const Turner plain(*plain_schedule, options.pairing);

  const auto [m, n, shift] =
      std::array{static_cast<double>(options.m), static_cast<double>(options.n),
                 static_cast<double>(options.shift)};
  const auto start_q = start.at(q, m);
  const auto start_k = start.at(k, n);
  const auto moved_q = moved.at(q, m + shift);
  const auto moved_k = moved.at(k, n + shift);
  RotaryClocks clocks{
      .schedule = *schedule,
      .tokens_per_turn = {},
      .turned = {},
      .query_at = options.m + options.shift,
      .key_at = options.n + options.shift,
      .offset = static_cast<std::int64_t>(options.m) - static_cast<std::int64_t>(options.n),
      .query = moved.hands(moved_q),
      .key = moved.hands(moved_k),
      .query_start = start.hands(start_q),
      .key_start = start.hands(start_k),
      .terms = {},
      .score = moved.score(moved_q, moved_k),
      .start_score = start.score(start_q, start_k),
      .difference = 0,
      .change = 0,
      .curve = moved.curve(q, k, n + shift, options.reach),
      .start_curve = start.curve(q, k, n, options.reach),
      .plain_curve = plain.curve(q, k, n, options.reach)};
  clocks.difference = clocks.score - clocks.start_score;
  const double largest_factor =
      std::max({1.0, start_schedule->score_factor, schedule->score_factor});
  const double rounding = 4e-9 * largest_factor * (1 + norm(q) * norm(k));
  if (std::fabs(clocks.difference) > rounding) clocks.change = clocks.difference > 0 ? 1 : -1;
  for (std::size_t i = 0; i < q.size() / 2; ++i) {
    clocks.tokens_per_turn.push_back(2 * std::numbers::pi / schedule->frequencies[i]);
    clocks.turned.push_back(shift / clocks.tokens_per_turn.back());
    const double term =
        clocks.query(i, 0) * clocks.key(i, 0) + clocks.query(i, 1) * clocks.key(i, 1);
    clocks.terms.push_back(term * schedule->softmax_factor);
  }
  return clocks;
}

}  // namespace attn
