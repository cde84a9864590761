#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A number as a file writes it.
struct JsonNumber {
  /// Its characters, in the text that is read.
  std::string_view written;
  /// Without a point and without an exponent.
  bool is_whole = false;
  bool is_negative = false;
  /// Of a whole number; 2^64 - 1 where it is larger.
  std::uint64_t magnitude = 0;
};

/// Whether NaN, Infinity and -Infinity, which Python writes and JSON does not know, may stand where nobody reads them.
enum class JsonWords : std::uint8_t { strict, python };

/// Reads JSON from front to back, without a tree and without recursion. After the first error every call does nothing
/// and says so, so that callers check once.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text, JsonWords words = JsonWords::strict)
      : text_(text), words_(words) {}

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
  /// A number of any size and form that JSON allows.
  JsonNumber any_number();
  /// Steps over NaN, Infinity or -Infinity and gives the word; empty, and at the same place, when the value is another.
  std::string_view python_word();
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
  JsonWords words_;
  std::size_t at_ = 0;
  std::string problem_;
};

/// `text` between quotation marks. What is no UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace attn
