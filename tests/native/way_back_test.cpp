#include "attention/way_back.hpp"

#include "attention/softmax.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("the way back of a known row, step by step") {  // hard case N5
  const WayBack back = value_of(way_back_through_softmax(matrix({{1, 2, 3}}), matrix({{1, 0, 0}})));
  CHECK(largest_difference(back.dS, matrix({{0.081925, -0.022033, -0.059892}})) < 5e-7);
  CHECK(std::fabs(back.sums(0)) < 1e-16);
  CHECK(back.means(0) == back.weights(0, 0));
  CHECK(back.products(0, 1) == 0);
  CHECK(back.deviations(0, 1) == -back.means(0));
  CHECK(back.largest_weight(0) == back.weights(0, 2));
}

TEST_CASE("each row's gradient sums to zero, however large its scores") {
  Normals normals(4);
  for (const double size : {0.0, 1.0, 30.0, 1e4}) {
    const Matrix<double> S = random_matrix(normals, 9, 6, size);
    const Matrix<double> dA = random_matrix(normals, 9, 6);
    const WayBack back = value_of(way_back_through_softmax(S, dA));
    CHECK(back.dS == value_of(softmax_backward(back.weights, dA)));
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::fabs(back.sums(i)) < 2e-14);
  }
}

TEST_CASE("a saturated row returns nothing, a level one returns what differs from the mean") {
  const WayBack back = value_of(
      way_back_through_softmax(matrix({{800, 0, 0}, {5, 5, 5}}), matrix({{3, 1, 2}, {3, 1, 2}})));
  CHECK(back.norms(0) == 0);
  CHECK(back.largest_weight(0) == 1);
  CHECK(std::fabs(back.dS(1, 0) - 1.0 / 3) < 1e-15);
  CHECK(std::fabs(back.dS(1, 1) + 1.0 / 3) < 1e-15);
  CHECK(std::fabs(back.dS(1, 2)) < 1e-15);
}

TEST_CASE("scores or gradients that are no numbers, and shapes that differ, are refused by name") {
  const Matrix<double> sound = matrix({{1, 2}});
  const auto of = [](const Matrix<double>& S, const Matrix<double>& dA) {
    return error_of(way_back_through_softmax(S, dA));
  };
  CHECK(of(matrix({{1, infinity}}), sound).field == "S");
  CHECK(of(matrix({{1, -infinity}}), sound).field == "S");
  CHECK(of(sound, matrix({{1, quiet_nan}})).field == "dA");
  CHECK(of(sound, matrix({{1, 2, 3}})).code == ErrorCode::shape_mismatch);
}

TEST_CASE("scores of longer queries are the scores times their length, on the same stream") {
  const DrawnScores once = value_of(drawn_scores(7, 3, 8, 1));
  const DrawnScores often = value_of(drawn_scores(7, 3, 8, 100));
  CHECK(once.dA == often.dA);
  for (std::size_t k = 0; k < 9; ++k) {
    CHECK(std::fabs(often.S.data()[k] / once.S.data()[k] / 100 - 1) < 1e-12);
  }
  Normals normals(7);
  const Matrix<double> Q = random_matrix(normals, 3, 8);
  const Matrix<double> K = random_matrix(normals, 3, 8);
  double score = 0;
  for (std::size_t c = 0; c < 8; ++c) score += Q(2, c) * K(1, c);
  CHECK(std::fabs(once.S(2, 1) - score / std::sqrt(8.0)) < 1e-14);
  CHECK(error_of(drawn_scores(7, 0, 8, 1)).field == "n");
  CHECK(error_of(drawn_scores(7, 65, 8, 1)).field == "n");
  CHECK(error_of(drawn_scores(7, 3, 4097, 1)).field == "d_k");
  for (const double factor : {-1.0, 10001.0, quiet_nan}) {
    CHECK(error_of(drawn_scores(7, 3, 8, factor)).field == "factor");
  }
}
