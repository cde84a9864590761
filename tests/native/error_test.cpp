#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "core/error.hpp"

using namespace attn;

TEST_CASE("every error code has a name of its own") {
  std::set<std::string_view> names;
  for (const ErrorCode code : error_codes) names.insert(name(code));
  CHECK(names.size() == error_codes.size());
  CHECK(name(ErrorCode::shape_mismatch) == "shape_mismatch");
  CHECK(name(ErrorCode::not_finite) == "not_finite");
  CHECK(name(ErrorCode::out_of_range) == "out_of_range");
  CHECK(name(ErrorCode::too_large) == "too_large");
  CHECK(name(ErrorCode::bad_argument) == "bad_argument");
  CHECK(name(ErrorCode::out_of_memory) == "out_of_memory");
}

TEST_CASE("a check leaves its function with the error, and only then") {
  const auto guarded = [](Expected<void> inner) -> Expected<int> {
    ATTN_CHECK(inner);
    return 7;
  };
  CHECK(guarded({}).value() == 7);
  const auto failed = guarded(fail(ErrorCode::too_large, "n", {"n is too large."}));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().code == ErrorCode::too_large);
  CHECK(failed.error().field == "n");
  CHECK(failed.error().message == "n is too large.");
}
