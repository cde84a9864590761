#include "core/json_reader.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

using namespace attn;

TEST_CASE("numbers of JSON, of any size and form", "[json]") {
  struct Row {
    std::string_view text;
    bool whole, negative;
    std::uint64_t magnitude;
  };
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  const Row rows[] = {
      {"0", true, false, 0},
      {"-0", true, true, 0},
      {"7", true, false, 7},
      {"-12", true, true, 12},
      {"9007199254740993", true, false, 9'007'199'254'740'993},
      {"18446744073709551615", true, false, largest},
      {"18446744073709551616", true, false, largest},
      {"99999999999999999999999", true, false, largest},
      {"1.5", false, false, 1},
      {"-0.25", false, true, 0},
      {"1e9", false, false, 1},
      {"2E-3", false, false, 2},
      {"3.0e+2", false, false, 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string text = " " + std::string(row.text) + " ";
    JsonReader reader(text);
    const JsonNumber number = reader.any_number();
    reader.finish();
    CHECK_FALSE(reader.failed());
    CHECK(number.written == row.text);
    CHECK(number.is_whole == row.whole);
    CHECK(number.is_negative == row.negative);
    CHECK(number.magnitude == row.magnitude);
  }
  for (const std::string_view text : {"", "-", "+1", "01", "-01", ".5", "1.", "1.e3", "1e", "1e+",
                                      "0x10", "NaN", "Infinity", "\"1\"", "1 2"}) {
    CAPTURE(text);
    JsonReader reader(text);
    reader.any_number();
    reader.finish();
    CHECK(reader.failed());
  }
}

TEST_CASE("what Python writes for no number is stepped over only where it is asked for", "[json]") {
  constexpr std::string_view text = R"({"a": [0.0, Infinity, -Infinity, {"b": NaN}]})";
  JsonReader strict(text);
  strict.skip();
  CHECK(strict.failed());
  JsonReader python(text, JsonWords::python);
  python.skip();
  python.finish();
  CHECK_FALSE(python.failed());
  JsonReader word("-Infinity");
  CHECK(word.python_word() == "-Infinity");
  word.finish();
  CHECK_FALSE(word.failed());
  JsonReader number("-1");
  CHECK(number.python_word().empty());
  CHECK(number.at() == 0);
}
