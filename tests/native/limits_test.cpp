#include "core/limits.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("a product of sizes is exact up to 2^53 and refused above") {
  CHECK(value_of(checked_product("n", {})) == 1);
  CHECK(value_of(checked_product("n", {65536, 65536})) == std::uint64_t{1} << 32);
  CHECK(value_of(checked_product("n", {std::uint64_t{1} << 26, std::uint64_t{1} << 27})) ==
        max_exact_count);
  CHECK(value_of(checked_product("n", {0, UINT64_MAX})) == 0);
  CHECK(value_of(checked_product("n", {max_exact_count, 0, 5})) == 0);
  for (const auto factors : {std::initializer_list<std::uint64_t>{max_exact_count, 2},
                             {max_exact_count + 1},
                             {UINT64_MAX, UINT64_MAX},
                             {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 2}}) {
    const Error error = error_of(checked_product("n", factors));
    CHECK(error.code == ErrorCode::too_large);
    CHECK(error.field == "n");
  }
}

TEST_CASE("a count names the side on which it is out of range") {
  CHECK(check_count("n", 1, 1, 5).has_value());
  CHECK(check_count("n", 5, 1, 5).has_value());
  CHECK(error_of(check_count("n", 0, 1, 5)).code == ErrorCode::out_of_range);
  CHECK(error_of(check_count("n", 6, 1, 5)).code == ErrorCode::too_large);
}

TEST_CASE("more bytes than the limit are refused with their number, before they are taken") {
  CHECK(check_bytes("n", 0).has_value());
  CHECK(check_bytes("n", 1 << 20).has_value());
  const Error error = error_of(check_bytes("n_k", max_bytes + 1));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.field == "n_k");
  CHECK(error.message.find("536870913 bytes") != std::string::npos);
}

TEST_CASE("memory that is not there is found out without ending the program") {
  CHECK(memory_is_available(1));
  CHECK(memory_is_available(1 << 20));
  // More than any address space has; and more than size_t can say, where it has 32 bits.
  CHECK_FALSE(memory_is_available(std::uint64_t{1} << 62));
  CHECK_FALSE(memory_is_available(UINT64_MAX));
}

#ifdef __wasm__
// Where memory ends at 2 GiB, it can be used up; a machine of 64 bits would swap first.
TEST_CASE("memory that has run out is an error of its own") {
  std::vector<void*> pieces;
  while (memory_is_available(max_bytes)) {
    void* const piece = std::malloc(max_bytes);
    REQUIRE(piece != nullptr);
    pieces.push_back(piece);
  }
  const Error error = error_of(check_bytes("n_k", max_bytes));
  CHECK(error.code == ErrorCode::out_of_memory);
  CHECK(error.field == "n_k");
  for (void* const piece : pieces) std::free(piece);
  CHECK(check_bytes("n_k", max_bytes).has_value());
}
#endif
