#include "core/arrays.hpp"

#include <functional>

namespace attn {

Expected<void> check_length(std::string_view field, std::size_t given, std::uint64_t wanted) {
  if (given == wanted) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " must hold ", wanted, " numbers for the sizes given; it holds ",
               std::uint64_t{given}, "."});
}

Expected<void> check_apart(const NamedArray& result, std::initializer_list<NamedArray> others) {
  // Addresses of different arrays have an order by std::less alone.
  const std::less<const float*> before;
  const auto end = [](std::span<const float> array) { return array.data() + array.size(); };
  for (const auto& [name, numbers] : others) {
    if (numbers.empty() || result.numbers.empty()) continue;
    if (!before(numbers.data(), end(result.numbers)) ||
        !before(result.numbers.data(), end(numbers))) {
      continue;
    }
    return fail(
        ErrorCode::bad_argument, result.name,
        {result.name, " and ", name, " share memory: give ", result.name, " an array of its own."});
  }
  return {};
}

}  // namespace attn
