#pragma once

// What the arrays of a call have to be, and the memory that it works in.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "core/error.hpp"
#include "core/limits.hpp"

namespace attn {

/// Errors: shape_mismatch, naming `field`, when an array holds another number of numbers than the sizes ask for.
Expected<void> check_length(std::string_view field, std::size_t given, std::uint64_t wanted);

/// An array of a call: its name as the caller spells it, and how many numbers the sizes ask for.
struct CallArray {
  std::string_view name;
  std::span<const float> numbers;
  std::uint64_t wanted;
  bool or_none = false;  ///< May be left out: then it is empty.
};

/// A result that lies where another array lies would be read or written half done: its numbers would be wrong, and nobody
/// would be told.
/// Errors: shape_mismatch, naming the array whose length is another; bad_argument, naming the result, when a result shares
/// memory with an input or with a result before it. Empty arrays share nothing.
Expected<void> check_arrays(std::initializer_list<CallArray> inputs,
                            std::initializer_list<CallArray> results);

/// Memory that a kernel works in, asked for before it is taken. `field` is what makes it large.
/// Errors: too_large and out_of_memory, naming `field`.
template <class T>
Expected<std::unique_ptr<T[]>> scratch_of(std::string_view field, std::size_t length) {
  const std::uint64_t bytes = std::uint64_t{length} * sizeof(T);
  ATTN_CHECK(check_bytes(field, bytes));
  std::unique_ptr<T[]> made(new (std::nothrow) T[length]);
  if (made != nullptr) return made;
  return fail(ErrorCode::out_of_memory, field,
              {"The working memory of ", bytes, " bytes is not free. Choose a smaller ", field,
               ", or close other pages."});
}

}  // namespace attn
