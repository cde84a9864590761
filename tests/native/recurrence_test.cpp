#include <array>
#include <numeric>

#include "core/limits.hpp"
#include "recurrence/lstm.hpp"
#include "recurrence/orthogonal.hpp"
#include "recurrence/plain_rnn.hpp"
#include "recurrence/reach.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr std::size_t H = 8;

Reach reach_of(const ReachOptions& options, std::vector<std::int32_t> lengths = {}) {
  return value_of(gradient_reach(options, lengths));
}

double relative(double value, double wanted) { return std::fabs(value / wanted - 1); }

}  // namespace

TEST_CASE("the recurrent matrix is orthogonal, times its scale") {
  Normals normals(7);
  const Matrix<double> W = scaled_orthogonal(normals, H, 1.5);
  for (std::size_t i = 0; i < H; ++i) {
    for (std::size_t j = 0; j < H; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < H; ++k) dot += W(i, k) * W(j, k);
      CHECK(std::fabs(dot - (i == j ? 2.25 : 0)) < 1e-12);
    }
  }
}

TEST_CASE("the gradient of a plain RNN is what its loss does when a state is moved") {
  const std::size_t last = 9;
  const std::size_t to = 4;
  const PlainRnn rnn(11, 1.2, last);
  Normals stream(11);
  for (std::size_t k = 0; k < H * H; ++k) stream.next();
  Matrix<double> x = make_matrix<double>(last, H);
  for (double& entry : x) entry = 0.2 * stream.next();
  // From h_to on, written anew here; L = (1, ..., 1) . h_last / sqrt(8).
  const auto loss = [&](std::vector<double> h) {
    for (std::size_t t = to; t < last; ++t) {
      std::vector<double> next(H);
      for (std::size_t i = 0; i < H; ++i) {
        double sum = x(t, i);
        for (std::size_t j = 0; j < H; ++j) sum += rnn.W()(i, j) * h[j];
        next[i] = std::tanh(sum);
      }
      h = next;
    }
    return std::accumulate(h.begin(), h.end(), 0.0) / std::sqrt(8.0);
  };
  std::array<double, H> gradient;
  gradient.fill(1 / std::sqrt(8.0));
  for (std::size_t t = last; t > to; --t) rnn.step_back(t, gradient);
  for (std::size_t i = 0; i < H; ++i) {
    std::vector<double> h(H);
    for (std::size_t j = 0; j < H; ++j) h[j] = rnn.h()(to - 1, j);
    const double at = h[i];
    h[i] = at + 1e-5;
    const double above = loss(h);
    h[i] = at - 1e-5;
    CHECK(std::fabs((above - loss(h)) / 2e-5 - gradient[i]) < 1e-9);
  }
}

TEST_CASE(
    "the gradient along the cells is what the loss does when c_0 is moved and the gates stay") {
  const std::size_t n = 12;
  const Matrix<double> gates = lstm_forget_gates(5, 1.1, 1, n);
  const auto loss = [&](std::size_t moved, double by) {
    double sum = 0;
    for (std::size_t i = 0; i < H; ++i) {
      double c = i == moved ? by : 0;
      for (std::size_t t = 0; t < n; ++t) c = gates(t, i) * c + 0.01;
      sum += c / std::sqrt(8.0);
    }
    return sum;
  };
  double squares = 0;
  for (std::size_t i = 0; i < H; ++i) {
    const double slope = (loss(i, 1e-4) - loss(i, -1e-4)) / 2e-4;
    squares += slope * slope;
  }
  const std::vector<double> norms = cell_path_norms(gates);
  REQUIRE(norms.size() == n + 1);
  CHECK(relative(norms.back(), std::sqrt(squares)) < 1e-8);
}

TEST_CASE("a cell path has one factor for each token, and each is the gate") {
  for (const double gate : {0.0, 0.5, 0.95, 1.0}) {
    const std::vector<double> norms = cell_path_norms(constant_gates(gate, 20));
    REQUIRE(norms.size() == 21);
    CHECK(relative(norms[0], 1) < 1e-15);
    for (std::size_t d = 1; d < norms.size(); ++d) {
      CHECK(std::fabs(norms[d] - gate * norms[d - 1]) < 1e-15);
    }
  }
}

TEST_CASE("forget gates stand near the sigmoid of their bias, whatever the LSTM reads") {
  for (const double bias : {1.0, 3.0, 5.0}) {
    const Matrix<double> gates = lstm_forget_gates(48, 0, bias, 200);
    const auto [least, most] = std::minmax_element(gates.begin(), gates.end());
    const double middle = 1 / (1 + std::exp(-bias));
    CHECK(*least < middle);
    CHECK(*most > middle);
    CHECK(*most - *least < 0.3);
  }
  const Matrix<double> whole = lstm_forget_gates(48, 1, 3, 32);
  CHECK(same(rows_of(whole, 0, 8), lstm_forget_gates(48, 1, 3, 8)));
}

TEST_CASE("attention gives every token 1/n, near or far") {
  for (const std::size_t n : {1u, 8u, 64u, 512u}) {
    const std::vector<double> norms = value_of(attention_norms(n));
    REQUIRE(norms.size() == n);
    for (const double norm : norms) CHECK(relative(norm * static_cast<double>(n), 1) < 1e-13);
  }
}

TEST_CASE("a gradient starts at norm 1, and without scale it does not leave its token") {
  const ReachCurves curves = reach_of({.n = 16, .scale = 0, .seeds = 3}).curves;
  for (const auto* norms :
       {&curves.plain, &curves.cell_path, &curves.lstm, &curves.spread.median}) {
    CHECK(relative(norms->front(), 1) < 1e-15);
  }
  for (std::size_t d = 1; d < 16; ++d) CHECK(curves.plain[d] == 0);
}

TEST_CASE("a gradient too small for its squares still has a norm") {
  const ReachCurves curves = reach_of({.n = 512, .scale = 0.5, .seeds = 0}).curves;
  CHECK(curves.plain.back() > 0);
  CHECK(curves.plain.back() < 1e-160);
}

TEST_CASE("a plain RNN with scale at most 1 only shrinks its gradient: tanh' is at most 1") {
  for (const double scale : {0.9, 1.0}) {
    const ReachCurves curves = reach_of({.n = 512, .scale = scale, .seeds = 10}).curves;
    for (std::size_t d = 1; d < 512; ++d) {
      CHECK(curves.plain[d] <= scale * curves.plain[d - 1]);
      CHECK(curves.spread.lower[d] <= curves.spread.median[d]);
      CHECK(curves.spread.median[d] <= curves.spread.upper[d]);
    }
  }
}

TEST_CASE(
    "the ends are the ends of runs of their own, and a run is the beginning of a longer one") {
  const Reach both = reach_of({.n = 512, .seeds = 5}, {64, 512, 1});
  const Reach alone = reach_of({.n = 64, .seeds = 5});
  CHECK(both.ends.plain[0] == alone.curves.plain.back());
  CHECK(both.ends.lstm[0] == alone.curves.lstm.back());
  CHECK(both.ends.cell_path[0] == alone.curves.cell_path.back());
  CHECK(both.ends.attention[0] == alone.curves.attention.back());
  CHECK(both.ends.spread.upper[0] == alone.curves.spread.upper.back());
  CHECK(both.ends.plain[1] == both.curves.plain.back());
  CHECK(relative(both.ends.plain[2], 1) < 1e-15);
  CHECK(reach_of({.n = 4, .seeds = 0}).curves.spread.median.empty());
}

TEST_CASE("a forget gate that stays open carries the gradient further") {
  double nearer = 0;
  for (const double bias : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    const double end = reach_of({.n = 256, .seeds = 0, .forget_bias = bias}).curves.lstm.back();
    CHECK(end > nearer);
    nearer = end;
  }
}

TEST_CASE("reach: what makes no sense is refused by name") {
  const auto refused = [](const ReachOptions& options, std::vector<std::int32_t> lengths = {}) {
    return error_of(gradient_reach(options, lengths));
  };
  CHECK(refused({.n = 0}).field == "n");
  CHECK(refused({.n = max_tokens + 1}).code == ErrorCode::too_large);
  CHECK(refused({.scale = -0.1}).field == "scale");
  CHECK(refused({.scale = quiet_nan}).field == "scale");
  CHECK(refused({.scale = 4.5}).code == ErrorCode::out_of_range);
  CHECK(refused({.seeds = 1001}).field == "seeds");
  CHECK(refused({.forget_gate = 1.5}).field == "forget_gate");
  CHECK(refused({.forget_bias = infinity}).field == "forget_bias");
  CHECK(refused({}, {64, 0}).field == "lengths[1]");
  CHECK(refused({}, std::vector<std::int32_t>(65, 8)).field == "lengths");
  CHECK(refused({.seeds = 1000}, std::vector<std::int32_t>(64, 4096)).code == ErrorCode::too_large);
  CHECK(refused({}, {-3}).code == ErrorCode::out_of_range);
}
