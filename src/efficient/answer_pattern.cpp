#include "efficient/answer_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "efficient/block_sparse.hpp"
#include "efficient/layer_reach.hpp"

namespace attn {
namespace {

constexpr std::size_t drawn_width = 16;

Expected<void> check(const PatternOptions& options) {
  ATTN_CHECK(check_count("n", options.n, 1, max_pattern_tokens));
  ATTN_CHECK(check_count("window", options.window, 1, max_tokens));
  ATTN_CHECK(check_count("sinks", options.sinks, 0, max_tokens));
  ATTN_CHECK(check_count("block", options.block, 1, max_tokens));
  ATTN_CHECK(check_count("top_k", options.top_k, 1, max_tokens));
  ATTN_CHECK(check_count("state", options.state, 1, max_tokens));
  return check_between("gate", options.gate, 0, 1);
}

void fill(Matrix<double>& left, const Matrix<std::uint8_t>& allowed) {
  std::copy(allowed.begin(), allowed.end(), left.begin());
}

Expected<void> fill_window(const PatternOptions& options, Matrix<double>& left) {
  const auto allowed = layer_pairs({.window = options.window, .sinks = options.sinks}, options.n);
  ATTN_CHECK(allowed);
  fill(left, *allowed);
  return {};
}

Matrix<double> drawn(Normals& normals, std::size_t rows, std::size_t columns) {
  Matrix<double> made = make_matrix<double>(rows, columns);
  for (double& number : made) number = normals.next();
  return made;
}

Expected<void> fill_blocks(const PatternOptions& options, Matrix<double>& left) {
  Normals normals(options.seed);
  const Matrix<double> Q = drawn(normals, options.n, drawn_width);
  const Matrix<double> K = drawn(normals, options.n, drawn_width);
  const auto made =
      block_sparse_attention(Q, K, K, {.block = options.block, .top_k = options.top_k});
  ATTN_CHECK(made);
  fill(left, made->allowed);
  return {};
}

void fill_gated(const PatternOptions& options, Matrix<double>& left) {
  for (std::size_t i = 0; i < options.n; ++i) {
    double decay = 1;
    for (std::size_t j = i + 1; j-- > 0;) {
      left(i, j) = decay;
      decay *= options.gate;
    }
  }
}

void fill_selective(const PatternOptions& options, Matrix<double>& left) {
  Normals normals(options.seed);
  std::vector<double> deltas(options.n);
  for (double& delta : deltas) delta = std::exp(normals.next() - 4);
  for (std::size_t i = 0; i < options.n; ++i) {
    double passed = 0;
    for (std::size_t j = i + 1; j-- > 0;) {
      // The numbers of a state fade as x, x^2, ..., so that their sum is a geometric one.
      const double first = std::exp(-passed);
      double power = 1, sum = 0;
      for (std::size_t s = 0; s < options.state; ++s) sum += power *= first;
      left(i, j) = sum / static_cast<double>(options.state);
      passed += deltas[j];
    }
  }
}

}  // namespace

Expected<AnswerPattern> answer_pattern(Answer answer, const PatternOptions& options) {
  ATTN_CHECK(check(options));
  AnswerPattern made{make_matrix<double>(options.n, options.n),
                     make_vector<std::int32_t>(options.n), 0};
  made.left.fill(0);
  switch (answer) {
    case Answer::window:
      ATTN_CHECK(fill_window(options, made.left));
      break;
    case Answer::block_sparse:
      ATTN_CHECK(fill_blocks(options, made.left));
      break;
    case Answer::gated_linear:
      fill_gated(options, made.left);
      break;
    case Answer::selective_state:
      fill_selective(options, made.left);
      break;
    case Answer::full:
    case Answer::linear:
      for (std::size_t i = 0; i < options.n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) made.left(i, j) = 1;
      }
      break;
  }
  for (std::size_t i = 0; i < options.n; ++i) {
    const double* const row = &made.left(i, 0);
    const auto seen = std::count_if(row, row + options.n, [](double left) { return left > 0; });
    made.seen(i) = static_cast<std::int32_t>(seen);
    made.pairs += static_cast<std::uint64_t>(seen);
  }
  return made;
}

}  // namespace attn
