#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"

namespace attn {

/// Every way in which a call of the core can fail. The order is the order of `error_codes`.
enum class ErrorCode : std::uint8_t {
  shape_mismatch,  ///< Sizes that do not fit each other.
  not_finite,      ///< NaN or infinity where it would reach a result.
  out_of_range,    ///< A number outside the range in which the question makes sense.
  too_large,       ///< More tokens, columns or bytes than the core agrees to work on.
  bad_argument,    ///< An option that is missing, or that contradicts another.
  out_of_memory,   ///< Within the limits, but the machine has not got it.
};

inline constexpr std::array error_codes = {
    ErrorCode::shape_mismatch, ErrorCode::not_finite,   ErrorCode::out_of_range,
    ErrorCode::too_large,      ErrorCode::bad_argument, ErrorCode::out_of_memory,
};

/// The code's name, spelled as in C++: "shape_mismatch". The same word is the JavaScript `.code`.
std::string_view name(ErrorCode code);

/// What went wrong, for a reader who cannot see the source.
struct Error {
  // Not written out where they are used: nearly every call of the core can return an Error, and two strings are much code.
  Error(ErrorCode code, std::string field, std::string message);
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  ErrorCode code;
  std::string field;  ///< The option at fault, spelled as the caller spells it: "mask.window".
  std::string message;  ///< A sentence: what is wrong, with the numbers, and what would be right.
};

template <class T>
using Expected = std::expected<T, Error>;

/// An error on its way out of a function that returns Expected; the message is given in pieces.
std::unexpected<Error> fail(ErrorCode code, std::string_view field,
                            std::initializer_list<Piece> message);

/// Leaves the enclosing function with the error of `expression`, an Expected, if it has one.
/// A macro, because GCC 12's std::expected has no and_then, and nothing else can return for us.
#define ATTN_CHECK(expression)                                           \
  do {                                                                   \
    if (auto&& checked = (expression); !checked) {                       \
      return std::unexpected<::attn::Error>(std::move(checked).error()); \
    }                                                                    \
  } while (false)

}  // namespace attn
