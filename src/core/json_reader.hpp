#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Reads JSON from front to back, without a tree and without recursion. After the first error every call does nothing
/// and says so, so that callers check once.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::size_t at() const { return at_; }

  /// The line of a place, from 1.
  std::size_t line(std::size_t place) const;

  /// Calls `use(key)` before each value of an object; `use` must read the value.
  template <class Use>
  void object(Use&& use) {
    if (!open('{', "an object")) return;
    for (bool first = true; !close('}', first); first = false) {
      const std::string key = string();
      expect(':');
      if (failed()) return;
      use(key);
      if (failed()) return;
    }
  }

  /// Calls `use()` before each value of an array.
  template <class Use>
  void array(Use&& use) {
    if (!open('[', "an array")) return;
    for (bool first = true; !close(']', first); first = false) {
      use();
      if (failed()) return;
    }
  }

  /// What the next value begins with: '{', '[', '"', 'n', 't', 'f', or the first character of a number.
  char peek();
  /// Steps over `null`; false, and at the same place, when the value is another.
  bool null();
  std::string string();
  std::uint32_t whole_number();
  bool boolean();
  /// Steps over a value of any kind.
  void skip();
  /// Says that there must be nothing more.
  void finish();
  /// Keeps the first problem, with the line of `place`.
  void refuse(std::size_t place, const std::string& what);
  void refuse(const std::string& what) { refuse(at_, what); }

 private:
  void space();
  bool open(char bracket, const char* what);
  bool close(char bracket, bool first);
  void expect(char wanted);
  bool word(std::string_view wanted);
  std::uint32_t hexadecimal();
  void number();

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

/// `text` between quotation marks. What is no UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace attn
