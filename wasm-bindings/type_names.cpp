#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Embind names types that it knows no names of by their address, "%p", and to write it brings the whole of printf into the
// module. Nothing else here formats: the address alone is written, as printf would. The name is that under which Emscripten's
// library is compiled to call sprintf where no number with a point is written.
extern "C" int siprintf(char* to, const char* format, ...) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::va_list given;
  va_start(given, format);
  auto left = reinterpret_cast<std::uintptr_t>(va_arg(given, const void*));
  va_end(given);
  std::array<char, 2 * sizeof(left)> reversed = {};
  std::size_t count = 0;
  do {
    reversed[count++] = digits[left % digits.size()];
    left /= digits.size();
  } while (left != 0);
  char* at = to;
  *at++ = '0';
  *at++ = 'x';
  while (count > 0) *at++ = reversed[--count];
  *at = '\0';
  return static_cast<int>(at - to);
}
