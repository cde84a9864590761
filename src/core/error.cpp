#include "core/error.hpp"

namespace attn {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::shape_mismatch:
      return "shape_mismatch";
    case ErrorCode::not_finite:
      return "not_finite";
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::bad_argument:
      return "bad_argument";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
  }
  std::unreachable();
}

Error::Error(ErrorCode which, std::string where, std::string says)
    : code(which), field(std::move(where)), message(std::move(says)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::unexpected<Error> fail(ErrorCode code, std::string_view field,
                            std::initializer_list<Piece> message) {
  return std::unexpected<Error>(Error{code, std::string(field), text(message)});
}

}  // namespace attn
