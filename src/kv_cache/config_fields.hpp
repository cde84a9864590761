#pragma once

// The fields of a config.json as they stand, of which only those are kept that something here reads.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace attn {

struct ConfigValue {
  enum class Kind : std::uint8_t { null, boolean, number, word, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  bool is_whole = false, is_negative = false;
  /// Of a whole number, without its sign.
  std::uint64_t magnitude = 0;
  /// A text; a number as the file writes it; NaN, Infinity or -Infinity.
  std::string written;
  /// Of a list: at most max_model_layers items.
  std::vector<ConfigValue> items;
  std::uint64_t length = 0;

  bool operator==(const ConfigValue&) const = default;
};

/// The fields of the language model of a file: those of the nested object that describes it, where there is one
/// (text_config and its like, of a model that also sees or hears), or the file's own.
///
/// What a getter cannot take as the number or word that is asked for is kept as the problem, the first one only; the
/// getters then give nothing, so that callers check once.
class ConfigFields {
 public:
  /// Errors: bad_argument naming `file` for what is no JSON or has none of the fields; and naming the field for one
  /// that stands twice with different values.
  static Expected<ConfigFields> read(std::string_view file);

  /// The first value among `names` that is neither missing nor null.
  const ConfigValue* find(std::initializer_list<std::string_view> names) const;
  /// Of `names` the one that find() takes; the first where there is none.
  std::string_view name_of(std::initializer_list<std::string_view> names) const;
  bool has(std::string_view name) const { return find({name}) != nullptr; }
  /// Whether it stands there, be it as null.
  bool stands(std::string_view name) const { return values_.contains(full_name(name)); }
  /// Of the file itself, where a nested object does not say it.
  const ConfigValue* find_anywhere(std::string_view name) const;

  /// A whole number; a list in which every number is the same is that number. All of `names` that are there must
  /// agree. Nothing when none is there.
  /// Problems: bad_argument for a text, a truth value, a list of different numbers and names that disagree;
  /// not_finite for NaN and Infinity; out_of_range for a negative or fractional number and below `least`; too_large
  /// above `most`.
  std::optional<std::uint64_t> count(std::initializer_list<std::string_view> names,
                                     std::uint64_t least, std::uint64_t most);
  /// The same of one name, also of the file itself where a nested object does not say it.
  std::optional<std::uint64_t> count_anywhere(std::string_view name, std::uint64_t least,
                                              std::uint64_t most);
  /// The whole numbers of a list, each from `first` and below `end`; empty when the list is not there.
  /// Problems: bad_argument for what is no such list or longer than a model has layers; out_of_range for another number.
  std::vector<std::uint64_t> list(std::string_view name, std::uint64_t first, std::uint64_t end);
  /// Problems: bad_argument for anything but true and false.
  std::optional<bool> flag(std::string_view name);
  /// Problems: bad_argument for anything but a text.
  std::optional<std::string> word(std::string_view name);

  /// Puts the defaults of the file's class (class_defaults.hpp) in the place of what the file leaves out; which ones, as
  /// a sentence, empty when none.
  std::string supply_defaults();

  void refuse(ErrorCode code, std::string_view name, std::initializer_list<Piece> message);
  bool failed() const { return problem_.has_value(); }
  const Error& problem() const { return *problem_; }

  /// The name with the object that it stands in: "text_config.head_dim".
  std::string full_name(std::string_view name) const;
  bool is_nested() const { return !prefix_.empty(); }
  const std::string& prefix() const { return prefix_; }

 private:
  /// The number of one value; `place` is its full name.
  std::optional<std::uint64_t> number(const ConfigValue& value, const std::string& place,
                                      std::uint64_t least, std::uint64_t most);
  void refuse_at(std::string place, ErrorCode code, std::initializer_list<Piece> message);

  std::map<std::string, ConfigValue, std::less<>> values_;
  std::string prefix_;
  std::optional<Error> problem_;
};

/// The beginning of a text between quotation marks, for a message.
std::string shown(std::string_view text);

}  // namespace attn
