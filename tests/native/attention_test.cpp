#include <cmath>
#include <numeric>
#include <string>

#include "attention/scaled_dot_product.hpp"
#include "core/limits.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Case {
  Matrix<double> Q, K, V;
};

Case random_case(Normals& normals, std::size_t n_q, std::size_t n_k, std::size_t d_k,
                 std::size_t d_v) {
  Case made{.Q = random_matrix(normals, n_q, d_k), .K = {}, .V = {}};
  made.K = random_matrix(normals, n_k, d_k);
  made.V = random_matrix(normals, n_k, d_v);
  return made;
}

Trace<double> attend(const Case& c, const Mask& mask = {}) {
  return value_of(scaled_dot_product(c.Q, c.K, c.V, {.mask = mask}));
}

AttentionOptions without_trace(const Mask& mask = {}) { return {.mask = mask, .trace = false}; }

const Case bank{.Q = matrix({{1, 2}}),
                .K = matrix({{1, 0}, {1, 1}, {0, 2}}),
                .V = matrix({{1, 0}, {0.5, 0.5}, {1, 0}})};

}  // namespace

TEST_CASE("every step of one query over three keys") {
  const Trace<double> trace = attend(bank);
  CHECK(trace.n_q == 1);
  CHECK(trace.n_k == 3);
  CHECK(trace.d_k == 2);
  CHECK(trace.d_v == 2);
  CHECK(trace.divisor == std::sqrt(2.0));
  CHECK(trace.score_terms(0, 2, 1) == 4);
  CHECK(same(trace.scores, matrix({{1, 3, 4}})));
  CHECK(trace.scaled(0, 1) == 3 / std::sqrt(2.0));
  CHECK(same(trace.allowed, matrix<std::uint8_t>({{1, 1, 1}})));
  CHECK(trace.shift(0) == 0);
  CHECK(trace.exponentials(0, 2) == std::exp(4 / std::sqrt(2.0)));
  CHECK(std::fabs(trace.weights(0, 2) - 0.619985118045006) < 1e-15);
  CHECK(std::fabs(trace.weight_sums(0) - 1) < 1e-15);
  CHECK(same(trace.largest, matrix<std::uint8_t>({{0, 0, 1}})));
  CHECK(trace.contributions(0, 1, 0) == trace.weights(0, 1) * 0.5);
  CHECK(largest_difference(trace.output, matrix({{0.8471523745805127, 0.1528476254194872}})) <
        1e-15);
}

TEST_CASE("the divisor alone can be chosen, or left out") {
  const auto scaled = [](const AttentionOptions& options) {
    return value_of(scaled_dot_product(bank.Q, bank.K, bank.V, options));
  };
  CHECK(scaled({.divisor_d_k = 64}).divisor == 8);
  CHECK(scaled({.divisor_d_k = 64}).scaled(0, 2) == 0.5);
  CHECK(scaled({.divide = false}).divisor == 1);
  CHECK(scaled({.divide = false, .divisor_d_k = 64}).scaled(0, 2) == 4);
  for (const double wrong : {0.0, -1.0, quiet_nan, infinity, -0.0}) {
    const auto refused = scaled_dot_product(bank.Q, bank.K, bank.V, {.divisor_d_k = wrong});
    CHECK(error_of(refused).code == ErrorCode::out_of_range);
    CHECK(error_of(refused).field == "divisor_d_k");
  }
  const auto tiny = scaled_dot_product(converted<float>(bank.Q), converted<float>(bank.K),
                                       converted<float>(bank.V), {.divisor_d_k = 1e-300});
  CHECK(error_of(tiny).field == "divisor_d_k");
}

TEST_CASE("with and without the trace, weights and output are the same bits") {
  Dice dice(21);
  Normals normals(21);
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::size_t n_k = dice.between(1, 40);
    const Mask mask = random_mask(dice, n, n_k);
    const Case c = random_case(normals, n, n_k, dice.between(1, 9), dice.between(1, 9));
    const Trace<double> traced = attend(c, mask);
    const auto plain = value_of(scaled_dot_product(c.Q, c.K, c.V, without_trace(mask)));
    CHECK(same(plain.weights, traced.weights));
    CHECK(same(plain.output, traced.output));
    CHECK(plain.scores.size() == 0);
    CHECK(plain.contributions.size() == 0);
    CHECK(plain.divisor == traced.divisor);
    const auto traced_float = value_of(scaled_dot_product(
        converted<float>(c.Q), converted<float>(c.K), converted<float>(c.V), {.mask = mask}));
    const auto plain_float = value_of(scaled_dot_product(
        converted<float>(c.Q), converted<float>(c.K), converted<float>(c.V), without_trace(mask)));
    CHECK(same(plain_float.weights, traced_float.weights));
    CHECK(same(plain_float.output, traced_float.output));
  }
}

TEST_CASE("the steps add up: terms to scores, contributions to output, weights to 1") {
  Dice dice(22);
  Normals normals(22);
  for (std::size_t n = 1; n <= 40; ++n) {
    const Mask mask = random_mask(dice, n, n);
    const Trace<double> trace = attend(random_case(normals, n, n, 5, 3), mask);
    for (std::size_t i = 0; i < n; ++i) {
      double weights = 0;
      bool sees = false;
      for (std::size_t j = 0; j < n; ++j) {
        double score = 0;
        for (std::size_t c = 0; c < 5; ++c) score += trace.score_terms(i, j, c);
        CHECK(std::fabs(score - trace.scores(i, j)) < 1e-14);
        weights += trace.weights(i, j);
        sees = sees || trace.allowed(i, j) == 1;
      }
      CHECK(std::fabs(weights - (sees ? 1 : 0)) < 1e-15 * static_cast<double>(n));
      for (std::size_t c = 0; c < 3; ++c) {
        double output = 0;
        for (std::size_t j = 0; j < n; ++j) output += trace.contributions(i, j, c);
        CHECK(std::fabs(output - trace.output(i, c)) < 1e-14);
      }
    }
  }
}

TEST_CASE("causal rows ignore the future, exactly") {
  Normals normals(23);
  for (std::size_t n = 2; n <= 40; n += 3) {
    Case c = random_case(normals, n, n, 4, 3);
    const Matrix<double> before = attend(c, {.causal = true}).output;
    for (std::size_t d = 0; d < 4; ++d) c.K(n - 1, d) = 100 * normals.next();
    for (std::size_t d = 0; d < 3; ++d) c.V(n - 1, d) = 100 * normals.next();
    const Matrix<double> after = attend(c, {.causal = true}).output;
    CHECK(same(rows_of(before, 0, n - 1), rows_of(after, 0, n - 1)));
    CHECK_FALSE(same(rows_of(before, n - 1, n), rows_of(after, n - 1, n)));
  }
}

TEST_CASE("the last queries alone give the last rows, exactly") {
  Normals normals(24);
  const Case c = random_case(normals, 9, 9, 4, 3);
  const Matrix<double> whole = attend(c, {.causal = true, .window = 5}).output;
  for (std::size_t n_q = 1; n_q < 9; ++n_q) {
    const Case last{.Q = rows_of(c.Q, 9 - n_q, 9), .K = c.K, .V = c.V};
    CHECK(same(attend(last, {.causal = true, .window = 5}).output, rows_of(whole, 9 - n_q, 9)));
  }
}

TEST_CASE("a window that reaches everything is the causal mask, exactly") {
  Normals normals(25);
  for (std::size_t n = 1; n <= 40; ++n) {
    const Case c = random_case(normals, n, n, 3, 2);
    CHECK(
        same(attend(c, {.causal = true, .window = n}).output, attend(c, {.causal = true}).output));
  }
}

TEST_CASE("a query with every key masked gives zeros") {  // hard case N1
  const Trace<double> trace = attend(bank, {.key_valid = {0, 0, 0}});
  CHECK(all_zero(trace.output));
  CHECK(all_zero(trace.weights));
  CHECK(all_zero(trace.contributions));
  CHECK(all_zero(trace.exponentials));
  CHECK(trace.sums(0) == 0);
  CHECK(trace.weight_sums(0) == 0);
  CHECK(all_zero(
      value_of(scaled_dot_product(bank.Q, bank.K, bank.V, without_trace({.key_valid = {0, 0, 0}})))
          .output));
}

TEST_CASE("what is masked changes no output, whatever it holds") {  // hard case N2
  Normals normals(26);
  const Mask padding{.key_valid = {1, 1, 0, 1, 0}};
  Case c = random_case(normals, 3, 5, 4, 3);
  for (std::size_t d = 0; d < 4; ++d) c.K(2, d) = c.K(4, d) = 0;
  for (std::size_t d = 0; d < 3; ++d) c.V(2, d) = c.V(4, d) = 0;
  const Trace<double> clean = attend(c, padding);
  for (const double what : {quiet_nan, infinity, -infinity, 1e308}) {
    Case dirty = c;
    for (std::size_t d = 0; d < 4; ++d) dirty.K(2, d) = what;
    for (std::size_t d = 0; d < 3; ++d) dirty.V(4, d) = what;
    const Trace<double> trace = attend(dirty, padding);
    CHECK(same(trace.output, clean.output));
    CHECK(same(trace.weights, clean.weights));
    CHECK(same(trace.exponentials, clean.exponentials));
    CHECK(same(trace.contributions, clean.contributions));
    CHECK(same(trace.largest, clean.largest));
    CHECK(
        same(value_of(scaled_dot_product(dirty.Q, dirty.K, dirty.V, without_trace(padding))).output,
             clean.output));
    const auto single =
        value_of(scaled_dot_product(converted<float>(dirty.Q), converted<float>(dirty.K),
                                    converted<float>(dirty.V), {.mask = padding}));
    CHECK(all_finite(single.output));
  }
}

TEST_CASE("a query that sees nothing may hold anything") {
  Case c = bank;
  c.Q(0, 0) = quiet_nan;
  CHECK(all_zero(attend(c, {.key_valid = {0, 0, 0}}).output));
}

TEST_CASE("two documents in one row of tokens do not touch each other, exactly") {  // hard case N8
  Normals normals(27);
  const Mask documents{.query_document = {0, 0, 0, 1, 1}, .key_document = {0, 0, 0, 1, 1}};
  for (const bool causal : {false, true}) {
    Mask mask = documents;
    mask.causal = causal;
    Case c = random_case(normals, 5, 5, 4, 3);
    const Matrix<double> before = attend(c, mask).output;
    const Case second{.Q = rows_of(c.Q, 3, 5), .K = rows_of(c.K, 3, 5), .V = rows_of(c.V, 3, 5)};
    CHECK(same(attend(second, {.causal = causal}).output, rows_of(before, 3, 5)));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t d = 0; d < 4; ++d) c.Q(i, d) = c.K(i, d) = 50 * normals.next();
      for (std::size_t d = 0; d < 3; ++d) c.V(i, d) = 50 * normals.next();
    }
    CHECK(same(rows_of(attend(c, mask).output, 3, 5), rows_of(before, 3, 5)));
  }
}

TEST_CASE("shuffled tokens give shuffled outputs") {
  Normals normals(28);
  Dice dice(28);
  for (std::size_t n = 1; n <= 40; n += 3) {
    const Case c = random_case(normals, n, n, 4, 3);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[dice.between(0, i - 1)]);
    const Case shuffled{
        .Q = reordered(c.Q, order), .K = reordered(c.K, order), .V = reordered(c.V, order)};
    CHECK(largest_difference(attend(shuffled).output, reordered(attend(c).output, order)) < 1e-14);
  }
}

TEST_CASE("each output lies between the smallest and the largest value") {
  Normals normals(29);
  const Case c = random_case(normals, 20, 30, 8, 5);
  const Matrix<double> output = attend(c).output;
  for (std::size_t d = 0; d < 5; ++d) {
    double least = infinity;
    double most = -infinity;
    for (std::size_t j = 0; j < 30; ++j) {
      least = std::min(least, c.V(j, d));
      most = std::max(most, c.V(j, d));
    }
    for (std::size_t i = 0; i < 20; ++i) {
      CHECK(output(i, d) >= least - 1e-14);
      CHECK(output(i, d) <= most + 1e-14);
    }
  }
}

TEST_CASE("float32 follows float64 within 5e-7") {  // golden row lab2.sdpa
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Normals normals(seed);
    const Matrix<double> X = random_matrix(normals, 6, 16);
    const auto project = [&](std::size_t columns) {
      const Matrix<double> W = random_matrix(normals, 16, columns, 0.25);
      Matrix<double> product = make_matrix<double>(6, columns);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          product(i, j) = 0;
          for (std::size_t c = 0; c < 16; ++c) product(i, j) += X(i, c) * W(c, j);
        }
      }
      return product;
    };
    // The same numbers in both, so that only the arithmetic differs.
    const Matrix<float> Q = converted<float>(project(8));
    const Matrix<float> K = converted<float>(project(8));
    const Matrix<float> V = converted<float>(project(4));
    const auto wide = value_of(
        scaled_dot_product(converted<double>(Q), converted<double>(K), converted<double>(V)));
    const auto narrow = value_of(scaled_dot_product(Q, K, V));
    CHECK(largest_difference(narrow.output, wide.output) < 5e-7);
  }
}

TEST_CASE("matrices that do not fit are refused by name") {
  const auto code = [](const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V) {
    const Error error = error_of(scaled_dot_product(Q, K, V));
    return std::string(name(error.code)) + " " + error.field;
  };
  CHECK(code(matrix({{1, 2}}), matrix({{1}}), matrix({{1}})) == "shape_mismatch K");
  CHECK(code(matrix({{1}}), matrix({{1}, {2}}), matrix({{1}})) == "shape_mismatch V");
  const auto empty = [](std::size_t rows, std::size_t columns) {
    return make_matrix<double>(rows, columns);
  };
  CHECK(code(empty(0, 2), empty(3, 2), empty(3, 2)) == "out_of_range n_q");
  CHECK(code(empty(1, 0), empty(3, 0), empty(3, 2)) == "out_of_range d_k");
  CHECK(code(empty(1, 2), empty(0, 2), empty(0, 2)) == "out_of_range n_k");
  CHECK(code(empty(1, 2), empty(3, 2), empty(3, 0)) == "out_of_range d_v");
  CHECK(code(empty(max_tokens + 1, 1), empty(1, 1), empty(1, 1)) == "too_large n_q");
  CHECK(code(empty(1, 1), empty(max_tokens + 1, 1), empty(max_tokens + 1, 1)) == "too_large n_k");
  CHECK(code(empty(1, max_width + 1), empty(1, max_width + 1), empty(1, 1)) == "too_large d_k");
  CHECK(code(empty(1, 1), empty(1, 1), empty(1, max_width + 1)) == "too_large d_v");
}

TEST_CASE("NaN and infinity are refused by name and place, or propagate") {
  for (const double what : {quiet_nan, infinity, -infinity}) {
    for (const char* field : {"Q", "K", "V"}) {
      Case c = bank;
      Matrix<double>& broken = *field == 'Q' ? c.Q : *field == 'K' ? c.K : c.V;
      broken(broken.shape(0) - 1, 1) = what;
      const Error error = error_of(scaled_dot_product(c.Q, c.K, c.V));
      CHECK(error.code == ErrorCode::not_finite);
      CHECK(error.field == field);
      const std::string place = *field == 'Q' ? "Q[0, 1]" : std::string(field) + "[2, 1]";
      CHECK(error.message.find(place) != std::string::npos);
      const auto trace = value_of(scaled_dot_product(c.Q, c.K, c.V, {.require_finite = false}));
      CHECK((what < 0 || !all_finite(trace.output)));
    }
  }
}

TEST_CASE("finite numbers whose scores overflow are refused, with the trace or without") {
  for (const double large : {1e200, -1e200}) {
    const Case c{.Q = matrix({{large}}), .K = matrix({{1e200}, {1e200}}), .V = matrix({{1}, {2}})};
    for (const bool trace : {false, true}) {
      const Error error = error_of(scaled_dot_product(c.Q, c.K, c.V, {.trace = trace}));
      CHECK(error.code == ErrorCode::not_finite);
      CHECK(error.field == "scores");
    }
  }
}

TEST_CASE("a trace too large for memory is refused with its bytes; without the trace it fits") {
  const Matrix<float> Q = make_matrix<float>(max_tokens, 64);
  const Error error = error_of(scaled_dot_product(Q, Q, Q));
  CHECK(error.code == ErrorCode::too_large);
  const std::uint64_t bytes =
      value_of(scaled_dot_product_bytes<float>(max_tokens, max_tokens, 64, 64, true));
  CHECK(bytes > std::uint64_t{8} << 30);
  CHECK(error.message.find(std::to_string(bytes) + " bytes") != std::string::npos);
  CHECK(value_of(scaled_dot_product_bytes<float>(max_tokens, max_tokens, 64, 64, false)) <
        max_bytes);
}
