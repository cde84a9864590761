#include "efficient/selective_scan.hpp"
#include "efficient/linear_attention.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

Matrix<double> absolute(Matrix<double> from, double sign) {
  for (double& value : from) value = sign * std::fabs(value);
  return from;
}

SelectiveScanInput random_input(Normals& normals, std::size_t n, std::size_t channels,
                                std::size_t state) {
  SelectiveScanInput made{random_matrix(normals, n, channels),
                          absolute(random_matrix(normals, n, channels), 1),
                          absolute(random_matrix(normals, channels, state), -1),
                          random_matrix(normals, n, state),
                          random_matrix(normals, n, state),
                          make_vector<double>(channels)};
  for (double& value : made.skip) value = normals.next();
  return made;
}

}  // namespace

TEST_CASE("a selective scan of two tokens, by hand") {
  // ln 2 x -1 halves the state; token 2 writes 3 x 5 x 0.25.
  constexpr double ln2 = 0.69314718055994530942;
  const SelectiveScanInput input{matrix({{2}, {5}}), matrix({{1}, {0.25}}), matrix({{-4 * ln2}}),
                                 matrix({{1}, {3}}), matrix({{1}, {2}}),    make_vector<double>(0)};
  for (const ScanForm form : {ScanForm::sequential, ScanForm::parallel}) {
    const SelectiveScan made = value_of(selective_scan(input, form));
    CHECK(made.output(0, 0) == 2);
    CHECK(std::fabs(made.state(0, 0) - (2 * 0.5 + 3.75)) < 1e-15);
    CHECK(std::fabs(made.output(1, 0) - 2 * 4.75) < 1e-14);
  }
}

TEST_CASE("the tree and the loop are one scan, at every length") {
  Normals normals(81);
  for (std::size_t n = 1; n <= 70; ++n) {
    INFO("n = " << n);
    const SelectiveScanInput input = random_input(normals, n, 3, 4);
    const SelectiveScan loop = value_of(selective_scan(input, ScanForm::sequential));
    const SelectiveScan tree = value_of(selective_scan(input, ScanForm::parallel));
    CHECK(largest_difference(loop.output, tree.output) < 1e-12);
    CHECK(largest_difference(loop.state, tree.state) < 1e-12);
    CHECK(loop.rounds == n - 1);
    std::uint64_t halvings = 0;
    while ((std::size_t{1} << halvings) < n) ++halvings;
    CHECK(tree.rounds <= 2 * halvings);
    if (n > 8) CHECK(tree.rounds < loop.rounds);
    // Work-efficient: less than twice the loop's.
    CHECK(tree.updates <= 2 * loop.updates);
  }
}

TEST_CASE("no output of a scan depends on what comes after it") {
  Normals normals(82);
  SelectiveScanInput input = random_input(normals, 21, 2, 3);
  for (const ScanForm form : {ScanForm::sequential, ScanForm::parallel}) {
    const SelectiveScan before = value_of(selective_scan(input, form));
    SelectiveScanInput other = input;
    for (std::size_t t = 13; t < 21; ++t) {
      for (std::size_t c = 0; c < 2; ++c) other.x(t, c) = 99, other.delta(t, c) = 3;
      for (std::size_t k = 0; k < 3; ++k) other.B(t, k) = other.C(t, k) = -5;
    }
    const SelectiveScan after = value_of(selective_scan(other, form));
    CHECK(same(rows_of(before.output, 0, 13), rows_of(after.output, 0, 13)));
  }
}

TEST_CASE("with one rate for all the scan is gated linear attention without features") {
  // One channel a column of V, the same delta everywhere: h = e^(delta A) h + delta x B is the state S = g S + k v^T.
  Normals normals(83);
  const std::size_t n = 17, state = 3, channels = 2;
  SelectiveScanInput input = random_input(normals, n, channels, state);
  input.skip = make_vector<double>(0);
  input.A.fill(-0.5);
  LinearAttentionOptions options{.feature_map = FeatureMap::identity, .normalize = false};
  options.gates = make_vector<double>(n);
  Matrix<double> V = make_matrix<double>(n, channels);
  for (std::size_t t = 0; t < n; ++t) {
    const double delta = 0.1 + 0.05 * static_cast<double>(t % 4);
    for (std::size_t c = 0; c < channels; ++c) {
      input.delta(t, c) = delta;
      V(t, c) = delta * input.x(t, c);
    }
    options.gates(t) = std::exp(-0.5 * delta);
  }
  const SelectiveScan scan = value_of(selective_scan(input, ScanForm::parallel));
  const LinearAttention linear =
      value_of(linear_attention(input.C, input.B, V, options, LinearForm::quadratic));
  CHECK(largest_difference(scan.output, linear.output) < 1e-13);
}

TEST_CASE("a delta of 0 keeps the state, whatever the token brings") {
  Normals normals(84);
  SelectiveScanInput input = random_input(normals, 5, 2, 2);
  for (std::size_t c = 0; c < 2; ++c) input.delta(4, c) = 0;
  const SelectiveScan whole = value_of(selective_scan(input, ScanForm::sequential));
  SelectiveScanInput four{rows_of(input.x, 0, 4), rows_of(input.delta, 0, 4), input.A,
                          rows_of(input.B, 0, 4), rows_of(input.C, 0, 4),     input.skip};
  CHECK(same(whole.state, value_of(selective_scan(four, ScanForm::sequential)).state));
}

TEST_CASE("a selective scan names what is wrong with its input") {
  Normals normals(85);
  const SelectiveScanInput good = random_input(normals, 4, 2, 3);
  const auto field = [&](auto change) {
    SelectiveScanInput bad = good;
    change(bad);
    return error_of(selective_scan(bad, ScanForm::parallel)).field;
  };
  CHECK(field([](auto& in) { in.delta(1, 1) = -0.1; }) == "delta");
  CHECK(field([](auto& in) { in.A(0, 0) = 0.1; }) == "A");
  CHECK(field([](auto& in) { in.B(3, 2) = quiet_nan; }) == "B");
  CHECK(field([](auto& in) { in.C = make_matrix<double>(4, 2); }) == "C");
  CHECK(field([](auto& in) { in.skip = make_vector<double>(3); }) == "skip");
  CHECK(field([](auto& in) { in.x = make_matrix<double>(0, 2); }) == "n");
}
