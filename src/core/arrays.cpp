#include "core/arrays.hpp"

#include <functional>

namespace attn {

Expected<void> check_length(std::string_view field, std::size_t given, std::uint64_t wanted) {
  if (given == wanted) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " must hold ", wanted, " numbers for the sizes given; it holds ",
               std::uint64_t{given}, "."});
}

namespace {

Expected<void> check_lengths(std::initializer_list<CallArray> arrays) {
  for (const auto& [name, numbers, wanted, or_none] : arrays) {
    if (or_none && numbers.empty()) continue;
    ATTN_CHECK(check_length(name, numbers.size(), wanted));
  }
  return {};
}

Expected<void> check_apart(const CallArray& result, const CallArray* others, const CallArray* end) {
  // Addresses of different arrays have an order by std::less alone.
  const std::less<const float*> before;
  const auto ends_at = [](const CallArray& array) {
    return array.numbers.data() + array.numbers.size();
  };
  for (; others != end; ++others) {
    if (result.numbers.empty() || others->numbers.empty() ||
        !before(others->numbers.data(), ends_at(result)) ||
        !before(result.numbers.data(), ends_at(*others))) {
      continue;
    }
    return fail(ErrorCode::bad_argument, result.name,
                {result.name, " and ", others->name, " share memory: give ", result.name,
                 " an array of its own."});
  }
  return {};
}

}  // namespace

Expected<void> check_arrays(std::initializer_list<CallArray> inputs,
                            std::initializer_list<CallArray> results) {
  ATTN_CHECK(check_lengths(inputs));
  ATTN_CHECK(check_lengths(results));
  for (const CallArray& result : results) {
    ATTN_CHECK(check_apart(result, inputs.begin(), inputs.end()));
    ATTN_CHECK(check_apart(result, results.begin(), &result));
  }
  return {};
}

}  // namespace attn
