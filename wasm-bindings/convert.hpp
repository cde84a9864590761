#pragma once

// The one place where arrays, options and errors change sides.
//
// In: the fields of one options object are read by name, checked (type, length, limit) before
// anything of their size is allocated, and copied. Out: copies, never views of the heap, because a
// view dies silently when memory grows. Every failure is `{ok: false, code, field, message}`.
//
// All that does not depend on a type of number is in convert.cpp: Embind's val is so much inline
// code that the module would double.

#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn::binding {

using emscripten::val;

/// The kinds of typed array that cross.
enum class ArrayKind : std::uint8_t { float64, float32, int32, uint8 };

template <class T>
inline constexpr ArrayKind kind_of = ArrayKind::float64;
template <>
inline constexpr ArrayKind kind_of<float> = ArrayKind::float32;
template <>
inline constexpr ArrayKind kind_of<std::int32_t> = ArrayKind::int32;
template <>
inline constexpr ArrayKind kind_of<std::uint8_t> = ArrayKind::uint8;

/// Numbers in the heap, their type told by `kind`.
struct Memory {
  const void* data;
  std::size_t length;
  ArrayKind kind;
};

template <class T>
Memory memory_of(std::span<const T> values) {
  return {values.data(), values.size(), kind_of<T>};
}

val failure(const Error& error);
val success(const val& value);

/// A new JavaScript array with a copy of the numbers.
val copied(const Memory& memory);

/// A shape as JavaScript writes it: [3, 4].
val shape(std::span<const std::uint64_t> sizes);

/// Reads the named fields of one options object. The first thing that is wrong is kept, and every
/// later read answers with an empty value at once, so that a function may read all that it needs
/// and look at `failed()` a single time, before it computes.
class Reader {
 public:
  explicit Reader(val options);

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  /// Refuses an option: its name and `what` make the sentence.
  void refuse(ErrorCode code, const char* field, std::string_view what);

  /// Whether the option is there: null and undefined mean that it is not.
  bool has(const char* field) const;

  /// A finite number.
  double number(const char* field);

  /// A whole number in [least, most].
  std::uint64_t count(const char* field, std::uint64_t most, std::uint64_t least = 1);

  std::uint64_t count_or(const char* field, std::uint64_t otherwise, std::uint64_t most);

  bool flag_or(const char* field, bool otherwise);

  /// Which of `names` the option is; the first unless told.
  std::size_t choice(const char* field, std::span<const std::string_view> names);

  /// The bytes of a Uint8Array of any length, at most `most`; none when the option is not there.
  std::string bytes(const char* field, std::uint64_t most);

  /// Numbers of an Int32Array of any length, at most `most`.
  std::vector<std::int32_t> integers(const char* field, std::uint64_t most);

  /// Whether the option `dtype` asks for float32; float64 unless told.
  bool wants_float32();

  /// A length that has passed `fits` is within what 32 bits can address.
  static std::size_t size(std::uint64_t length) { return static_cast<std::size_t>(length); }

  template <class T>
  Vector<T> vector(const char* field, std::uint64_t length) {
    const bool fit = fits(field, {length}, kind_of<T>, sizeof(T));
    Vector<T> read = make_vector<T>(fit ? size(length) : 0);
    copy(field, memory_of<T>(flat(read)));
    return read;
  }

  template <class T>
  Vector<T> vector_or_empty(const char* field, std::uint64_t length) {
    return has(field) ? vector<T>(field, length) : make_vector<T>(0);
  }

  template <class T>
  Matrix<T> matrix(const char* field, std::uint64_t rows, std::uint64_t columns) {
    const bool fit = fits(field, {rows, columns}, kind_of<T>, sizeof(T));
    Matrix<T> read = make_matrix<T>(fit ? size(rows) : 0, fit ? size(columns) : 0);
    copy(field, memory_of<T>(flat(read)));
    return read;
  }

  template <class T>
  std::vector<T> list_or_empty(const char* field, std::uint64_t length) {
    if (!has(field) || !fits(field, {length}, kind_of<T>, sizeof(T))) return {};
    std::vector<T> read(static_cast<std::size_t>(length));
    copy(field, memory_of<T>(read));
    return read;
  }

  /// The length of an array option, at most `most`; 0 when it is not there or too long.
  std::uint64_t length(const char* field, std::uint64_t most);

  /// Copies a Float32Array of exactly as many numbers over `numbers`.
  void copy_floats(const char* field, std::span<float> numbers);

  /// Keeps the error of a check that failed; whether it passed.
  bool accept(const Expected<void>& checked);
  template <class T>
  bool accept(const Expected<T>& checked) {
    return accept(checked ? Expected<void>() : Expected<void>(std::unexpected(checked.error())));
  }

  /// Reads the options within the option `field`, if it is there: `read(inner)`. What goes wrong
  /// inside is named with its path, as in "mask.window".
  void inside(const char* field, const std::function<void(Reader&)>& read);

  /// Where the caller wants the results: see Writer.
  val out() const;

 private:
  Reader(val options, std::string path);

  /// Whether the option is an array of that kind, of as many numbers as the sizes say and the
  /// machine has memory for. Nothing of that size is allocated before.
  bool fits(const char* field, std::initializer_list<std::uint64_t> sizes, ArrayKind kind,
            std::size_t bytes_each);

  /// Copies the option's numbers over those of `memory`.
  void copy(const char* field, const Memory& memory);

  val options_;
  std::string path_;
  std::optional<Error> error_;
};

/// Writes named results as copies: into the array of that name in `out` where its type and length
/// fit, else into a new one. A fresh large ArrayBuffer costs more than most of our arithmetic.
class Writer {
 public:
  explicit Writer(val out);

  Writer& number(const char* field, double value);
  Writer& value(const char* field, const val& value);

  template <class Container>
  Writer& array(const char* field, const Container& container) {
    return numbers(field, memory_of<typename Container::value_type>(flat(container)));
  }

  Writer& floats(const char* field, std::span<const float> values) {
    return numbers(field, memory_of(values));
  }

  /// The same for results whose number nobody knows before: they become the beginning of any array that is long
  /// enough, and `count` says how many they are.
  Writer& beginning(const char* field, const Memory& memory);

  val finish() const;

  /// What was written, as a part of an answer.
  const val& object() const { return value_; }

 private:
  Writer& numbers(const char* field, const Memory& memory);

  val out_;
  val value_ = val::object();
};

}  // namespace attn::binding
