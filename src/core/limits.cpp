#include "core/limits.hpp"

#include <cstdlib>

namespace attn {

Expected<std::uint64_t> checked_product(std::string_view field,
                                        std::initializer_list<std::uint64_t> factors) {
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors) {
    if (factor != 0 && product > max_exact_count / factor) {
      return fail(ErrorCode::too_large, field,
                  {field,
                   " asks for more than 2^53 numbers, which is more than can be counted "
                   "exactly; choose smaller sizes."});
    }
    product *= factor;
  }
  return product;
}

Expected<void> check_count(std::string_view field, std::uint64_t value, std::uint64_t least,
                           std::uint64_t most) {
  if (value < least) {
    return fail(ErrorCode::out_of_range, field,
                {field, " must be at least ", least, "; it is ", value, "."});
  }
  if (value > most) {
    return fail(ErrorCode::too_large, field,
                {field, " must be at most ", most, "; it is ", value, "."});
  }
  return {};
}

Expected<void> check_between(std::string_view field, double value, int least, int most) {
  if (value >= least && value <= most) return {};
  return fail(ErrorCode::out_of_range, field,
              {field, " must be a number from ", least, " to ", most, "."});
}

Expected<void> check_bytes(std::string_view field, std::uint64_t bytes) {
  if (bytes > max_bytes) {
    return fail(ErrorCode::too_large, field,
                {"This asks for ", bytes, " bytes; at most ", max_bytes,
                 " are allowed. Choose a smaller ", field, "."});
  }
  if (!memory_is_available(bytes)) {
    return fail(ErrorCode::out_of_memory, field,
                {"This needs ", bytes, " bytes of memory, which are not free. Choose a smaller ",
                 field, ", or close other pages."});
  }
  return {};
}

bool memory_is_available(std::uint64_t bytes) {
  // Below this the allocator's own reserve answers, and small calls stay fast.
  constexpr std::uint64_t always_there = 1 << 16;
  if (bytes <= always_there) return true;
  if (bytes > PTRDIFF_MAX) return false;
  // Volatile, because a compiler may leave out an allocation that nobody looks at.
  void* volatile piece = std::malloc(static_cast<std::size_t>(bytes));
  const bool available = piece != nullptr;
  std::free(piece);
  return available;
}

}  // namespace attn
