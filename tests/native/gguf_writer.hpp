#pragma once

// Writes a GGUF file's beginning.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::test {

class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& number(std::string_view key, std::uint32_t value) { return put(key, 4, value, 4); }
  GgufWriter& fraction(std::string_view key, float value) {
    return put(key, 6, std::bit_cast<std::uint32_t>(value), 4);
  }
  GgufWriter& text(std::string_view key, std::string_view value) {
    begin(key, 8);
    string(body_, value);
    return *this;
  }
  GgufWriter& numbers(std::string_view key, const std::vector<std::uint32_t>& values,
                      std::uint32_t type = 4) {
    begin(key, 9);
    little(body_, type, 4);
    little(body_, values.size(), 8);
    for (const std::uint32_t value : values) little(body_, value, type == 7 ? 1 : 4);
    return *this;
  }
  GgufWriter& texts(std::string_view key, const std::vector<std::string>& values) {
    begin(key, 9);
    little(body_, 8, 4);
    little(body_, values.size(), 8);
    for (const std::string& value : values) string(body_, value);
    return *this;
  }
  /// Texts of no matter what.
  GgufWriter& texts(std::string_view key, std::size_t count) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < count; ++i) values.emplace_back(i % 7, 'x');
    return texts(key, values);
  }
  /// A value of any type and size.
  GgufWriter& put(std::string_view key, std::uint32_t type, std::uint64_t value, int size) {
    begin(key, type);
    little(body_, value, size);
    return *this;
  }
  GgufWriter& raw(std::string_view key, std::uint32_t type, std::string_view bytes) {
    begin(key, type);
    body_ += bytes;
    return *this;
  }
  GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& sizes,
                     std::uint32_t type, std::uint64_t offset = 0) {
    ++tensors_;
    string(list_, name);
    little(list_, sizes.size(), 4);
    for (const std::uint64_t size : sizes) little(list_, size, 8);
    little(list_, type, 4);
    little(list_, offset, 8);
    return *this;
  }

  std::string bytes() const {
    std::string made = "GGUF";
    little(made, version_, 4);
    little(made, tensors_, 8);
    little(made, keys_, 8);
    return made + body_ + list_;
  }

  static void little(std::string& to, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
  }
  static void string(std::string& to, std::string_view text) {
    little(to, text.size(), 8);
    to += text;
  }

 private:
  void begin(std::string_view key, std::uint32_t type) {
    ++keys_;
    string(body_, key);
    little(body_, type, 4);
  }

  std::uint32_t version_;
  std::uint64_t keys_ = 0, tensors_ = 0;
  std::string body_, list_;
};

}  // namespace attn::test
