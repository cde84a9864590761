#include "core/text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>

using namespace attn;

TEST_CASE("a message is its pieces, words and whole numbers, one after another") {
  CHECK(text({}) == "");
  CHECK(text({"n", std::string_view(" is "), std::string("at most "), 12u, "."}) ==
        "n is at most 12.");
  CHECK(text({0, " ", -1, " ", INT64_MIN, " ", UINT64_MAX}) ==
        "0 -1 -9223372036854775808 18446744073709551615");
}
