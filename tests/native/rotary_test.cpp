// Rotary positions: the score depends on the offset alone, in either order of pairs and under every scaling that does
// not ask for the length; what each scaling changes, and by how much.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "embedding/rotary.hpp"
#include "embedding/rotary_clocks.hpp"
#include "embedding/rotary_scaling.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

Vector<double> drawn(Normals& normals, std::size_t n) {
  Vector<double> made = make_vector<double>(n);
  for (double& entry : made) entry = normals.next();
  return made;
}

RotaryClocks clocks_of(const Vector<double>& q, const Vector<double>& k,
                       const ClockOptions& options) {
  return value_of(rotary_clocks(q, k, options));
}

RotarySchedule schedule_of(std::size_t width, const RotaryOptions& options) {
  return value_of(rotary_schedule(width, options));
}

RotaryOptions scaled(RotaryScaling scaling, double factor) {
  RotaryOptions options;
  options.scaling = scaling;
  options.factor = factor;
  return options;
}

double relative(double value, double wanted) { return std::fabs(value / wanted - 1); }

}  // namespace

TEST_CASE("moving query and key by the same amount changes no score, in either order of pairs") {
  Normals normals(3);
  for (const auto pairing : {RotaryPairing::interleaved, RotaryPairing::half_split}) {
    for (const auto scaling :
         {RotaryScaling::none, RotaryScaling::linear, RotaryScaling::ntk, RotaryScaling::yarn}) {
      for (const std::size_t width : {2U, 4U, 8U, 64U}) {
        if (width == 2 && scaling == RotaryScaling::ntk) continue;
        ClockOptions options;
        options.m = 30;
        options.n = 11;
        options.shift = 100'000;
        options.pairing = pairing;
        options.rotary = scaled(scaling, 4);
        const auto clocks = clocks_of(drawn(normals, width), drawn(normals, width), options);
        CHECK(std::fabs(clocks.difference) < 1e-9 * static_cast<double>(width));
        for (std::size_t i = 0; i < clocks.curve.size(); ++i) {
          CHECK(std::fabs(clocks.curve[i] - clocks.start_curve[i]) <
                1e-9 * static_cast<double>(width));
        }
      }
    }
  }
}

TEST_CASE("the two conventions are one: a row in the other order of pairs gives the same score") {
  Normals normals(4);
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  const auto half = [](const Vector<double>& row) {
    Vector<double> moved = make_vector<double>(8);
    for (std::size_t i = 0; i < 4; ++i) {
      moved(i) = row(2 * i);
      moved(i + 4) = row(2 * i + 1);
    }
    return moved;
  };
  ClockOptions options;
  options.m = 9;
  options.n = 2;
  const double one = clocks_of(q, k, options).score;
  options.pairing = RotaryPairing::half_split;
  CHECK(std::fabs(clocks_of(half(q), half(k), options).score - one) < 1e-13);
  // Weights trained for one and run by the other: another score.
  CHECK(std::fabs(clocks_of(q, k, options).score - one) > 1e-3);
}

TEST_CASE("angles of interleaved pairs on half-split ones: the score depends on the place") {
  Normals normals(5);
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  ClockOptions options;
  options.m = 3;
  options.n = 1;
  options.shift = 7;
  options.pairing = RotaryPairing::mixed;
  const auto clocks = clocks_of(q, k, options);
  CHECK(std::fabs(clocks.difference) > 0.1);
  // No rotation: a hand changes its length.
  const double before = std::hypot(q(1), q(5));
  CHECK(std::fabs(std::hypot(clocks.query(1, 0), clocks.query(1, 1)) - before) > 1e-2);
  // Two numbers have one pair, and nothing to mix.
  const auto two = clocks_of(drawn(normals, 2), drawn(normals, 2), options);
  CHECK(std::fabs(two.difference) < 1e-12);
}

TEST_CASE("a hand keeps its length, turns by its frequency, and the terms add up to the score") {
  Normals normals(6);
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  ClockOptions options;
  options.m = 5;
  options.n = 3;
  const auto clocks = clocks_of(q, k, options);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double frequency = std::pow(10000, -0.25 * static_cast<double>(i));
    CHECK(relative(clocks.schedule.frequencies[i], frequency) < 1e-14);
    CHECK(relative(clocks.tokens_per_turn[i] * frequency, 2 * std::acos(-1.0)) < 1e-14);
    const double angle = std::atan2(q(2 * i + 1), q(2 * i)) + 5 * frequency;
    const double length = std::hypot(q(2 * i), q(2 * i + 1));
    CHECK(std::fabs(clocks.query(i, 0) - length * std::cos(angle)) < 1e-13);
    CHECK(std::fabs(clocks.query(i, 1) - length * std::sin(angle)) < 1e-13);
    sum += clocks.terms[i];
  }
  CHECK(std::fabs(sum - clocks.score) < 1e-13);
  CHECK(clocks.difference == 0);
  CHECK(clocks.curve[options.reach + 2] == clocks.score);
}

TEST_CASE("position interpolation divides positions, and is the only one that does") {
  Normals normals(7);
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  ClockOptions options;
  options.m = 20;
  options.n = 4;
  options.rotary = scaled(RotaryScaling::linear, 4);
  const double interpolated = clocks_of(q, k, options).score;
  options.m = 5;
  options.n = 1;
  options.rotary = {};
  CHECK(std::fabs(clocks_of(q, k, options).score - interpolated) < 1e-13);
  for (const auto scaling : {RotaryScaling::ntk, RotaryScaling::dynamic_ntk, RotaryScaling::yarn}) {
    RotaryOptions rotary = scaled(scaling, 4);
    rotary.length = 100'000;
    CHECK(schedule_of(64, rotary).frequencies[0] == 1);
  }
  CHECK(schedule_of(64, scaled(RotaryScaling::linear, 4)).frequencies[0] == 0.25);
}

TEST_CASE("NTK-aware scaling slows the slowest pair by the whole factor") {
  for (const std::size_t width : {4U, 8U, 128U}) {
    const auto plain = schedule_of(width, {});
    const auto ntk = schedule_of(width, scaled(RotaryScaling::ntk, 8));
    CHECK(relative(ntk.frequencies.back() * 8, plain.frequencies.back()) < 1e-12);
    CHECK(relative(ntk.base, 10000 * std::pow(8.0, static_cast<double>(width) /
                                                       (static_cast<double>(width) - 2))) < 1e-13);
    CHECK(ntk.score_factor == 1);
  }
  CHECK(error_of(rotary_schedule(2, scaled(RotaryScaling::ntk, 8))).field == "width");
}

TEST_CASE("dynamic NTK depends on the current length, along the text and not over heads") {
  RotaryOptions options = scaled(RotaryScaling::dynamic_ntk, 2);
  options.original_length = 2048;
  const auto base_at = [&](std::uint64_t length) {
    options.length = length;
    return schedule_of(128, options).base;
  };
  // Nothing until the trained length is passed, whatever the factor.
  for (const std::uint64_t length : {1U, 32U, 2048U}) CHECK(base_at(length) == 10000);
  // s L' / L - (s - 1): 2 x 2 - 1 = 3 at twice the length.
  CHECK(relative(base_at(4096), 10000 * std::pow(3.0, 128.0 / 126)) < 1e-13);
  CHECK(base_at(2049) < base_at(2050));

  // So a query and a key that keep their offset score differently once the text has grown.
  Normals normals(8);
  ClockOptions clock;
  clock.m = 40;
  clock.n = 10;
  clock.shift = 30;
  clock.rotary = options;
  clock.rotary.original_length = 64;
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  CHECK(std::fabs(clocks_of(q, k, clock).difference) > 1e-6);
  clock.shift = 20;
  CHECK(std::fabs(clocks_of(q, k, clock).difference) < 1e-12);
}

TEST_CASE("YaRN keeps fast pairs, interpolates slow ones, and shares between") {
  // In 4,096 tokens the four pairs of a width of 8 turn 652, 65, 6.5 and 0.65 times.
  const auto plain = schedule_of(8, {});
  const auto yarn = schedule_of(8, scaled(RotaryScaling::yarn, 4));
  CHECK(yarn.kept[0] == 1);
  CHECK(yarn.kept[1] == 1);
  const double turns = 4096 * 0.01 / (2 * std::acos(-1.0));
  CHECK(relative(yarn.kept[2], (turns - 1) / 31) < 1e-12);
  CHECK(yarn.kept[3] == 0);
  CHECK(yarn.frequencies[1] == plain.frequencies[1]);
  CHECK(relative(yarn.frequencies[2],
                 plain.frequencies[2] * (yarn.kept[2] + (1 - yarn.kept[2]) / 4)) < 1e-13);
  CHECK(relative(yarn.frequencies[3] * 4, plain.frequencies[3]) < 1e-13);
}

TEST_CASE("Llama 3's turns are those that Hugging Face computes") {
  // transformers 4.46.3, _compute_llama3_parameters in float64, for Llama 3.2's heads.
  RotaryOptions options = scaled(RotaryScaling::llama3, 32);
  options.base = 500'000;
  options.original_length = 8192;
  const RotarySchedule made = schedule_of(64, options);
  const std::pair<std::size_t, double> wanted[] = {
      {0, 1},
      {8, 0.0376060309},
      {14, 0.00321144599},
      {15, 0.00129054793},
      {16, 0.000429556797},
      {17, 9.7082878e-05},
      {18, 1.94616382e-05},
      {31, 9.41830673e-08},
  };
  for (const auto& [pair, frequency] : wanted) {
    CHECK(relative(made.frequencies[pair], frequency) < 1e-8);
  }
  CHECK(made.score_factor == 1);
  options.many_turns = 1;
  CHECK(error_of(rotary_schedule(64, options)).field == "many_turns");
}

TEST_CASE("YaRN's factor: of cosine and sine, or squared of the softmax; the score is the same") {
  const double t = 0.1 * std::log(40.0) + 1;
  RotaryOptions paper = scaled(RotaryScaling::yarn, 40);
  RotaryOptions equal = paper;
  equal.mscale = 1;
  equal.mscale_all_dim = 1;
  const auto on_turns = schedule_of(64, paper);
  const auto on_softmax = schedule_of(64, equal);
  // The reports that disagree mean different quantities: this one is 0.1 ln s + 1 and then 1,
  CHECK(relative(on_turns.rotary_factor, t) < 1e-14);
  CHECK(on_softmax.rotary_factor == 1);
  // and this one 1 and then its square.
  CHECK(on_turns.softmax_factor == 1);
  CHECK(relative(on_softmax.softmax_factor, t * t) < 1e-14);
  CHECK(relative(on_turns.score_factor, on_softmax.score_factor) < 1e-14);

  Normals normals(9);
  const auto q = drawn(normals, 8);
  const auto k = drawn(normals, 8);
  ClockOptions options;
  options.m = 700;
  options.n = 20;
  options.rotary = paper;
  const double one = clocks_of(q, k, options).score;
  options.rotary = equal;
  CHECK(std::fabs(clocks_of(q, k, options).score - one) < 1e-12);
  // 0.707 and 0.707 of DeepSeek-V2: the first is 1 again, the second is smaller.
  equal.mscale = equal.mscale_all_dim = 0.707;
  CHECK(schedule_of(64, equal).rotary_factor == 1);
  CHECK(relative(schedule_of(64, equal).softmax_factor,
                 std::pow(0.1 * 0.707 * std::log(40.0) + 1, 2)) < 1e-14);
  // Nothing to correct when nothing is stretched.
  CHECK(schedule_of(64, scaled(RotaryScaling::yarn, 1)).score_factor == 1);
}

TEST_CASE("what cannot be turned is refused by name") {
  Normals normals(10);
  const auto eight = drawn(normals, 8);
  const auto field = [&](const Vector<double>& q, const Vector<double>& k,
                         const ClockOptions& options) {
    return error_of(rotary_clocks(q, k, options)).field;
  };
  CHECK(field(drawn(normals, 7), drawn(normals, 7), {}) == "q");
  CHECK(field(eight, drawn(normals, 6), {}) == "k");
  CHECK(field(make_vector<double>(0), make_vector<double>(0), {}) == "q");
  CHECK(field(drawn(normals, 258), drawn(normals, 258), {}) == "q");
  Vector<double> holed = eight;
  holed(2) = quiet_nan;
  CHECK(field(eight, holed, {}) == "k");
  const auto changed = [&](auto change) {
    ClockOptions options;
    change(options);
    return field(eight, eight, options);
  };
  CHECK(changed([](ClockOptions& o) { o.m = std::uint64_t{1} << 23; }) == "m");
  CHECK(changed([](ClockOptions& o) { o.reach = 1025; }) == "reach");
  CHECK(changed([](ClockOptions& o) { o.rotary.base = 1; }) == "base");
  CHECK(changed([](ClockOptions& o) { o.rotary.base = quiet_nan; }) == "base");
  CHECK(changed([](ClockOptions& o) { o.rotary.factor = 0.5; }) == "factor");
  CHECK(changed([](ClockOptions& o) { o.rotary.mscale = 11; }) == "mscale");
  CHECK(changed([](ClockOptions& o) { o.rotary.original_length = 0; }) == "original_length");
  CHECK(error_of(rotary_schedule(3, {})).field == "width");
}
