#include "attention/mask.hpp"

#include <string_view>

namespace attn {
namespace {

Expected<void> check_length(std::string_view field, std::size_t given, std::size_t wanted,
                            std::string_view what) {
  if (given == wanted) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " must hold one entry for each of the ", wanted, " ", what, "; it holds ",
               given, "."});
}

}  // namespace

Expected<void> check_mask(const Mask& mask, std::size_t n_q, std::size_t n_k) {
  if (mask.window && *mask.window == 0) {
    return fail(ErrorCode::out_of_range, "mask.window",
                {"mask.window must be at least 1, the token itself; it is 0."});
  }
  if (!mask.key_valid.empty()) {
    ATTN_CHECK(check_length("mask.key_valid", mask.key_valid.size(), n_k, "keys"));
  }
  if (mask.query_document.empty() != mask.key_document.empty()) {
    const bool query_missing = mask.query_document.empty();
    return fail(ErrorCode::bad_argument,
                query_missing ? "mask.query_document" : "mask.key_document",
                {"mask.query_document and mask.key_document belong together; one of them is "
                 "missing."});
  }
  if (!mask.query_document.empty()) {
    ATTN_CHECK(check_length("mask.query_document", mask.query_document.size(), n_q, "queries"));
    ATTN_CHECK(check_length("mask.key_document", mask.key_document.size(), n_k, "keys"));
  }
  return {};
}

bool is_allowed(const Mask& mask, std::size_t i, std::size_t j, std::size_t n_q, std::size_t n_k) {
  // Position p of the query is i + n_k - n_q, below 0 when queries outnumber keys: so compare
  // p + n_q with j + n_q.
  const std::size_t p_shifted = i + n_k;
  const std::size_t j_shifted = j + n_q;
  const bool is_past = j_shifted <= p_shifted;
  if (mask.causal && !is_past) return false;
  if (mask.window && (!is_past || p_shifted - j_shifted >= *mask.window)) return false;
  if (!mask.key_valid.empty() && mask.key_valid[j] == 0) return false;
  if (!mask.query_document.empty() && mask.query_document[i] != mask.key_document[j]) return false;
  return true;
}

Expected<Matrix<std::uint8_t>> allowed_pairs(const Mask& mask, std::size_t n_q, std::size_t n_k) {
  ATTN_CHECK(check_mask(mask, n_q, n_k));
  Matrix<std::uint8_t> allowed = make_matrix<std::uint8_t>(n_q, n_k);
  std::uint8_t* pair = allowed.data();
  for (std::size_t i = 0; i < n_q; ++i) {
    for (std::size_t j = 0; j < n_k; ++j) *pair++ = is_allowed(mask, i, j, n_q, n_k) ? 1 : 0;
  }
  return allowed;
}

}  // namespace attn
