#include "core/json_reader.hpp"

#include <algorithm>
#include <limits>

#include "core/utf8.hpp"

namespace attn {

std::size_t JsonReader::line(std::size_t place) const {
  const std::string_view before = text_.substr(0, place);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

void JsonReader::refuse(std::size_t place, const std::string& what) {
  if (!failed()) problem_ = "Line " + std::to_string(line(place)) + ": " + what;
}

void JsonReader::space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

char JsonReader::peek() {
  space();
  if (failed()) return '\0';
  if (at_ < text_.size()) return text_[at_];
  refuse("the file is cut short.");
  return '\0';
}

bool JsonReader::open(char bracket, const char* what) {
  if (const char next = peek(); !failed() && next != bracket) {
    refuse(std::string("here must be ") + what + ".");
  }
  if (!failed()) ++at_;
  return !failed();
}

bool JsonReader::close(char bracket, bool first) {
  const char next = peek();
  if (failed()) return true;
  if (next == bracket) {
    ++at_;
    return true;
  }
  if (!first) expect(',');
  return failed();
}

void JsonReader::expect(char wanted) {
  if (const char next = peek(); !failed() && next != wanted) {
    refuse(std::string("here must be “") + wanted + "”.");
  }
  if (!failed()) ++at_;
}

bool JsonReader::word(std::string_view wanted) {
  peek();
  if (failed() || !text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

bool JsonReader::null() { return word("null"); }

bool JsonReader::boolean() {
  if (word("true")) return true;
  if (!word("false")) refuse("here must be true or false.");
  return false;
}

std::uint32_t JsonReader::hexadecimal() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    const char low = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    } else if (low >= 'a' && low <= 'f') {
      value = value << 4 | static_cast<std::uint32_t>(low - 'a' + 10);
    } else {
      refuse("\\u must have four hexadecimal digits.");
      return 0;
    }
    ++at_;
  }
  return value;
}

std::string JsonReader::string() {
  const std::size_t begin = at_;
  std::string made;
  if (!open('"', "a text")) return made;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text_.data());
  for (;;) {
    if (at_ >= text_.size()) {
      refuse(begin, "a text begins that does not end: the file is cut short.");
      return {};
    }
    const unsigned char c = bytes[at_];
    if (c == '"') {
      ++at_;
      return made;
    }
    if (c < 0x20) {
      refuse("a control character stands in a text.");
      return {};
    }
    if (c != '\\') {
      const utf8::Step step = utf8::step(bytes, text_.size(), at_);
      if (step.code_point == utf8::broken) {
        refuse("a text is not UTF-8.");
        return {};
      }
      made.append(text_, at_, step.length);
      at_ += step.length;
      continue;
    }
    ++at_;
    const char kind = at_ < text_.size() ? text_[at_] : '\0';
    ++at_;
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = letters.find(kind); which != std::string_view::npos) {
      made += meanings[which];
    } else if (kind == 'u') {
      std::uint32_t unit = hexadecimal();
      if (unit >= 0xD800 && unit < 0xDC00 &&
          text_.substr(std::min(at_, text_.size())).starts_with("\\u")) {
        const std::size_t back = at_;
        at_ += 2;
        const std::uint32_t low = hexadecimal();
        if (low >= 0xDC00 && low < 0xE000) {
          unit = 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00));
        } else {
          at_ = back;
        }
      }
      if (failed()) return {};
      // Half a pair is no character; JavaScript would write U+FFFD too.
      utf8::append(made, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
    } else {
      refuse("a \\ stands before what it cannot stand before.");
      return {};
    }
  }
}

std::uint32_t JsonReader::whole_number() {
  peek();
  const std::size_t begin = at_;
  std::uint32_t value = 0;
  while (!failed() && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
    value = value * 10 + static_cast<std::uint32_t>(text_[at_] - '0');
    ++at_;
    if (value > 0xFFFFFF) refuse("a number is too large.");
  }
  const char after = at_ < text_.size() ? text_[at_] : '\0';
  if (at_ == begin || after == '.' || after == 'e' || after == 'E') {
    refuse(begin, "here must be a whole number, not negative.");
  }
  return failed() ? 0 : value;
}

JsonNumber JsonReader::any_number() {
  peek();
  JsonNumber number;
  const std::size_t begin = at_;
  const auto next_is = [&](std::string_view characters) {
    return at_ < text_.size() && characters.contains(text_[at_]);
  };
  const auto digits = [&](std::uint64_t* value) {
    const std::size_t first = at_;
    for (; next_is("0123456789"); ++at_) {
      if (value == nullptr) continue;
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
      *value = *value > (largest - digit) / 10 ? largest : *value * 10 + digit;
    }
    return at_ > first;
  };
  if (failed()) return number;
  number.is_negative = next_is("-");
  if (number.is_negative) ++at_;
  const std::size_t first = at_;
  bool sound = digits(&number.magnitude) && (text_[first] != '0' || at_ == first + 1);
  number.is_whole = !next_is(".eE");
  if (sound && next_is(".")) {
    ++at_;
    sound = digits(nullptr);
  }
  if (sound && next_is("eE")) {
    ++at_;
    if (next_is("+-")) ++at_;
    sound = digits(nullptr);
  }
  if (!sound) refuse(begin, "here must be a number.");
  number.written = text_.substr(begin, at_ - begin);
  return number;
}

std::string_view JsonReader::python_word() {
  for (const std::string_view known : {"NaN", "Infinity", "-Infinity"}) {
    if (word(known)) return known;
  }
  return {};
}

void JsonReader::number() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && std::string_view("+-.0123456789eE").contains(text_[at_])) ++at_;
  if (at_ == begin) refuse("here must be a value.");
}

void JsonReader::skip() {
  // The brackets that are open, instead of a call for each.
  std::string open_brackets;
  do {
    const char next = peek();
    if (failed()) return;
    if (next == '{' || next == '[') {
      ++at_;
      open_brackets += next == '{' ? '}' : ']';
      if (peek() != open_brackets.back()) {
        if (next == '{') {
          string();
          expect(':');
        }
        if (failed()) return;
        continue;
      }
    } else if (next == '"') {
      string();
    } else if (!null() && !word("true") && !word("false") &&
               (words_ == JsonWords::strict || python_word().empty())) {
      number();
    }
    if (failed()) return;
    // A value has ended: so may those around it, or another begins.
    while (!open_brackets.empty()) {
      const char after = peek();
      if (failed()) return;
      if (after == open_brackets.back()) {
        ++at_;
        open_brackets.pop_back();
        continue;
      }
      expect(',');
      if (open_brackets.back() == '}') {
        string();
        expect(':');
      }
      if (failed()) return;
      break;
    }
  } while (!open_brackets.empty());
}

void JsonReader::finish() {
  space();
  if (at_ < text_.size()) refuse("there is more after the end.");
}

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string made = "\"";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::step(bytes, text.size(), at);
    const unsigned char c = bytes[at];
    if (step.code_point == utf8::broken) {
      made += utf8::replacement;
    } else if (c == '"' || c == '\\') {
      made += {'\\', static_cast<char>(c)};
    } else if (c < 0x20) {
      made += "\\u00";
      made += {digits[c >> 4], digits[c & 15]};
    } else {
      made.append(text, at, step.length);
    }
    at += step.length;
  }
  return made + "\"";
}

}  // namespace attn
