#include "attention/mask.hpp"

#include <string>
#include <vector>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// "1110/1111": one character for each key, one word for each query.
std::string pattern(const Mask& mask, std::size_t n_q, std::size_t n_k) {
  const Matrix<std::uint8_t> allowed = value_of(allowed_pairs(mask, n_q, n_k));
  std::string text;
  for (std::size_t i = 0; i < n_q; ++i) {
    if (i > 0) text += '/';
    for (std::size_t j = 0; j < n_k; ++j) text += allowed(i, j) != 0 ? '1' : '0';
  }
  return text;
}

}  // namespace

TEST_CASE("no mask allows every pair") { CHECK(pattern({}, 2, 3) == "111/111"); }

TEST_CASE("the causal mask is aligned bottom-right") {
  CHECK(pattern({.causal = true}, 4, 4) == "1000/1100/1110/1111");
  CHECK(pattern({.causal = true}, 2, 5) == "11110/11111");  // hard case N6
  CHECK(pattern({.causal = true}, 1, 3) == "111");
  CHECK(pattern({.causal = true}, 4, 2) == "00/00/10/11");
}

TEST_CASE("a window counts the token itself and looks back only") {
  CHECK(pattern({.window = 1}, 3, 3) == "100/010/001");
  CHECK(pattern({.window = 2}, 4, 4) == "1000/1100/0110/0011");
  CHECK(pattern({.window = 2}, 2, 5) == "00110/00011");
  CHECK(pattern({.causal = true, .window = 2}, 4, 4) == "1000/1100/0110/0011");
}

TEST_CASE("query 10 under a window of 4 sees keys 7 to 10") {  // hard case N7
  const Mask mask{.causal = true, .window = 4};
  for (std::size_t j = 0; j < 11; ++j) CHECK(is_allowed(mask, 10, j, 11, 11) == (j >= 7));
}

TEST_CASE("a window as long as the text is the causal mask") {
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::string causal = pattern({.causal = true}, n, n);
    CHECK(pattern({.window = n}, n, n) == causal);
    CHECK(pattern({.causal = true, .window = n + 5}, n, n) == causal);
    CHECK(pattern({.causal = true, .window = UINT64_MAX}, n, n) == causal);
    CHECK(pattern({.window = UINT64_MAX}, n, n) == causal);
  }
}

TEST_CASE("padding hides its keys from every query") {
  CHECK(pattern({.key_valid = {1, 0, 2}}, 2, 3) == "101/101");
}

TEST_CASE("documents see themselves alone") {
  CHECK(pattern({.query_document = {5, 5, -1}, .key_document = {5, 5, -1}}, 3, 3) == "110/110/001");
}

TEST_CASE("masks compose: a pair needs the leave of all of them") {
  Dice dice(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_q = dice.between(1, 12);
    const std::size_t n_k = dice.between(1, 12);
    const Mask mask = random_mask(dice, n_q, n_k);
    const Matrix<std::uint8_t> together = value_of(allowed_pairs(mask, n_q, n_k));
    Mask causal, window, padding, document;
    causal.causal = mask.causal;
    window.window = mask.window;
    padding.key_valid = mask.key_valid;
    document.query_document = mask.query_document;
    document.key_document = mask.key_document;
    for (std::size_t i = 0; i < n_q; ++i) {
      for (std::size_t j = 0; j < n_k; ++j) {
        const bool each =
            is_allowed(causal, i, j, n_q, n_k) && is_allowed(window, i, j, n_q, n_k) &&
            is_allowed(padding, i, j, n_q, n_k) && is_allowed(document, i, j, n_q, n_k);
        CHECK((together(i, j) == 1) == each);
        CHECK(is_allowed(mask, i, j, n_q, n_k) == each);
      }
    }
  }
}

TEST_CASE("a mask that does not fit is refused by the name of its part") {
  const auto refused = [](const Mask& mask) { return error_of(check_mask(mask, 2, 3)); };
  CHECK(refused({.window = 0}).code == ErrorCode::out_of_range);
  CHECK(refused({.window = 0}).field == "mask.window");
  CHECK(refused({.key_valid = {1, 1}}).code == ErrorCode::shape_mismatch);
  CHECK(refused({.key_valid = {1, 1}}).field == "mask.key_valid");
  CHECK(refused({.query_document = {0, 0}}).code == ErrorCode::bad_argument);
  CHECK(refused({.query_document = {0, 0}}).field == "mask.key_document");
  CHECK(refused({.key_document = {0, 0, 0}}).field == "mask.query_document");
  CHECK(refused({.query_document = {0}, .key_document = {0, 0, 0}}).field == "mask.query_document");
  CHECK(refused({.query_document = {0, 0}, .key_document = {0}}).field == "mask.key_document");
}
